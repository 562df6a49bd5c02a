//go:build failpoints

package crash

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// evalPoints are the fail points that a case meets, each with how many of its hits are
// tried.
var evalPoints = map[string]int{
	"append.before": 3, "append.synced": 3, "step.recorded": 2, "tool.recorded_before_start": 3, "tool.effect_before_result": 3,
}

// Scenario "eval case": the host is killed in the middle of an eval's turn. At the next
// start the turn is cancelled, and no model is asked; no tool that was stubbed ever ran.
func TestCrash_EvalCase(t *testing.T) {
	t.Parallel()
	for point, hits := range evalPoints {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			kills := 0
			for n := 1; n <= hits || *full; n++ {
				dir := t.TempDir()
				s, err := launch(dir, fmt.Sprintf("%s:%d", point, n))
				if err != nil {
					t.Fatal(err)
				}
				status := evalCase(s.url, "three tools please")
				s.kill()
				checkEval(t, dir, fmt.Sprintf("%s:%d", point, n))
				if status != "" {
					break
				}
				kills++
			}
			if kills == 0 {
				t.Errorf("no case meets %s", point)
			}
		})
	}
}

// One that was parked is cancelled as well: nobody will decide.
func TestCrash_EvalParked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := launch(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if status := evalCase(s.url, "gated please"); status != "parked" {
		t.Errorf("the turn is %q", status)
	}
	s.kill()
	checkEval(t, dir, "parked")
}

// evalCase runs a case; empty: there was no answer.
func evalCase(base, text string) string {
	res, err := client.Post(base+"/evals", "text/plain", strings.NewReader(text))
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return ""
	}
	return string(b)
}

// checkEval starts the host again, waits until its sessions rest, and checks everything.
func checkEval(t *testing.T, dir, what string) {
	t.Helper()
	s, err := launch(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	awaitRest(t, s.url, what)
	if err := s.stop(); err != nil {
		t.Errorf("%s: stopping: %v", what, err)
	}
	c, err := examine(dir)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, v := range c.violations {
		t.Errorf("%s: %s", what, v)
	}
	if _, err := os.Stat(filepath.Join(dir, "effects")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: a tool that was stubbed ran", what)
	}
	for id, log := range c.logs {
		if !events.IsSessionID(id) {
			continue
		}
		types := typesOf(log)
		if slices.Contains(types, "turn.resumed") || types[len(types)-1] != "session.waiting" {
			t.Errorf("%s: the log has %q", what, types)
		}
		if d, failed := log[len(log)-2].Data.(*events.TurnFailed); failed && (d.Status != events.StatusCancelled || !strings.HasPrefix(d.Message, "the eval that asked has ended")) {
			t.Errorf("%s: the turn failed with %+v", what, d)
		}
	}
}

// typesOf are the types of events.
func typesOf(log []*events.Event) (all []string) {
	for _, e := range log {
		all = append(all, e.Type)
	}
	return all
}

// awaitRest waits until no session of a host is open.
func awaitRest(t *testing.T, base, what string) {
	t.Helper()
	var list struct{ Sessions []struct{ Status string } }
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if err := getJSON(base+"/v1/sessions?purpose=eval", &list); err != nil {
			t.Fatal(err)
		}
		rests := true
		for _, row := range list.Sessions {
			rests = rests && row.Status == "waiting"
		}
		if rests {
			return
		}
	}
	t.Fatalf("%s: the sessions are %+v", what, list)
}
