package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/store"
)

// A desk gives events to a hook as a host would.
type desk struct {
	t     *testing.T
	hook  *agent.Hook
	files agent.Files
	call  agent.Call
	log   []*events.Event
}

func newDesk(t *testing.T, o *Options) *desk {
	t.Helper()
	files, err := store.NewFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, hook: Hook(o), files: files}
	d.call = agent.Call{
		Session: agent.Session{ID: "ses_1", ChannelID: "http", Purpose: events.PurposeLive, Title: "Tea", Auth: events.Principal{Kind: "local", ID: "ann"}},
		Files:   files,
		History: d.history,
	}
	return d
}

func (d *desk) history(from uint64) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for _, e := range d.log[from:] {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// record puts an event into the log; give hands it to the hook, too.
func (d *desk) record(turn string, p events.Payload) *agent.HookEvent {
	e := events.New(turn, time.Date(2026, 3, 4, 5, 6, 7, 8_000_000, time.UTC).Add(time.Duration(len(d.log))*time.Second), p)
	e.Index, e.SessionID = uint64(len(d.log)), d.call.Session.ID
	d.log = append(d.log, &e)
	return &agent.HookEvent{Event: &e}
}

func (d *desk) give(turn string, p events.Payload) error {
	e := d.record(turn, p)
	if fn := d.hook.On[e.Type]; fn != nil {
		return fn(d.t.Context(), e, &d.call)
	}
	return nil
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// turn is a whole turn.
func (d *desk) turn(id, text string, end events.Payload) {
	d.t.Helper()
	d.must(d.give(id, &events.MessageReceived{Text: text}))
	d.must(d.give(id, end))
}

func (d *desk) read(name string) string {
	d.t.Helper()
	b, err := d.files.Read(d.t.Context(), agent.FileScope{}, name)
	d.must(err)
	return string(b)
}

func (d *desk) list() []string {
	d.t.Helper()
	names, err := d.files.List(d.t.Context(), agent.FileScope{}, "")
	d.must(err)
	return names
}

func completed(result string) *events.TurnCompleted {
	return &events.TurnCompleted{Result: events.RawJSON(result), Usage: &events.Usage{InputTokens: 3, OutputTokens: 4}}
}

// authoring.md: "one JSON line per finished turn, appended to the deployment file
// memory/journal.jsonl (at, sessionId, channelId, status, title, userMessage, result, usage)".
func TestHook_OneLineForEachTurn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	if d.hook.Name != "memory" {
		t.Errorf("the hook is called %s", d.hook.Name)
	}
	d.turn("turn_1", "add <tea>", completed(`{"b":1.50,"a":"x"}`))
	d.turn("turn_2", "break", &events.TurnFailed{Message: "no model", Status: events.StatusError})
	d.call.Session.Title = ""
	d.turn("turn_3", "stop", &events.TurnFailed{Message: "stopped", Status: events.StatusCancelled, Usage: &events.Usage{InputTokens: 1}})
	want := `{"at":"2026-03-04T05:06:08.008Z","sessionId":"ses_1","channelId":"http","status":"completed","title":"Tea","userMessage":"add <tea>","result":{"b":1.50,"a":"x"},"usage":{"inputTokens":3,"cacheReadTokens":0,"cacheWriteTokens":0,"outputTokens":4}}
{"at":"2026-03-04T05:06:10.008Z","sessionId":"ses_1","channelId":"http","status":"failed","title":"Tea","userMessage":"break","result":"no model"}
{"at":"2026-03-04T05:06:12.008Z","sessionId":"ses_1","channelId":"http","status":"cancelled","userMessage":"stop","result":"stopped","usage":{"inputTokens":1,"cacheReadTokens":0,"cacheWriteTokens":0,"outputTokens":0}}
`
	if got := d.read("memory/journal.jsonl"); got != want {
		t.Errorf("the journal is\n%s\nexpected\n%s", got, want)
	}
}

// authoring.md: "not for eval sessions".
func TestHook_NotForEvals(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.call.Session.Purpose = events.PurposeEval
	d.turn("turn_1", "hello", completed(`"hi"`))
	if names := d.list(); len(names) > 0 {
		t.Errorf("there are %v", names)
	}
}

// authoring.md: "secrets redacted", in everything that a line holds.
func TestHook_RedactsSecrets(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &Options{Secrets: SecretsOf([]string{"CRM_API_KEY=canary-1", "SESSION_SECRET=canary\"2", "PATH=/bin"})})
	d.call.Session.Title = "About canary-1"
	d.turn("turn_1", "use canary-1 and Bearer canary-3.9", completed(`{"deep":["canary-1",{"password":"canary-4"}],"quoted":"canary\"2"}`))
	d.turn("turn_2", strings.Repeat("x", maxText-4)+"canary-1", &events.TurnFailed{Message: "401 for canary-1"})
	text := d.read("memory/journal.jsonl")
	if strings.Contains(text, "canary") || strings.Contains(text, `xcan`) || strings.Count(text, "[redacted]") < 7 {
		t.Errorf("the journal is\n%s", text)
	}
	for line := range strings.Lines(text) {
		var l Line
		d.must(json.Unmarshal([]byte(line), &l))
	}
}

// A turn that began before a restart has its message from the log.
func TestHook_ReadsTheMessageFromTheLog(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.record("turn_0", &events.MessageReceived{Text: "another"})
	d.record("turn_1", &events.MessageReceived{Text: "long ago"})
	for range 3000 {
		d.record("turn_1", &events.MessageAppended{Text: "x"})
	}
	d.must(d.give("turn_1", completed(`"done"`)))
	d.call.History = nil
	d.must(d.give("turn_2", completed(`"done"`)))
	text := d.read("memory/journal.jsonl")
	if !strings.Contains(text, `"userMessage":"long ago"`) || !strings.Contains(text, `"userMessage":""`) {
		t.Errorf("the journal is\n%s", text)
	}
}

// What is remembered is bounded; the rest comes from the log.
func TestHook_ManyOpenTurns(t *testing.T) {
	t.Parallel()
	var b lines
	d := newDesk(t, &Options{Backend: &b})
	for i := range maxAsked + 10 {
		d.must(d.give(fmt.Sprint("turn_", i), &events.MessageReceived{Text: fmt.Sprint("message ", i)}))
	}
	for i := range maxAsked + 10 {
		d.must(d.give(fmt.Sprint("turn_", i), completed(`1`)))
	}
	for i := range maxAsked + 10 {
		if !strings.Contains(b[i], fmt.Sprintf("\"message %d\"", i)) {
			t.Fatalf("line %d is %s", i, b[i])
		}
	}
}

// A long message, or result, is cut.
func TestHook_CutsWhatIsLong(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.turn("turn_1", strings.Repeat("é", maxText), completed(`["`+strings.Repeat("y", 2*maxText)+`"]`))
	d.turn("turn_2", "short", completed(`"`+strings.Repeat("z", 2*maxText)+`"`))
	var l Line
	first, second, _ := strings.Cut(d.read("memory/journal.jsonl"), "\n")
	d.must(json.Unmarshal([]byte(first), &l))
	if want := strings.Repeat("é", maxText/2) + fmt.Sprintf("… (%d more bytes)", maxText); l.UserMessage != want {
		t.Errorf("the message is %d bytes long", len(l.UserMessage))
	}
	if !strings.HasPrefix(string(l.Result), `"[\"yyy`) || len(l.Result) > maxText+100 {
		t.Errorf("the result is %d bytes long: %.20s", len(l.Result), l.Result)
	}
	d.must(json.Unmarshal([]byte(second), &l))
	if !strings.HasPrefix(string(l.Result), `"zzz`) || !strings.HasSuffix(string(l.Result), `more bytes)"`) {
		t.Errorf("the result is %.20s", l.Result)
	}
}

// authoring.md: "{backend} takes another store".
func TestHook_Backend(t *testing.T) {
	t.Parallel()
	var b lines
	d := newDesk(t, &Options{Backend: &b, PerPrincipal: true})
	d.turn("turn_1", "hello", completed(`"hi"`))
	if len(b) != 1 || !strings.HasPrefix(b[0], `{"at":`) || !strings.Contains(b[0], `"owner":"`+ownerOf(d.call.Session.Auth)+`"`) || strings.Contains(b[0], "\n") {
		t.Errorf("the backend has %q", b)
	}
	if names := d.list(); len(names) > 0 {
		t.Errorf("there are %v", names)
	}
}

type lines []string

func (l *lines) Append(_ context.Context, line []byte) error {
	*l = append(*l, string(line))
	return nil
}

// authoring.md: "{scope: "principal"} keeps one journal per owner".
func TestHook_PerPrincipal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &Options{PerPrincipal: true})
	people := []events.Principal{{Kind: "jwt", ID: "a:b"}, {Kind: "jwt:a", ID: "b"}, {Kind: "jwt", ID: "a:b", Issuer: "x"}}
	for i, p := range people {
		d.call.Session.Auth = p
		d.turn(fmt.Sprint("turn_", i), fmt.Sprint("hello from ", i), completed(`"hi"`))
	}
	if names := d.list(); len(names) != len(people) {
		t.Fatalf("there are %v", names)
	}
	for i, p := range people {
		if text := d.read(PrincipalDir(p) + "/journal.jsonl"); !strings.Contains(text, fmt.Sprint("hello from ", i)) || strings.Count(text, "\n") != 1 {
			t.Errorf("%v has\n%s", p, text)
		}
	}
}

// Sessions finish side by side.
func TestHook_ManyAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &Options{MaxBytes: 2000, Keep: 1000})
	var all sync.WaitGroup
	for i := range 8 {
		call := d.call
		call.Session.ID = fmt.Sprint("ses_", i)
		all.Go(func() {
			for n := range 20 {
				e := events.New(fmt.Sprintf("turn_%d_%d", i, n), time.UnixMilli(int64(1000*i+n)), completed(`1`))
				if err := d.hook.On[e.Type](t.Context(), &agent.HookEvent{Event: &e}, &call); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	total := 0
	for _, name := range d.list() {
		text := d.read(name)
		if len(text) > 2000 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		total += strings.Count(text, "\n")
	}
	if total != 160 {
		t.Errorf("the journals have %d lines", total)
	}
}

// authoring.md: "rotated at 10 MiB"; five earlier files are kept by default.
func TestHook_Rotates(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &Options{MaxBytes: 600})
	for i := range 40 {
		d.turn(fmt.Sprint("turn_", i), fmt.Sprint("message ", i), completed(`"ok"`))
	}
	names := d.list()
	if len(names) != 1+DefaultKeep {
		t.Fatalf("there are %v", names)
	}
	// In the order of their names, the newest last, they have the newest messages without a gap.
	slices.SortFunc(names, func(a, b string) int {
		return strings.Compare(strings.Replace(a, "journal.jsonl", "z", 1), strings.Replace(b, "journal.jsonl", "z", 1))
	})
	var got []string
	for _, name := range names {
		text := d.read(name)
		if len(text) > 600 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		for line := range strings.Lines(text) {
			var l Line
			d.must(json.Unmarshal([]byte(line), &l))
			got = append(got, l.UserMessage)
		}
	}
	var want []string
	for i := 40 - len(got); i < 40; i++ {
		want = append(want, fmt.Sprint("message ", i))
	}
	if !slices.Equal(got, want) || len(got) < 6 {
		t.Errorf("%v have %q", names, got)
	}
}

// A rotation that is cut off is done again, and nothing is twice or lost.
func TestHook_RotationCutOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &Options{MaxBytes: 300})
	d.turn("turn_1", "first", completed(`"ok"`))
	before := d.read("memory/journal.jsonl")
	d.must(putAside(t.Context(), d.files, Dir, []byte(before))) // … and then it stopped
	d.hook = Hook(&Options{MaxBytes: 300})
	d.turn("turn_2", "second", completed(`"ok"`))
	names := d.list()
	if len(names) != 2 || d.read(names[0]) != before || !strings.Contains(d.read("memory/journal.jsonl"), "second") {
		t.Errorf("there are %v", names)
	}
	if names[0] != "memory/journal-20260304T050608008Z.jsonl" {
		t.Errorf("the earlier file is %s", names[0])
	}
	// Another file of the same time is another file.
	d.must(putAside(t.Context(), d.files, Dir, []byte(before+before)))
	if names := d.list(); len(names) != 3 || names[0] != "memory/journal-20260304T050608008Z-2.jsonl" {
		t.Errorf("there are %v", names)
	}
}
