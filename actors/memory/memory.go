// Package memory gives a hook that keeps a journal of finished turns, so that later
// sessions can read what earlier ones did.
package memory

import (
	"context"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/redact"
)

// Defaults of Options.
const (
	DefaultName     = "memory"
	DefaultMaxBytes = 10 << 20
	DefaultKeep     = 5
)

// Options of Hook; nil means the defaults.
type Options struct {
	// Name of the hook. Defaults to DefaultName.
	Name string
	// PerPrincipal keeps one journal for each owner of sessions. By default all users
	// of the agent share one.
	PerPrincipal bool
	// Backend keeps the lines; nil keeps them in the deployment's files.
	Backend Backend
	// Secrets are values that must not stand in the journal, as SecretsOf finds them.
	// Bearer tokens and keys of well-known forms are left out in any case.
	Secrets []string
	// MaxBytes of the journal's file, beyond which a new one is begun. Defaults to
	// DefaultMaxBytes.
	MaxBytes int
	// Keep is how many earlier files stay. Defaults to DefaultKeep; negative: none.
	Keep int
}

// A Backend keeps the journal somewhere else than in the deployment's files. It may
// be called from several goroutines at once.
type Backend interface {
	// Append adds one line, a JSON object without a line's end. With
	// Options.PerPrincipal its field "owner" tells the owners apart.
	Append(ctx context.Context, line []byte) error
}

// SecretsOf gives the values of an environment ("NAME=value") whose names tell that
// they are secrets, for Options.Secrets.
func SecretsOf(environ []string) []string { return redact.SecretsOf(environ) }

// Hook gives a hook that appends a line to the journal for each turn that finished,
// but for those of eval sessions. Each agent needs one of its own.
func Hook(o *Options) *agent.Hook {
	k := &keeper{}
	if o != nil {
		k.o = *o
	}
	k.o.ensureDefaults()
	k.redactor = redact.New(k.o.Secrets...)
	k.asked.texts = map[string]string{}
	k.files.sizes = map[string]int{}
	return &agent.Hook{Name: k.o.Name, Source: "project", On: map[string]agent.HookFunc{
		"message.received": k.received,
		"turn.completed":   k.finished,
		"turn.failed":      k.finished,
	}}
}

func (o *Options) ensureDefaults() {
	if o.Name == "" {
		o.Name = DefaultName
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	o.Keep = max(o.Keep, 0)
}

// A keeper is the state of one hook. Its handlers run side by side for several sessions.
type keeper struct {
	o        Options
	redactor *redact.Redactor
	asked    asked
	files    journal
}

// received remembers what a turn was asked.
func (k *keeper) received(_ context.Context, e *agent.HookEvent, c *agent.Call) error {
	if d, ok := e.Data.(*events.MessageReceived); ok && c.Session.Purpose != events.PurposeEval {
		k.asked.put(e.TurnID, k.text(d.Text))
	}
	return nil
}

// finished writes a turn's line.
func (k *keeper) finished(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
	if c.Session.Purpose == events.PurposeEval || e.TurnID == "" {
		return nil
	}
	question, ok := k.asked.take(e.TurnID)
	if !ok {
		text, err := recorded(e, c)
		if err != nil {
			return err
		}
		question = k.text(text)
	}
	line, err := k.line(e, c, question)
	if err != nil {
		return err
	}
	if k.o.Backend != nil {
		return k.o.Backend.Append(ctx, line)
	}
	dir := Dir
	if k.o.PerPrincipal {
		dir = PrincipalDir(c.Session.Auth)
	}
	return k.files.append(ctx, c.Files, dir, append(line, '\n'), &k.o)
}
