//go:build failpoints

package crash

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// forkPoints are the fail points that a fork meets, each with how many of its hits are
// tried: its log is copied in several appends.
var forkPoints = map[string]int{
	"fork.recorded": 1, "fork.copied": 3, "fork.settled": 1, "append.before": 3, "append.synced": 3, "publish.before_ack": 2, "projection.mid_batch": 2,
}

// Scenario "fork": "a crash in the middle leaves either nothing or a whole fork". The
// host is killed while it copies a long log, and the client asks again, with the same
// key: there is one fork, whole, with its workspace, and nothing of it is counted twice.
func TestCrash_Fork(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	c, last := forkable(t, root)
	for point, hits := range forkPoints {
		t.Run(point, func(t *testing.T) {
			kills := 0
			for n := 1; n <= hits || *full; n++ {
				if !forkOnce(t, root, c.id, last, fmt.Sprintf("%s:%d", point, n)) {
					break
				}
				kills++
			}
			if kills == 0 {
				t.Errorf("no fork meets %s", point)
			}
		})
	}
}

// forkable makes a state root with a long session, and gives that with its last index.
func forkable(t *testing.T, root string) (*session, int) {
	t.Helper()
	s, err := launch(root, "")
	if err != nil {
		t.Fatal(err)
	}
	c := newSession()
	talks := []string{"three tools please", "two artifacts please"}
	for i := range 8 {
		talks = append(talks, fmt.Sprint(i, strings.Repeat(" and on", 5_000)))
	}
	for _, text := range talks {
		if err := c.talk(s.url, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "workspaces", c.id)
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("noted"), 0o600)); err != nil {
		t.Fatal(err)
	}
	return c, len(c.seen) - 1
}

// forkOnce says whether the host was killed.
func forkOnce(t *testing.T, root, id string, last int, point string) bool {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "root")
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	s, err := launch(dir, point)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := postFork(s.url, id, last)
	killed := first == 0
	select {
	case <-s.exit:
		killed = true
	case <-time.After(map[bool]time.Duration{true: 5 * time.Second, false: 100 * time.Millisecond}[killed]):
		s.kill()
	}
	if s, err = launch(dir, ""); err != nil {
		t.Fatal(err)
	}
	fork := ""
	for deadline := time.Now().Add(20 * time.Second); fork == "" && time.Now().Before(deadline); {
		switch status, made := postFork(s.url, id, last); status {
		case http.StatusAccepted:
			fork = made
		case http.StatusConflict: // the start makes it whole
		default:
			t.Fatalf("%s: the fork was answered %d", point, status)
		}
	}
	if err := s.stop(); err != nil {
		t.Errorf("%s: stopping: %v", point, err)
	}
	checkFork(t, dir, id, fork, point)
	return killed
}

// postFork forks a session under a key that is always the same; 0: there was no answer.
func postFork(base, id string, index int) (status int, fork string) {
	req, err := http.NewRequest(http.MethodPost, base+"/v1/session/"+id+"/fork", strings.NewReader(fmt.Sprintf(`{"index":%d}`, index)))
	if err != nil {
		return 0, ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", "fork")
	res, err := client.Do(req)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	var r struct{ SessionID string }
	if err != nil || json.Unmarshal(b, &r) != nil {
		return 0, ""
	}
	return res.StatusCode, r.SessionID
}

// checkFork holds the one fork of a state root against the session that it was made of.
func checkFork(t *testing.T, dir, id, fork, what string) {
	t.Helper()
	c, err := examine(dir)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, v := range c.violations {
		t.Errorf("%s: %s", what, v)
	}
	for other, log := range c.logs {
		if start, ok := log[0].Data.(*events.SessionStarted); ok && start.ForkedFrom != nil && other != fork {
			t.Errorf("%s: there is a fork %s besides %s", what, other, fork)
		}
	}
	source, copied := c.lines[id], c.lines[fork]
	if len(copied) != len(source) || c.logs[fork][len(copied)-1].Type != "session.waiting" {
		t.Fatalf("%s: the fork has %d events, the session %d", what, len(copied), len(source))
	}
	for i := 1; i < len(source)-1; i++ {
		if want := bytes.Replace(source[i].Data, []byte(id), []byte(fork), 1); !bytes.Equal(copied[i].Data, want) {
			t.Fatalf("%s: event %d of the fork is %s", what, i, copied[i].Data)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "workspaces", fork, "notes.txt")); err != nil || string(b) != "noted" {
		t.Errorf("%s: its workspace has %q, %v", what, b, err)
	}
	folders, err := os.ReadDir(filepath.Join(dir, "workspaces"))
	for _, f := range folders {
		if f.Name() != id && f.Name() != fork && !strings.HasPrefix(f.Name(), ".") {
			t.Errorf("%s: a folder %s is left", what, f.Name())
		}
	}
	if err != nil {
		t.Error(err)
	}
}
