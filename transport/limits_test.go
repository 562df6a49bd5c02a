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
