package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// request does what curl would: it prints the status and the body.
func request(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: http METHOD url [-H 'name: value'] [-n lines] [body]")
	}
	header, lines, body := http.Header{}, -1, ""
	for rest := args[2:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case rest[0] == "-H" && len(rest) > 1:
			name, value, _ := strings.Cut(rest[1], ":")
			header.Add(name, strings.TrimSpace(value))
			rest = rest[1:]
		case rest[0] == "-n" && len(rest) > 1:
			n, err := strconv.Atoi(rest[1])
			ts.Check(err)
			lines, rest = n, rest[1:]
		default:
			body = rest[0]
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, args[0], args[1], strings.NewReader(body))
	ts.Check(err)
	req.Header = header
	if body != "" && header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	_, _ = fmt.Fprintln(ts.Stdout(), resp.StatusCode)
	ts.Check(copyLines(ts.Stdout(), resp.Body, lines))
	if failed := resp.StatusCode >= 400; failed != neg {
		ts.Fatalf("%s %s answered %d", args[0], args[1], resp.StatusCode)
	}
}

// copyLines copies so many lines, or everything when n is negative.
func copyLines(w io.Writer, r io.Reader, n int) error {
	if n < 0 {
		_, err := io.Copy(w, r)
		return err
	}
	in := bufio.NewReader(r)
	for range n {
		line, err := in.ReadString('\n')
		if _, werr := io.WriteString(w, line); werr != nil || err != nil {
			return fmt.Errorf("the stream ended early: %w", err)
		}
	}
	return nil
}

// keep puts a part of the last stdout into a variable.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep name pattern")
	}
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	m := re.FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) < 2 {
		ts.Fatalf("the last stdout has no %s:\n%s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], m[1])
}
