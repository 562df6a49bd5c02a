//go:build failpoints

package crash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// childEnv names the state root for the child; it is this test binary again.
const childEnv = "BDK_CRASH_CHILD"

// A server is one life of the host.
type server struct {
	cmd  *exec.Cmd
	url  string
	up   time.Time
	exit chan error
}

// launch starts a host; failpoint is BDK_FP's value, empty for none.
func launch(dir, failpoint string) (*server, error) {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childEnv+"="+dir, "BDK_FP="+failpoint)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, up: time.Now(), exit: make(chan error, 1)}
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() { s.exit <- cmd.Wait() }()
	if err != nil {
		<-s.exit
		return nil, fmt.Errorf("the host died before it served: %w", err)
	}
	s.url = strings.TrimSpace(line)
	return s, nil
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.exit
}

// stop ends the host in order.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-s.exit
}

// A session is what a client knows of one conversation: what it was promised and
// what it saw.
type session struct {
	mu    sync.Mutex
	id    string
	token string
	tried map[string]bool // texts that were sent
	acked map[string]bool // texts that were answered 2xx
	calls map[string]bool // approvals that were answered 2xx
	seen  [][]byte        // lines of the stream, from index 0
}

func newSession() *session {
	return &session{tried: map[string]bool{}, acked: map[string]bool{}, calls: map[string]bool{}}
}

var client = &http.Client{Timeout: 20 * time.Second}

// post sends JSON; an error means that there was no answer.
func post(url string, body any) (status int, answer []byte, err error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	res, err := client.Post(url, "application/json", bytes.NewReader(b))
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err = io.ReadAll(res.Body)
	return res.StatusCode, answer, err
}

// say sends a message: the first opens the session. It gives the status, 0 without an answer.
func (c *session) say(base, text string) int {
	c.mu.Lock()
	url, body := base+"/v1/session", map[string]string{"message": text}
	if c.id != "" {
		url += "/" + c.id
		body["continuationToken"] = c.token
	}
	c.tried[text] = true
	c.mu.Unlock()
	status, answer, err := post(url, body)
	if err != nil {
		return 0
	}
	var r struct{ SessionID, ContinuationToken string }
	if status == http.StatusAccepted && json.Unmarshal(answer, &r) == nil {
		c.mu.Lock()
		c.id, c.token, c.acked[text] = r.SessionID, r.ContinuationToken, true
		c.mu.Unlock()
	}
	return status
}

// refresh asks for the newest token.
func (c *session) refresh(base string) error {
	var r struct {
		Session struct{ ContinuationToken, Status string }
	}
	if err := getJSON(base+"/v1/session/"+c.id, &r); err != nil {
		return err
	}
	c.token = r.Session.ContinuationToken
	return nil
}

func getJSON(url string, into any) error {
	res, err := client.Get(url)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(res.Body)
		return fmt.Errorf("GET %s: %s: %s", url, res.Status, b)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// follow reads what the log holds beyond what the client has, and goes on until
// the session rests.
func (c *session) follow(base string) error {
	for {
		if err := c.read(base, "follow=false", 10*time.Second); err != nil {
			return err
		}
		var r struct{ Session struct{ Status string } }
		if err := getJSON(base+"/v1/session/"+c.id, &r); err != nil {
			return err
		}
		if r.Session.Status != "running" {
			return c.read(base, "follow=false", 10*time.Second)
		}
		// The session may have come to rest just now: then nothing more comes.
		if err := c.read(base, "until=idle", 2*time.Second); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
}

// read reads the stream from where the client is. A torn last line is no line.
func (c *session) read(base, query string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/v1/session/%s/stream?%s&startIndex=%d", base, c.id, query, len(c.seen)), nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the stream was answered %s", res.Status)
	}
	for in := bufio.NewReader(res.Body); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.seen = append(c.seen, bytes.TrimSuffix(line, []byte("\n")))
		c.mu.Unlock()
	}
}

// An approval is a row of the list.
type approval struct{ RequestID, CallID string }

func (c *session) approvals(base string) ([]approval, error) {
	var r struct{ Approvals []approval }
	err := getJSON(base+"/v1/session/"+c.id+"/approvals", &r)
	return r.Approvals, err
}

// approve decides a call; 0 without an answer.
func (c *session) approve(base, callID string) int {
	status, _, err := post(base+"/v1/session/"+c.id+"/approvals/"+callID, map[string]string{"decision": "approve"})
	if err != nil {
		return 0
	}
	if status == http.StatusOK {
		c.calls[callID] = true
	}
	return status
}
