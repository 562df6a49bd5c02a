// Command bench measures the host beside a floor: the least that any program must do
// for the same requests and the same bytes on disk.
//
// Everything that is compared runs on one machine in one run, in rounds whose order
// changes, each server in a process and a state root of its own. Believe the ratios;
// the absolute figures are this machine's, at this moment.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// Settings of a run.
type settings struct {
	rounds   int
	duration time.Duration
	clients  []int
	sleeping int
	long     int
	cases    int
	dir      string
	only     string
	// zod3 and zod4 are folders of packages with that Zod, empty for none.
	zod3, zod4 string
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		os.Exit(report(child(os.Args[2], os.Args[3:])))
	}
	s, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		os.Exit(2)
	}
	os.Exit(report(run(s, os.Stdout)))
}

func report(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

func parse(args []string, out io.Writer) (*settings, error) {
	s := &settings{}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(out)
	fs.IntVar(&s.rounds, "rounds", 5, "rounds; the table shows their medians")
	fs.DurationVar(&s.duration, "d", 4*time.Second, "time of each measurement over HTTP and of each one of the journal")
	fs.IntVar(&s.sleeping, "sleeping", 100_000, "sleeping sessions in the state root")
	fs.IntVar(&s.long, "long", 100_000, "events of a long session")
	fs.IntVar(&s.cases, "cases", 200, "cases of one eval run")
	fs.StringVar(&s.dir, "dir", "", "where state roots are made; it should be the disk that you mean (default: a temporary folder)")
	fs.StringVar(&s.only, "only", "turns,journal,wake,sleep,script,eval", "what to measure")
	fs.StringVar(&s.zod3, "zod3", "", "a node_modules folder with Zod 3, for the script part")
	fs.StringVar(&s.zod4, "zod4", "", "a node_modules folder with Zod 4, for the script part")
	clients := fs.String("clients", "1,16,64", "numbers of concurrent clients")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	for field := range strings.SplitSeq(*clients, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, complain(out, fmt.Errorf("clients: %q is not a number of clients", field))
		}
		s.clients = append(s.clients, n)
	}
	if s.rounds < 1 || s.sleeping < 1 || s.long < 1 || s.cases < 1 || s.duration <= 0 {
		return nil, complain(out, errors.New("rounds, d, sleeping, long and cases must be above zero"))
	}
	return s, nil
}

func complain(out io.Writer, err error) error {
	fmt.Fprintln(out, "bench:", err)
	return err
}

// run makes all measurements that were asked for, in a folder that it removes.
func run(s *settings, out io.Writer) error {
	dir, err := os.MkdirTemp(s.dir, "bdk-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := machine(dir, out); err != nil {
		return err
	}
	tmpl, err := newTemplate(dir)
	if err != nil {
		return fmt.Errorf("playing one turn for the template: %w", err)
	}
	fmt.Fprintf(out, "a turn: %d events in %d appends, %d bytes\n", len(tmpl.Lines), tmpl.appends(), tmpl.size())
	parts := map[string]func(*settings, string, *template, io.Writer) error{
		"turns": turns, "journal": journals, "wake": wakes, "sleep": sleeps, "script": scripts, "eval": evals,
	}
	for part := range strings.SplitSeq(s.only, ",") {
		measure, ok := parts[part]
		if !ok {
			return fmt.Errorf("there is no measurement %q", part)
		}
		fmt.Fprintln(out)
		if err := measure(s, dir, tmpl, out); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}
