package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/model/fakemodel"
)

// killedScript has an answer that stands still in the middle, and what is said after it.
const killedScript = `
call 0 c1 merge_pr {"prUrl":"https://github.com/acme/lighthouse/pull/7","method":"squash"}
usage prompt=10 completion=4
finish tool_calls
done
---
delta "One, two"
delta ", three"
stall
---
delta "One, two, three, "
delta "four."
usage prompt=10 completion=4
finish stop
done
---
delta "It is merged."
usage prompt=10 completion=4
finish stop
done
---
delta "And five."
usage prompt=10 completion=4
finish stop
done
`

// "A reconnect after the server is killed", in the middle of an answer and with a call that
// waits for a person: the tabs go on by index, have each event once, and what they do next
// is done once.
func TestReconnect_AfterTheHostWasKilled(t *testing.T) {
	t.Parallel()
	provider, url := fakemodel.Run(t, killedScript)
	h := prepare(t, "../projects/pr-reviewer", "--dev", "--model", "fake/counter")
	h.env = []string{"BDK_PROVIDER_FAKE_URL=" + url, "BDK_PROVIDER_FAKE_KEY=k"}
	h.start()
	waits, chat, raw := newTab(t), newTab(t), newTab(t)
	waits.open(h.page("chat"))
	waits.says("merge 7")
	waits.until(ready)
	chat.open(h.page("chat"))
	chat.says("count")
	chat.sees("One, two, three")
	id := chat.session()
	raw.open(h.page("raw/" + id))
	raw.until(`document.body.innerText.includes("message.appended")`)
	tabs := []*tab{waits, chat, raw}
	for _, b := range tabs {
		b.expect(`ERR_|/v1/.* was answered 503`)
	}
	h.kill()
	for _, b := range tabs {
		b.sees("connecting again")
	}
	h.start()
	chat.sees("One, two, three, four.")
	for _, b := range tabs {
		b.until(`!document.body.innerText.includes("connecting again")`)
	}
	lines := h.read(id, func(line string) bool { return typeOf(t, line) == "session.waiting" })
	raw.holdsEach(len(lines))
	chat.holdsOnce("four.")
	waits.mergesOnce(h)
	chat.says("and?")
	chat.sees("And five.")
	chat.holdsOnce("four.")
	if n := len(provider.Requests()); n < 5 {
		t.Errorf("the provider was asked %d times", n)
	}
}

// holdsEach holds where the raw view has each of n events once, in order.
func (b *tab) holdsEach(n int) {
	b.t.Helper()
	b.until(`document.body.innerText.includes(%s)`, fmt.Sprintf("%d events", n))
	shown := value[[]int](b, `[...document.querySelectorAll(".event-index")].map((el) => Number(el.textContent))`)
	want := make([]int, n)
	for i := range want {
		want[i] = i
	}
	if !slices.Equal(shown, want) {
		b.t.Errorf("the raw view shows %v, want each of %d once and in order", shown, n)
	}
}

// holdsOnce holds where the conversation has a text once.
func (b *tab) holdsOnce(text string) {
	b.t.Helper()
	if n := value[int](b, `document.querySelector(".transcript").innerText.split(%s).length - 1`, text); n != 1 {
		b.t.Errorf("the chat shows %q %d times", text, n)
	}
}

// mergesOnce approves the call that waits, which is then made once.
func (b *tab) mergesOnce(h *host) {
	b.t.Helper()
	b.until(ready)
	b.click("Approve")
	b.sees("It is merged.")
	b.holdsOnce("merge 7")
	log := h.read(b.session(), func(line string) bool { return typeOf(b.t, line) == "session.waiting" })
	made := slices.DeleteFunc(log, func(line string) bool { return typeOf(b.t, line) != "action.result" })
	if len(made) != 1 || !strings.Contains(made[0], `"merged":true`) || strings.Contains(made[0], "already") {
		b.t.Errorf("the call was made %d times: %s", len(made), made)
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
