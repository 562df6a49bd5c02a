package browser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/events"
)

// forge writes a session whose log has these events, all of two turns, as somebody who can
// write to the disk or a host of another version would. The host is down.
func (h *host) forge(all []events.Payload) string {
	h.t.Helper()
	at := time.Now().Add(-time.Hour)
	var log []events.Event
	turn := 0
	for i, p := range all {
		e := events.Event{Type: p.EventType(), At: at.Add(time.Duration(i) * time.Second), Data: p}
		if e.Type == "message.received" {
			turn++
		}
		if turn > 0 {
			e.TurnID = fmt.Sprintf("turn_%026d", turn)
		}
		log = append(log, e)
	}
	return h.remember(past{like: log})[0]
}

// everything is a session with an event of every kind that people see.
func everything() []events.Payload {
	use := &events.Usage{InputTokens: 1000, CacheReadTokens: 100, OutputTokens: 100}
	cost := &events.Cost{TotalUSD: 0.5, Model: "x"}
	size := int64(9)
	return []events.Payload{
		&events.SessionStarted{Agent: "mirror", ChannelID: "http", Mode: "chat", Purpose: "live", Principal: events.Principal{Kind: "local", ID: "local", Issuer: "x", Tenant: "x"}, Title: "x", ForkedFrom: nil},
		&events.MessageReceived{Text: "x", From: "x"},
		&events.TurnStarted{Model: "x"},
		&events.StepStarted{Step: 1, Attempt: 1, Model: "x"},
		&events.ReasoningCompleted{Text: "x"},
		&events.MessageCompleted{Text: "x", FinishReason: "x"},
		&events.ActionsRequested{Calls: []events.Call{{CallID: "call_a", ToolName: "x", Args: events.RawJSON(`1`), Effect: "x"}, {CallID: "call_b", ToolName: "x", Args: events.RawJSON(`1`), Effect: "write"}}},
		&events.StepCompleted{Step: 1, Attempt: 1, FinishReason: "x", Usage: use, Provider: &events.Provider{Name: "x", Model: "x"}},
		&events.SubagentCalled{CallID: "call_a", Name: "x", Task: "x"},
		&events.StepStarted{Step: 1, Attempt: 1, Model: "x", ParentCallID: "call_a"},
		&events.MessageCompleted{Text: "x", FinishReason: "x", ParentCallID: "call_a"},
		&events.SubagentCompleted{CallID: "call_a", Name: "x", Output: events.RawJSON(`1`), IsError: true, Code: "x", Usage: use},
		&events.ActionResult{CallID: "call_a", ToolName: "x", Output: events.RawJSON(`1`)},
		&events.ActionResult{CallID: "call_b", ToolName: "x", Output: events.RawJSON(`1`), IsError: true, Code: "x"},
		&events.SkillLoaded{Name: "x"},
		&events.ArtifactTagged{Artifact: events.Artifact{ID: "art_00000000000000000000000000", Kind: "x", Key: "x", Title: "x", Data: events.RawJSON(`1`), Size: &size, ContentType: "x", FileName: "x"}},
		&events.AuthorizationRequested{Connection: "x", URL: "javascript:window.__xss=1"},
		&events.AuthorizationRequested{Connection: "x", URL: "https://["},
		&events.AuthorizationRequested{Connection: "x", URL: "https://trusted.example@attacker.example/x"},
		&events.AuthorizationCompleted{Connection: "x", Outcome: "x"},
		&events.ContextCompacted{Summary: "x", TokensBefore: 9, TokensAfter: 1, Model: "x"},
		&events.ReminderSet{ReminderID: "rem_x", Key: "x", Cron: "x", TimeZone: "x", Message: "x"},
		&events.TurnResumed{Reason: "x", Attempt: 1},
		&events.StepStarted{Step: 2, Attempt: 2, Model: "x", Repair: "x"},
		&events.TurnFailed{Message: "x", Status: "error", Code: "x", Usage: use, Cost: cost},
		&events.SessionUpdated{Title: "x"},
		&events.MessageReceived{Text: "x", From: "peer", Askers: []string{"x"}},
		&events.TurnStarted{Model: "x"},
		&events.StepStarted{Step: 1, Attempt: 1},
		&events.ActionsRequested{Calls: []events.Call{{CallID: "call_c", ToolName: "x", Args: events.RawJSON(`1`), Effect: "write"}}},
		&events.InputRequested{RequestID: "req_c", Kind: "approval", CallID: "call_c", ToolName: "x", Args: events.RawJSON(`1`)},
	}
}

// spoil puts a text into every field that may hold one: a text that was "x", or JSON that
// was 1.
func spoil(t *testing.T, all []events.Payload, text string) []events.Payload {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"text": text, text: []string{text}})
	if err != nil {
		t.Fatal(err)
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(v.Elem())
		case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case v.Type() == reflect.TypeFor[events.RawJSON]():
			if string(v.Bytes()) == "1" {
				v.SetBytes(raw)
			}
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case v.Kind() == reflect.String && v.String() == "x":
			v.SetString(text)
		}
	}
	for _, p := range all {
		walk(reflect.ValueOf(p))
	}
	return all
}

// S18: "Model text, tool output, titles, file names, log lines rendered as text", and so is
// everything else that a log has: names of models, tools, skills, connections and channels,
// reasons, codes. Nor is any of it the name of something in the page.
func TestCorpus_InEveryFieldOfALog(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	var ids []string
	for _, text := range []string{strings.Join(hostile, "\n\n") + turned, hostile[0] + turned, "__proto__"} {
		ids = append(ids, h.forge(spoil(t, everything(), text)))
	}
	h.start()
	b := newTab(t)
	for _, id := range ids {
		for _, view := range []string{"chat", "trace", "raw"} {
			b.open("about:blank")
			b.open(h.page(view + "/" + id))
			b.until(`document.querySelector(".line, .tr, .event")`)
			b.through(func() {
				b.unfoldAll()
				b.harmless(view)
				b.turnsNothing(view)
			})
		}
	}
	for _, view := range []string{"chat", "runs", "artifacts", "costs", "schedules", "agent", "trace", "raw"} {
		b.open(h.page(view))
		b.until(`document.querySelector("main").innerText.length > 10`)
		b.settle()
		b.harmless(view)
		b.turnsNothing(view)
	}
}

// through looks at a list of rows from its end to its beginning.
func (b *tab) through(look func()) {
	b.t.Helper()
	for n := 3; n >= 0; n-- {
		b.settle()
		look()
		value[bool](b, `(() => { const l = document.querySelector(".windowed, .list"); l.scrollTop = (l.scrollHeight * %s) / 3; return true; })()`, max(0, n-1))
	}
}

// unfoldAll opens everything that the view has closed, and each row of a trace.
func (b *tab) unfoldAll() {
	b.t.Helper()
	const press = `(async () => {
		const wait = () => new Promise((done) => setTimeout(done, 60));
		for (const el of document.querySelectorAll("main .fold[aria-expanded=false]")) { el.click(); await wait(); }
		for (const el of [...document.querySelectorAll("main .tr")].slice(0, 20)) { el.click(); await wait(); }
		for (const el of [...document.querySelectorAll("main .event:not(.open) .event-line")].slice(0, 12)) { el.click(); await wait(); }
		for (const word of ["Cost", "State"]) { [...document.querySelectorAll("main button")].find((x) => x.innerText === word && document.querySelector(".scrubber"))?.click(); await wait(); }
		return true;
	})()`
	value[bool](b, press)
	b.settle()
}

// turnsNothing holds where no text can turn the one around it: S20 "bidi/zero-width
// characters are made visible".
func (b *tab) turnsNothing(view string) {
	b.t.Helper()
	const all = `[["document.title", document.title], ...[...document.querySelectorAll("body *")].flatMap((el) => [[el.tagName + "." + el.className, [...el.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join("")], ...[...el.attributes].filter((a) => !/^(id|aria-activedescendant|value)$/.test(a.name)).map((a) => [el.tagName + "." + el.className + " " + a.name, a.value])])].filter(([, s]) => /[\u202a-\u202e\u2066-\u2069]/.test(s)).map(([where, s]) => where + ": " + s.slice(-60))`
	for _, found := range slices.Compact(value[[]string](b, all)) {
		b.t.Errorf("%s: a character turns the text around it in %s", view, found)
	}
}

// What is large is few elements, and the page goes on: an output of 5 MB, one line of 1 MB, a
// message of 10,000 links, a table of 3,000 columns, on each view of their session.
func TestForged_LargeIsFewElements(t *testing.T) {
	t.Parallel()
	h := prepare(t, "testdata/mirror")
	lines, line := strings.Repeat("a line of the output\n", 5<<20/21), strings.Repeat("x", 1<<20)
	// Paragraphs of what the host still takes apart.
	links := strings.Repeat(strings.Repeat("http://b.c ", 500)+"\n\n", 20)
	table := strings.Repeat("|a", 3000) + "|\n" + strings.Repeat("|-", 3000) + "|\n"
	list := strings.Repeat(strings.Repeat("- *a*\n", 500)+"\n---\n\n", 20)
	quoted := func(s string) events.RawJSON {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	all := []events.Payload{&events.SessionStarted{Agent: "mirror", ChannelID: "http", Mode: "chat", Purpose: "live", Principal: events.Principal{Kind: "local", ID: "local"}, Title: "Large"}}
	for _, text := range []string{links, table, table, table, list, line, strings.Repeat(strings.Repeat("`a` ", 2000)+"\n\n", 15)} {
		all = append(all,
			&events.MessageReceived{Text: text, From: "user"}, &events.TurnStarted{Model: "m"}, &events.StepStarted{Step: 1, Attempt: 1, Model: "m"},
			&events.MessageCompleted{Text: text, FinishReason: "stop"}, &events.StepCompleted{Step: 1, Attempt: 1, FinishReason: "stop"}, &events.TurnCompleted{})
	}
	all = append(all, &events.MessageReceived{Text: "go", From: "user"}, &events.TurnStarted{Model: "m"}, &events.StepStarted{Step: 1, Attempt: 1, Model: "m"}, &events.ReasoningCompleted{Text: line},
		&events.ActionsRequested{Calls: []events.Call{{CallID: "call_a", ToolName: "big", Args: quoted(line), Effect: "read"}, {CallID: "call_b", ToolName: "line", Args: quoted("x"), Effect: "read"}}}, &events.StepCompleted{Step: 1, Attempt: 1},
		&events.ActionResult{CallID: "call_a", ToolName: "big", Output: quoted(lines)}, &events.ActionResult{CallID: "call_b", ToolName: "line", Output: quoted(line), IsError: true, Code: "tool_error"},
		&events.TurnFailed{Message: line, Status: "error", Code: "model_error"}, &events.SessionWaiting{})
	id := h.forge(all)
	h.start()
	for _, view := range []string{"chat", "trace", "raw"} {
		t.Run(view, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.open(h.page(view + "/" + id))
			b.until(`document.querySelector(".line, .tr, .event")`)
			b.through(func() {
				b.few(view)
				b.unfoldAll()
				b.few(view)
			})
		})
	}
}
