package transport

import (
	"strings"
	"testing"
)

// "Markdown rendered and cleaned on the server": the answer is a tree, and no markup.
func TestRender(t *testing.T) {
	t.Parallel()
	c := newWorld(t).serve(nil)
	a := c.do("POST", "/bot/v1/render", `{"markdown":"# Hi\n<b>x</b> [y](javascript:z) [w](https://w.test)"}`)
	a.want(t, 200, "")
	if want := `{"ok":true,"nodes":[["h1",{},"Hi"],["p",{},"<b>x</b> y ",["a",{"href":"https://w.test"},"w"]]]}` + "\n"; a.body != want {
		t.Errorf("%s, want %s", a.body, want)
	}
	c.do("POST", "/bot/v1/render", `{}`).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/render", `{"markdown":1}`).want(t, 400, "invalid_body")
	c.do("POST", "/bot/v1/render", `{"text":"x"}`).want(t, 400, "unknown_field")
	c.do("POST", "/bot/v1/render", encode(map[string]any{"markdown": strings.Repeat("x", 1<<20)})).want(t, 413, "body_too_large")
}
