package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/projections"
)

// tagInput is what the tool tag takes.
type tagInput struct {
	Kind        string          `json:"kind,omitempty"`
	Key         string          `json:"key,omitempty"`
	Title       string          `json:"title,omitempty"`
	Data        json.RawMessage `json:"data,omitempty"`
	Contents    *string         `json:"contents,omitempty"`
	ContentType string          `json:"contentType,omitempty"`
	FileName    string          `json:"fileName,omitempty"`
}

func (in *tagInput) artifact() agent.TagArtifact {
	a := agent.TagArtifact{Kind: in.Kind, Key: in.Key, Title: in.Title, Data: in.Data, ContentType: in.ContentType, FileName: in.FileName}
	if in.Contents != nil {
		a.Contents = []byte(*in.Contents)
	}
	return a
}

// A gallery is a house whose agent tags: what "tag" was given, and "late" what it
// tags when its call is over.
type gallery struct {
	*house
	late chan error
}

func newGallery(t *testing.T, rules *agent.ArtifactRules) *gallery {
	t.Helper()
	g := &gallery{late: make(chan error, 1)}
	tag := func(ctx context.Context, in tagInput, c *agent.Call) (events.Artifact, error) {
		return c.Artifacts.Tag(ctx, in.artifact())
	}
	g.house = newHouse(t, actors.Options{Agents: []*agent.Agent{{Artifacts: rules, Tools: []*agent.Tool{
		newTool(t, "tag", tag, nil), newTool(t, "late", g.tagLate, nil),
	}}}})
	return g
}

// tagLate begins, and tags when its call is over, whatever it was told.
func (g *gallery) tagLate(ctx context.Context, in tagInput, c *agent.Call) (string, error) {
	g.started <- c.ID
	<-ctx.Done()
	_, err := c.Artifacts.Tag(context.WithoutCancel(ctx), in.artifact())
	g.late <- err
	return "", ctx.Err()
}

// tag lets the tool tag in a session, by a person: in none where the id is empty.
func (g *gallery) tag(session string, who events.Principal, in string) (events.Artifact, agent.Result) {
	g.t.Helper()
	a, err := g.host.CallTool(g.t.Context(), actors.ToolCall{Agent: "tester", Name: "tag", SessionID: session, Principal: who, Input: json.RawMessage(in)})
	if err != nil {
		g.t.Fatal(err)
	}
	var rec events.Artifact
	if !a.Result.IsError {
		if err := json.Unmarshal(a.Result.Output, &rec); err != nil {
			g.t.Fatal(err)
		}
	}
	return rec, a.Result
}

func (g *gallery) tagged(id string) (list []*events.Event) {
	g.t.Helper()
	for _, e := range g.log(id) {
		if e.Type == "artifact.tagged" {
			list = append(list, e)
		}
	}
	return list
}

// "tag(…) → record"; "artifact.tagged: artifact (the record)"; the event belongs to
// the turn of the call.
func TestArtifacts_InATurn(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	a := g.start(`/call tag {"kind":"report","key":"july","title":"July","data":{ "n" : 12345678901234567890 },"contents":"hello","contentType":"text/plain","fileName":"july.txt"}`)
	g.rest(a.SessionID, "waiting")
	g.expect(a.SessionID, "session.started", `message.received "/call tag {\"kind\":\"report\",\"key\":\"july\",\"title\":\"July\",\"data\":{ \"n\" : 12345678901234567890 },\"contents\":\"hello\",\"contentType\":\"text/plain\",\"fileName\":\"july.txt\"}"`,
		"turn.started", "step.started 1.1", `message.completed "" tool-calls`, "step.completed",
		`actions.requested tag{"kind":"report","key":"july","title":"July","data":{"n":12345678901234567890},"contents":"hello","contentType":"text/plain","fileName":"july.txt"}`,
		"artifact.tagged", "action.result tag "+string(g.until(a.SessionID, "action.result").Data.(*events.ActionResult).Output)+" ",
		"step.started 2.1", g.storyLine(a.SessionID, 10), "step.completed", "turn.completed", "session.waiting")
	e := g.tagged(a.SessionID)[0]
	rec := e.Data.(*events.ArtifactTagged).Artifact
	size := int64(5)
	want := events.Artifact{ID: rec.ID, Kind: "report", Key: "july", Title: "July", Data: json.RawMessage(`{"n":12345678901234567890}`), SessionID: a.SessionID, TurnID: a.TurnID,
		CreatedAt: e.At, UpdatedAt: e.At, Size: &size, ContentType: "text/plain", FileName: "july.txt", HasContent: true,
		SHA256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}
	if !reflect.DeepEqual(rec, want) || e.TurnID != a.TurnID || !strings.HasPrefix(rec.ID, "art_") || len(rec.ID) != 30 {
		t.Errorf("the record is\n%+v, want\n%+v", rec, want)
	}
	var got events.Artifact
	if err := json.Unmarshal(g.until(a.SessionID, "action.result").Data.(*events.ActionResult).Output, &got); err != nil || !reflect.DeepEqual(got, rec) {
		t.Errorf("the tool was given\n%+v, %v", got, err)
	}
	if text := g.contents(&rec); text != "hello" {
		t.Errorf("the contents are %q", text)
	}
}

// storyLine gives the n-th line of the log in short.
func (h *house) storyLine(id string, n int) string {
	h.t.Helper()
	lines := strings.Split(h.story(id), "\n")
	return lines[min(n, len(lines)-1)]
}

func (g *gallery) contents(a *events.Artifact) string {
	g.t.Helper()
	r, err := g.host.OpenContents(g.t.Context(), a)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	b, err := io.ReadAll(r)
	if err != nil {
		g.t.Fatal(err)
	}
	return string(b)
}

// "(kind, key) is unique per owner: tagging again updates the record and keeps its
// `id`", over sessions and restarts; what is not given anew stays.
func TestArtifacts_TaggedAgain(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	one, two := g.start("hello").SessionID, g.start("hello").SessionID
	first, _ := g.tag(one, local, `{"key":"k","data":[1],"contents":"one","contentType":"text/csv","fileName":"a.csv"}`)
	if first.Kind != "artifact" || first.Title != "k" || first.CreatedAt != first.UpdatedAt {
		t.Errorf("the defaults are %+v", first)
	}
	g.restart()
	second, _ := g.tag(two, local, `{"key":"k","title":"New","fileName":"b.csv"}`)
	want := first
	want.Title, want.FileName, want.SessionID, want.UpdatedAt = "New", "b.csv", two, second.UpdatedAt
	if !reflect.DeepEqual(second, want) || second.UpdatedAt.Before(first.UpdatedAt) {
		t.Errorf("tagged again it is\n%+v, want\n%+v", second, want)
	}
	third, _ := g.tag(two, local, `{"key":"k","data":null,"contents":""}`)
	if third.ID != first.ID || string(third.Data) != "null" || !third.HasContent || *third.Size != 0 || third.CreatedAt != first.CreatedAt || third.Title != "New" {
		t.Errorf("emptied it is %+v", third)
	}
	if g.contents(&first) != "one" || g.contents(&third) != "" {
		t.Error("contents are those of their record")
	}
	other, _ := g.tag(two, local, `{"kind":"x","key":"k"}`)
	foreign := g.startWith(actors.NewSession{Agent: "tester", Principal: events.Principal{Kind: "jwt", ID: "local"}, Message: "hello"}).SessionID
	theirs, _ := g.tag(foreign, local, `{"key":"k"}`)
	if other.ID == first.ID || theirs.ID == first.ID || theirs.HasContent || string(theirs.Data) != "null" {
		t.Errorf("another kind is %+v, another owner's is %+v", other, theirs)
	}
}

// Records of one artifact rest on each other, however many tag it at a time.
func TestArtifacts_ManyAtOnce(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	sessions := []string{g.start("hello").SessionID, g.start("hello").SessionID, g.start("hello").SessionID}
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			field := []string{"title", "fileName"}[i%2]
			if _, res := g.tag(sessions[i%3], local, fmt.Sprintf(`{"key":"k",%q:"%d"}`, field, i)); res.IsError {
				t.Error(string(res.Output))
			}
		})
	}
	all.Wait()
	last, _ := g.tag(sessions[0], local, `{"key":"k"}`)
	n, newest := 0, map[string]events.Artifact{}
	for _, id := range sessions {
		for _, e := range g.tagged(id) {
			rec := e.Data.(*events.ArtifactTagged).Artifact
			n++
			newest[rec.Title+"/"+rec.FileName] = rec
			if rec.ID != last.ID || rec.CreatedAt != last.CreatedAt {
				t.Errorf("a record is %+v, the last one %+v", rec, last)
			}
		}
	}
	if n != 31 || len(newest) < 30 || last.FileName == "" || last.Title == "k" {
		t.Errorf("%d records, %d of them different, the last one is %+v", n, len(newest), last)
	}
}

// "With kinds declared another kind is an error"; "the schema's parsed value is stored".
func TestArtifacts_Rules(t *testing.T) {
	t.Parallel()
	parse := func(_ context.Context, data json.RawMessage) (json.RawMessage, error) {
		var in struct{ Score *int }
		if err := json.Unmarshal(data, &in); err != nil || in.Score == nil {
			return nil, &agent.InputError{Issues: []agent.Issue{{Path: "score", Message: "must be a number"}, {Message: "does not fit"}}}
		}
		return json.RawMessage(fmt.Sprintf(`{ "score": %d, "parsed": true }`, *in.Score)), nil
	}
	g := newGallery(t, &agent.ArtifactRules{Max: 7, Kinds: map[string]agent.ArtifactKind{"verdict": {Parse: parse}, "book": {}}})
	id := g.start("hello").SessionID
	rec, _ := g.tag(id, local, `{"kind":"verdict","key":"a","data":{"score":3,"more":1}}`)
	if string(rec.Data) != `{"score":3,"parsed":true}` {
		t.Errorf("stored is %s", rec.Data)
	}
	if d := g.tagged(id)[0].Data.(*events.ArtifactTagged); d.Max != 7 {
		t.Errorf("the event says a bound of %d", d.Max)
	}
	if again, _ := g.tag(id, local, `{"kind":"verdict","key":"a","title":"T"}`); string(again.Data) != string(rec.Data) {
		t.Errorf("without new data it is %s", again.Data)
	}
	for in, want := range map[string]string{
		`{"kind":"paper","key":"a"}`:             `there is no kind "paper"; there are: book, verdict`,
		`{"key":"a"}`:                            `there is no kind "artifact"; there are: book, verdict`,
		`{"kind":"verdict","key":"b"}`:           `data: is required: the kind "verdict" has a schema`,
		`{"kind":"verdict","key":"b","data":{}}`: `invalid input: data.score: must be a number; data: does not fit`,
	} {
		if _, res := g.tag(id, local, in); !res.IsError || res.Code != events.CodeInvalidInput || !strings.Contains(unquoted(res.Output), want) {
			t.Errorf("%s gives %s, want %q", in, res.Output, want)
		}
	}
	if n := len(g.tagged(id)); n != 2 {
		t.Errorf("%d artifacts were recorded", n)
	}
}

func unquoted(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

// What does not fit is refused with its place, all at once, and nothing is recorded.
func TestArtifacts_Bounds(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	id := g.start("hello").SessionID
	big := strings.Repeat("x", 1<<20)
	for _, tc := range []struct {
		in   tagInput
		want string
	}{
		{tagInput{}, "key: is required"},
		{tagInput{Key: strings.Repeat("k", 513)}, "key: has 513 bytes"},
		{tagInput{Key: "a\nb"}, "key: has a control character"},
		{tagInput{Key: "k", Kind: strings.Repeat("k", 129), ContentType: "text"}, "kind: has 129 bytes, at most 128 are allowed; contentType: is no media type"},
		{tagInput{Key: "k", Title: strings.Repeat("ü", 501)}, "title: has 501 characters"},
		{tagInput{Key: "k", FileName: strings.Repeat("n", 256)}, "fileName: has 256 bytes"},
		{tagInput{Key: "k", ContentType: "text/plain\r\nX: y"}, "contentType: is no media type"},
		{tagInput{Key: "k", Data: json.RawMessage(`"` + big + `"`)}, "data: has 1048578 bytes"},
	} {
		in, err := json.Marshal(tc.in)
		if err != nil {
			t.Fatal(err)
		}
		if _, res := g.tag(id, local, string(in)); res.Code != events.CodeInvalidInput || !strings.Contains(unquoted(res.Output), tc.want) {
			t.Errorf("%.60s gives %.200s, want %q", in, res.Output, tc.want)
		}
	}
	for _, in := range []string{`{"key":"` + strings.Repeat("k", 512) + `"}`, `{"key":"x","fileName":"a\"; filename=evil.html"}`, `{"key":"y","fileName":"x\r\nSet-Cookie: a=b"}`} {
		if _, res := g.tag(id, local, in); res.IsError {
			t.Errorf("%.60s gives %s", in, res.Output)
		}
	}
	if n := len(g.tagged(id)); n != 3 {
		t.Errorf("%d artifacts were recorded", n)
	}
}

// A call that was cancelled tags nothing more.
func TestArtifacts_LateTag(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	a := g.start(`/call late {"key":"k"}`)
	<-g.started
	if _, err := g.host.Stop(t.Context(), a.SessionID); err != nil {
		t.Fatal(err)
	}
	if err := <-g.late; !errors.Is(err, actors.ErrCallEnded) {
		t.Errorf("after a stop: %v", err)
	}
	g.rest(a.SessionID, "waiting")
	if list := g.tagged(a.SessionID); len(list) != 0 {
		t.Errorf("recorded were %d artifacts", len(list))
	}
}

// "turnId is on every event that belongs to a turn …; nor what a direct call …
// records"; "what is tagged outside a session belongs to the agent ({kind:"app"})".
func TestArtifacts_DirectCalls(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	id := g.start("hello").SessionID
	bound, _ := g.tag(id, local, `{"key":"k"}`)
	if e := g.tagged(id)[0]; e.TurnID != "" || bound.TurnID != "" || bound.SessionID != id {
		t.Errorf("bound it is %+v in turn %q", bound, e.TurnID)
	}
	unbound, _ := g.tag("", local, `{"key":"k","contents":"free"}`)
	evs := g.log("agt_tester")
	if len(evs) != 3 || evs[0].Type != "tool.called" || evs[1].Type != "artifact.tagged" || evs[2].Type != "tool.result" {
		t.Fatalf("the agent's log has %d events", len(evs))
	}
	rec := evs[1].Data.(*events.ArtifactTagged).Artifact
	if !reflect.DeepEqual(rec, unbound) || rec.SessionID != "agt_tester" || rec.ID == bound.ID || rec.UpdatedAt != evs[1].At {
		t.Errorf("unbound it is %+v", rec)
	}
	g.restart()
	again, _ := g.tag("", events.Principal{Kind: "jwt", ID: "x"}, `{"key":"k"}`)
	if again.ID != unbound.ID || again.CreatedAt != unbound.CreatedAt || g.contents(&again) != "free" {
		t.Errorf("again it is %+v", again)
	}
}

// "Dry run: read tools run": what they tag is kept. tag_artifact is a write of the
// model's and is stubbed.
func TestArtifacts_DryRun(t *testing.T) {
	t.Parallel()
	g := newGallery(t, &agent.ArtifactRules{AgentTool: true})
	a := g.startWith(actors.NewSession{Agent: "tester", Principal: local, DryRun: true, Message: `/call tag {"key":"k"}`})
	g.rest(a.SessionID, "waiting")
	if _, err := g.host.Send(t.Context(), a.SessionID, actors.Message{Text: `/call tag_artifact {"key":"m"}`}); err != nil {
		t.Fatal(err)
	}
	g.rest(a.SessionID, "waiting")
	var last *events.ActionResult
	for _, e := range g.log(a.SessionID) {
		if d, ok := e.Data.(*events.ActionResult); ok {
			last = d
		}
	}
	if list := g.tagged(a.SessionID); len(list) != 1 || !last.Stubbed || string(last.Output) != `{"stubbed":true}` {
		t.Errorf("%d artifacts, the last result is %+v", len(list), last)
	}
}

// lateViews are views that begin after the host whose list they are.
type lateViews struct{ *projections.Views }

// A list shows what was tagged before it.
func TestArtifacts_List(t *testing.T) {
	t.Parallel()
	views := &lateViews{}
	list := func(ctx context.Context, in agent.ListArtifacts, c *agent.Call) ([]string, error) {
		for _, key := range []string{"a", "b"} {
			if _, err := c.Artifacts.Tag(ctx, agent.TagArtifact{Kind: "made", Key: key + c.ID}); err != nil {
				return nil, err
			}
		}
		got, err := c.Artifacts.List(ctx, in)
		var out []string
		for _, a := range got {
			out = append(out, strings.TrimSuffix(a.Key, c.ID))
		}
		return out, err
	}
	h := newHouse(t, actors.Options{Views: views, Agents: []*agent.Agent{{Tools: []*agent.Tool{newTool(t, "list", list, nil)}}}})
	var err error
	if views.Views, err = projections.Start(t.Context(), &projections.Options{Journal: h.journal}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := views.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	id := h.start("hello").SessionID
	for in, want := range map[string]string{
		`{"Kind":"","SessionID":"","Limit":2}`:               `["b","a"]`,
		`{"Kind":"","SessionID":"` + id + `","Limit":1}`:     `["b"]`,
		`{"Kind":"none","SessionID":"","Limit":0}`:           `null`,
		`{"Kind":"made","SessionID":"ses_other","Limit":10}`: `null`,
		`{"Kind":"","SessionID":"","Limit":1001}`:            `"invalid input: limit: must be from 1 to 1000"`,
	} {
		a, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "list", SessionID: id, Principal: local, Input: json.RawMessage(in)})
		if err != nil || string(a.Result.Output) != want {
			t.Errorf("%s gives %s, %v, want %s", in, a.Result.Output, err, want)
		}
	}
}

func TestArtifacts_ListWithoutViews(t *testing.T) {
	t.Parallel()
	list := func(ctx context.Context, _ map[string]any, c *agent.Call) ([]events.Artifact, error) {
		return c.Artifacts.List(ctx, agent.ListArtifacts{})
	}
	h := newHouse(t, actors.Options{Agents: []*agent.Agent{{Tools: []*agent.Tool{newTool(t, "list", list, nil)}}}})
	a, err := h.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "list", Principal: local})
	if err != nil || unquoted(a.Result.Output) != "artifacts cannot be listed: this host runs without views" {
		t.Errorf("%s, %v", a.Result.Output, err)
	}
}

// A turn that runs on while the host drains tags what it has made.
func TestArtifacts_WhileDraining(t *testing.T) {
	t.Parallel()
	h := newHouse(t, actors.Options{})
	started, goOn := make(chan string, 1), make(chan struct{})
	slow := func(ctx context.Context, _ map[string]any, c *agent.Call) (string, error) {
		started <- c.ID
		<-goOn
		rec, err := c.Artifacts.Tag(ctx, agent.TagArtifact{Key: "k"})
		return rec.ID, err
	}
	h.close()
	h.opts.Agents = []*agent.Agent{{Tools: []*agent.Tool{newTool(t, "drained", slow, nil)}}}
	h.open()
	a := h.start("/call drained {}")
	<-started
	h.host.Drain()
	close(goOn)
	h.until(a.SessionID, "artifact.tagged")
	h.rest(a.SessionID, "waiting")
}

func TestOpenContents_None(t *testing.T) {
	t.Parallel()
	g := newGallery(t, nil)
	rec, _ := g.tag("", local, `{"key":"k"}`)
	if _, err := g.host.OpenContents(t.Context(), &rec); !errors.Is(err, actors.ErrNoContents) || rec.HasContent || rec.Size != nil {
		t.Errorf("%+v: %v", rec, err)
	}
	size := int64(3)
	rec.HasContent, rec.SHA256, rec.Size = true, strings.Repeat("0", 64), &size
	if _, err := g.host.OpenContents(t.Context(), &rec); err == nil || !strings.Contains(err.Error(), "are lost") {
		t.Errorf("contents that are not there: %v", err)
	}
}
