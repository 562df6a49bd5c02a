package transport

import (
	"strings"
	"testing"
)

// "Limits (settings in cli.md, each with its answer)": JSON depth and the length of
// a title are settings as the others are.
func TestLimits_DepthAndTitle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	body := func(levels int) string {
		return `{"input":` + strings.Repeat(`{"a":`, levels-1) + "1" + strings.Repeat("}", levels-1) + "}"
	}
	c := w.serve(func(o *Options) { o.Limits.JSONDepth, o.Limits.TitleLength = 3, 4 })
	if a := c.do("POST", "/bot/v1/tools/echo", body(3)); a.status != 200 {
		t.Error(a.status, a.body)
	}
	if a := c.do("POST", "/bot/v1/tools/echo", body(4)); a.status != 400 || !strings.Contains(a.body, "more than 3 levels") {
		t.Error(a.status, a.body)
	}
	if a := c.do("POST", "/bot/v1/session", `{"message":"x","title":"äöü!"}`); a.status != 202 {
		t.Error(a.status, a.body)
	}
	if a := c.do("POST", "/bot/v1/session", `{"message":"x","title":"äöü!!"}`); a.status != 400 || !strings.Contains(a.body, "more than 4 characters") {
		t.Error(a.status, a.body)
	}
	wide := w.serve(func(o *Options) { o.Limits.JSONDepth = 80 })
	if a := wide.do("POST", "/bot/v1/tools/echo", body(80)); a.status != 200 {
		t.Error(a.status, a.body)
	}
}

// The depth binds bodies of channels, too, where they are JSON.
func TestLimits_DepthInChannels(t *testing.T) {
	t.Parallel()
	c := newChannelWorld(t).serve(func(o *Options) { o.Limits.JSONDepth = 3 })
	for body, status := range map[string]int{"[[[1]]]": 200, "[[[[1]]]]": 400, `[[["[{\"[["]],[{}],[]]`: 200, "[[[{}]]": 400} {
		for _, media := range []string{"application/json", "application/a2a+json"} {
			a := c.do("POST", "/bot/v1/channels/default", body, "Content-Type", "-", "Content-Type", media)
			if a.status != status || status == 400 && !strings.Contains(a.body, `"issues":[{"path":"","message":"more than 3 levels of objects and arrays"}]`) {
				t.Error(body, media, a.status, a.body)
			}
		}
		if a := c.do("POST", "/bot/v1/channels/default", body, "Content-Type", "-", "Content-Type", "text/plain"); a.status != 200 {
			t.Error("a text:", a.status, a.body)
		}
	}
}
