package transport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// keysListed gives the keys of a list, or fails.
func (c *client) keysListed(query string) string {
	c.t.Helper()
	m := c.do("GET", "/bot/v1/artifacts"+query, "").want(c.t, 200, "")
	var keys []string
	for _, a := range m["artifacts"].([]any) {
		keys = append(keys, a.(map[string]any)["key"].(string))
	}
	return strings.Join(keys, " ")
}

// "GET /v1/artifacts: {ok, artifacts}, newest-updated first; kind, sessionId, limit
// (1–1,000, default 100)"; "the list follows the same ownership rules as GET /v1/sessions".
func TestArtifacts_List(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	dev := w.serve(func(o *Options) { o.Dev = true })
	mine, _ := c.started("mine")
	theirs := w.foreign("bot", "theirs")
	if got := c.do("GET", "/bot/v1/artifacts", "").body; got != `{"ok":true,"artifacts":[]}`+"\n" {
		t.Error(got)
	}
	w.tagged(mine, map[string]any{"key": "a"})
	w.tagged(mine, map[string]any{"key": "b", "kind": "report"})
	w.tagged(theirs, map[string]any{"key": "c"})
	w.tagged("", map[string]any{"key": "d"})
	w.tagged(mine, map[string]any{"key": "a", "title": "again"})
	for query, want := range map[string]string{
		"": "a b", "?kind=report": "b", "?kind=none": "", "?sessionId=" + mine: "a b", "?sessionId=" + theirs: "", "?limit=1": "a", "?limit=1000&kind=artifact": "a",
	} {
		if got := c.keysListed(query); got != want {
			t.Errorf("%s lists %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{"": "a d c b", "?sessionId=agt_bot": "d", "?kind=artifact&sessionId=" + theirs: "c"} {
		if got := dev.keysListed(query); got != want {
			t.Errorf("an operator's %s lists %q, want %q", query, got, want)
		}
	}
	if got := c.do("GET", "/other/v1/artifacts", "").body; got != `{"ok":true,"artifacts":[]}`+"\n" {
		t.Error("of another agent: ", got)
	}
	for _, query := range []string{"?limit=0", "?limit=1001", "?limit=x", "?limit=-1", "?limit=1&limit=2", "?kind=a&kind=b", "?cursor=x", "?sessionid=x"} {
		c.do("GET", "/bot/v1/artifacts"+query, "").want(t, 400, "invalid_query")
	}
}

// A list shows what a tool tagged whose call the caller made before.
func TestArtifacts_ListShowsOwnWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	id, _ := c.started("mine")
	for i := range 50 {
		key := fmt.Sprint("k", i)
		c.do("POST", "/bot/v1/tools/tag", encode(map[string]any{"sessionId": id, "input": map[string]any{"key": key}})).want(t, 200, "")
		if got := c.keysListed("?limit=1"); got != key {
			t.Fatalf("after %s the newest is %q", key, got)
		}
	}
}

// "404 then 403 of what the path names".
func TestArtifacts_UnknownAndForeign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	mine, _ := c.started("mine")
	rec := w.tagged(mine, map[string]any{"key": "a"})
	theirs := w.tagged(w.foreign("bot", "theirs"), map[string]any{"key": "a", "contents": "secret"})
	for _, tail := range []string{"", "/content"} {
		for _, id := range []string{"art_x", "art_" + strings.Repeat("0", 26), strings.ToLower(rec.ID), mine} {
			c.do("GET", "/bot/v1/artifacts/"+id+tail, "").want(t, 404, "unknown_artifact")
		}
		c.do("GET", "/other/v1/artifacts/"+rec.ID+tail, "").want(t, 404, "unknown_artifact")
		if a := c.do("GET", "/bot/v1/artifacts/"+theirs.ID+tail, ""); strings.Contains(a.body, "secret") {
			t.Error(a.body)
		} else {
			a.want(t, 403, "forbidden")
		}
	}
	c.do("GET", "/bot/v1/artifacts/"+rec.ID+"/content", "").want(t, 404, "no_content")
	c.do("GET", "/bot/v1/artifacts/"+rec.ID+"?x=1", "").want(t, 400, "invalid_query")
	if got := c.do("GET", "/bot/v1/artifacts/"+rec.ID, "").body; got != `{"ok":true,"artifact":`+encode(rec)+"}\n" {
		t.Error(got)
	}
}

// info lists "artifacts[]": the declared kinds.
func TestDescribe_Artifacts(t *testing.T) {
	t.Parallel()
	got := Describe(&agent.Agent{Slug: "a", Artifacts: &agent.ArtifactRules{Kinds: map[string]agent.ArtifactKind{
		"verdict": {Description: "What was decided.", Schema: events.RawJSON(`{"type":"object"}`)}, "book": {},
	}}}, "m").Artifacts
	if encode(got) != `[{"kind":"book"},{"kind":"verdict","description":"What was decided.","schema":{"type":"object"}}]` {
		t.Error(encode(got))
	}
	if none := Describe(&agent.Agent{Slug: "a", Artifacts: &agent.ArtifactRules{}}, "m"); encode(none.Artifacts) != "[]" {
		t.Error(encode(none.Artifacts))
	}
}
