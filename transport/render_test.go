package transport

import (
	"context"
	"strings"
	"testing"
	"time"
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

// Texts that are slow to read leave a processor to others: the next one waits for its
// turn, and gives it up when its caller goes away.
func TestRender_WaitsForItsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.handler(nil)
	c := w.serveHandler(h)
	for range rendersAtOnce {
		h.renders <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := c.abandon(ctx, "/bot/v1/render", `{"markdown":"a"}`); err == nil {
		t.Error("it was read while as many as may be were read")
	}
	c.do("GET", "/bot/v1/info", "").want(t, 200, "")
	answered := make(chan error, 1)
	go func() { answered <- c.abandon(t.Context(), "/bot/v1/render", `{"markdown":"b"}`) }()
	<-h.renders
	if err := <-answered; err != nil {
		t.Errorf("its turn came: %v", err)
	}
}
