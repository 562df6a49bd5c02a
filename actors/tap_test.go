package actors_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
)

// A tap lets a model answer and keeps what it was asked.
type tap struct {
	model model.Model

	mu   sync.Mutex
	seen []model.Request
}

// tapped is a tap on a script.
func tapped(t *testing.T, script string) *tap {
	t.Helper()
	s, err := scripted.Parse("script.yaml", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	return &tap{model: scripted.New(s)}
}

func (p *tap) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	p.mu.Lock()
	kept := *r
	kept.Messages = slices.Clone(r.Messages)
	p.seen = append(p.seen, kept)
	p.mu.Unlock()
	return p.model.Stream(ctx, r, emit)
}

func (p *tap) requests() []model.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.seen)
}

// texts is what the messages of a request say, by role.
func texts(r *model.Request) (out []string) {
	for _, m := range r.Messages {
		text := m.Text
		if m.Role == model.RoleTool {
			text = string(m.Output)
		}
		out = append(out, m.Role+" "+text)
	}
	return out
}
