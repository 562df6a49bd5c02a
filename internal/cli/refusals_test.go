package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/events/journal"
)

// cli.md: "Errors say what was wrong, where, and what to do, in a line or two, without a stack."
func TestExplain_WhatAHostOfThisProcessRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{actors.ErrFault, "met a fault of bdk and was interrupted"},
		{fmt.Errorf("starting: %w", actors.ErrDecision), "a decision is approve or deny"},
		{&actors.ConversationError{SessionID: "ses_9"}, "belongs to session ses_9 already: go on with --session ses_9"},
		{fmt.Errorf("%w: disk on fire", actors.ErrWorkspace), "the workspace cannot be made: disk on fire"},
		{actors.ErrNoSpace, "too little free disk space"},
		{errors.New("anything else"), "anything else"},
	} {
		if got := explain(c.err); !strings.Contains(got, c.want) || strings.Contains(got, "actors:") {
			t.Errorf("%v is explained as %q, want %q", c.err, got, c.want)
		}
		if got := exitCode(c.err); got != ExitFailed {
			t.Errorf("%v: exit code %d", c.err, got)
		}
	}
}

func TestExplain_EveryRefusalHasWordsOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, r := range refusals {
		if got := explain(r.err); got != r.text || strings.Contains(got, "actors") {
			t.Errorf("%v is explained as %q", r.err, got)
		}
	}
}

// cli.md: "3 could not start (port in use, state root locked, no such project)".
func TestExplain_ALockedStateRoot(t *testing.T) {
	t.Parallel()
	for want, owner := range map[string]journal.Owner{
		"process 7 at http://h:1 already uses the state root /r: stop it, or choose another with --state-root":                                                            {PID: 7, URL: "http://h:1"},
		"process 7 already uses the state root /r and serves nothing to go through: wait until it ends; while bdk serve runs, several commands can be used at once":       {PID: 7},
		"another process already uses the state root /r and serves nothing to go through: wait until it ends; while bdk serve runs, several commands can be used at once": {},
	} {
		err := &journal.LockedError{Dir: "/r", Owner: owner}
		if got := explain(err); got != want || exitCode(err) != ExitNoStart {
			t.Errorf("explained as %q with exit code %d, want %q", got, exitCode(err), want)
		}
	}
}

func TestMain_AStateRootThatServesNothing(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "root")
	j, err := journal.Open(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	for _, args := range []string{"sessions", "run --message hi", "call x", "logs"} {
		newBench(t, append(strings.Fields(args), "--state-root", root)...).want(t, ExitNoStart, "",
			"already uses the state root "+root+" and serves nothing to go through: wait until it ends; while bdk serve runs, several commands can be used at once\n")
	}
}

// connections.md: "serve refuses to start when the slug is not mounted".
func TestServe_WithoutAPeer(t *testing.T) {
	t.Parallel()
	b := newBench(t, "serve", "--port", "0")
	for name, text := range map[string]string{
		"bot/instructions.md": "Here.",
		"bot/mcp-connections/helper.ts": `import { defineConnection } from "@cursor/bdk/connections";
export default defineConnection({ agent: "help-desk" });`,
	} {
		file := filepath.Join(b.Dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	b.want(t, ExitNoStart, "", `its connection helper leads to the agent "help-desk", which is not served here: serve the folder that has both, or mend the slug`)
}
