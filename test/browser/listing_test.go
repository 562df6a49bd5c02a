package browser

import (
	"testing"
)

func TestListing_Look(t *testing.T) {
	h := quay(t)
	h.talk("survey A")
	h.talk("remind me of the ferry in 2")
	h.file()
	h.talk("close C")
	h.remember(h.talk("hello"), season(40))
	h.ask("POST", "/v1/dev/schedules/rounds", map[string]any{})
	b := newTab(t)
	for _, l := range []struct {
		width  int64
		scheme string
	}{{wide, "light"}, {phone, "dark"}} {
		b.look(l.width, l.scheme)
		for _, v := range []string{"runs", "runs/evals", "evals", "artifacts", "schedules", "agent", "costs", "logs"} {
			b.open("about:blank")
			b.open(h.page(v))
			b.until(`document.querySelector("main h1, main h2, main .empty")`)
			b.settle()
			b.hold(l.scheme + "-" + v[:min(4, len(v))] + v[max(0, len(v)-3):])
		}
		b.open(h.origin + "/")
		b.settle()
		b.hold(l.scheme + "-index")
	}
}
