package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/gobdk/bdk/actors/model/fakemodel"
)

// "A reconnect after the server is killed": the page goes on by index, and has each
// event once.
func TestReconnect_AfterTheHostWasKilled(t *testing.T) {
	provider, url := fakemodel.Run(t, `
delta "One, two"
delta ", three"
stall
---
delta "One, two, three, "
delta "four."
usage prompt=10 completion=4
finish stop
done
`)
	h := prepare(t, "../projects/pr-reviewer", "--dev", "--model", "fake/counter")
	h.env = []string{"BDK_PROVIDER_FAKE_URL=" + url, "BDK_PROVIDER_FAKE_KEY=k"}
	h.start()
	chat, raw := newTab(t), newTab(t)
	chat.open(h.page("chat"))
	chat.write("Message", "count")
	chat.enter()
	chat.sees("One, two, three")
	id := value[string](chat, `location.hash.split("/").pop()`)
	raw.open(h.page("raw/" + id))
	raw.until(`document.body.innerText.includes("message.appended")`)
	for _, b := range []*tab{chat, raw} {
		b.expect(`ERR_|/v1/.* was answered 503`)
	}
	h.kill()
	chat.sees("connecting again")
	raw.sees("connecting again")
	h.start()
	chat.sees("One, two, three, four.")
	chat.until(`!document.body.innerText.includes("connecting again")`)
	lines := h.read(id, func(line string) bool { return typeOf(t, line) == "session.waiting" })
	raw.until(`document.body.innerText.includes(%s)`, fmt.Sprintf("%d events", len(lines)))
	shown := value[[]int](raw, `[...document.querySelectorAll(".event-index")].map((el) => Number(el.textContent))`)
	want := make([]int, len(lines))
	for i := range want {
		want[i] = i
	}
	if !slices.Equal(shown, want) {
		t.Errorf("the raw view shows %v, want each of %d once and in order", shown, len(lines))
	}
	if n := value[int](chat, `document.querySelector(".transcript").innerText.split("four.").length - 1`); n != 1 {
		t.Errorf("the chat shows the answer %d times", n)
	}
	if n := len(provider.Requests()); n < 2 {
		t.Errorf("the provider was asked %d times", n)
	}
}

func typeOf(t *testing.T, line string) string {
	t.Helper()
	var e struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	return e.Type
}
