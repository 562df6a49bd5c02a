package openai

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/gobdk/bdk/actors/model"
)

// maxCalls of one step; more is a server gone wrong.
const maxCalls = 128

var (
	errGlued     = errors.New("the answer glued the arguments of several calls into one")
	errManyCalls = errors.New("the answer asks for too many calls at once")
)

// calls gathers tool calls from their fragments. The protocol tells calls apart by
// index; servers that do not keep to that are told apart by what else they say.
type calls struct {
	list []*pending
	// last is the newest call of an index.
	last map[int64]*pending
}

type pending struct {
	id, name string
	args     strings.Builder
}

func (c *calls) add(f sdk.ChatCompletionChunkChoiceDeltaToolCall) {
	p := c.last[f.Index]
	if p == nil || p.endsBefore(f) {
		p = &pending{}
		c.list = append(c.list, p)
		if c.last == nil {
			c.last = map[int64]*pending{}
		}
		c.last[f.Index] = p
	}
	if p.id == "" {
		p.id = f.ID
	}
	if p.name == "" {
		p.name = f.Function.Name
	}
	p.args.WriteString(clean(f.Function.Arguments))
}

// endsBefore says whether f, of the same index, begins another call: it has another
// id, or it names a function again after the arguments were whole.
func (p *pending) endsBefore(f sdk.ChatCompletionChunkChoiceDeltaToolCall) bool {
	if f.ID != "" && p.id != "" {
		return f.ID != p.id
	}
	return f.Function.Name != "" && p.name != "" && isObject(p.args.String())
}

func isObject(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s))
}

// requested gives the calls, or why they cannot be told apart.
func (c *calls) requested() ([]model.RequestedCall, error) {
	if len(c.list) > maxCalls {
		return nil, errManyCalls
	}
	var list []model.RequestedCall
	for _, p := range c.list {
		args := p.args.String()
		if isGlued(args) {
			return nil, errGlued
		}
		list = append(list, model.RequestedCall{Name: p.name, Args: args})
	}
	return list, nil
}

// isGlued says whether s is two objects or more and nothing else.
func isGlued(s string) bool {
	if !strings.HasPrefix(strings.TrimSpace(s), "{") || json.Valid([]byte(s)) {
		return false
	}
	d := json.NewDecoder(strings.NewReader(s))
	for n := 0; ; n++ {
		var object map[string]json.RawMessage
		switch err := d.Decode(&object); {
		case errors.Is(err, io.EOF):
			return n > 1
		case err != nil:
			return false
		}
	}
}
