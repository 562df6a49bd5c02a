package actors_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// asModel lets the model call tag_artifact and gives the result.
func (g *gallery) asModel(args string) *events.ActionResult {
	g.t.Helper()
	a := g.startWith(actors.NewSession{Agent: "tester", Principal: local, Message: "/call tag_artifact " + args,
		Files: []actors.File{{Path: "out/report.md", Content: []byte("# Report")}}})
	g.rest(a.SessionID, "waiting")
	return g.until(a.SessionID, "action.result").Data.(*events.ActionResult)
}

// "`tag_artifact` when asked for": with contents as a text, or a file of the workspace.
func TestTagTool_Contents(t *testing.T) {
	t.Parallel()
	g := newGallery(t, &agent.ArtifactRules{AgentTool: true})
	for _, tc := range []struct{ args, contents, contentType, fileName string }{
		{`{"key":"a"}`, "", "", ""},
		{`{"key":"b","contents":"text"}`, "text", "text/plain; charset=utf-8", ""},
		{`{"key":"c","contents":"a,b","fileName":"x.CSV"}`, "a,b", "text/csv; charset=utf-8", "x.CSV"},
		{`{"key":"d","contents":"<p>","contentType":"text/html"}`, "<p>", "text/html", ""},
		{`{"key":"e","path":"out/report.md","data":{"big":12345678901234567890}}`, "# Report", "text/markdown; charset=utf-8", "report.md"},
		{`{"key":"f","path":"out/report.md","fileName":"r.bin","contentType":"x/y"}`, "# Report", "x/y", "r.bin"},
	} {
		res := g.asModel(tc.args)
		var rec events.Artifact
		if err := json.Unmarshal(res.Output, &rec); err != nil || res.IsError {
			t.Errorf("%s gives %s", tc.args, res.Output)
			continue
		}
		if rec.ContentType != tc.contentType || rec.FileName != tc.fileName || rec.HasContent != (tc.contents != "") || rec.TurnID == "" {
			t.Errorf("%s gives %s", tc.args, res.Output)
		}
		if rec.HasContent && g.contents(&rec) != tc.contents {
			t.Errorf("%s has the contents %q", tc.args, g.contents(&rec))
		}
	}
}

func TestTagTool_Refusals(t *testing.T) {
	t.Parallel()
	g := newGallery(t, &agent.ArtifactRules{AgentTool: true})
	for args, want := range map[string]string{
		`{}`:                                    "key",
		`{"key":"a","kinds":"x"}`:               "kinds",
		`{"key":"a","contents":"x","path":"y"}`: "path: excludes contents",
		`{"key":"a","path":"none.md"}`:          `path: the workspace has no file "none.md"`,
		`{"key":"a","path":"out"}`:              "path: is a folder",
		`{"key":"a","path":"../../etc/passwd"}`: "path: ",
		`{"key":"a","path":"/etc/passwd"}`:      "path: ",
	} {
		res := g.asModel(args)
		if text := unquoted(res.Output); res.Code != events.CodeInvalidInput || !strings.Contains(text, want) || strings.Contains(text, g.dir) {
			t.Errorf("%s gives %s, want %q", args, res.Output, want)
		}
	}
}

// The model is told the kinds; a person does not call the tool, and an agent that
// does not ask for it has none.
func TestTagTool_IsTheModels(t *testing.T) {
	t.Parallel()
	g := newGallery(t, &agent.ArtifactRules{AgentTool: true, Kinds: map[string]agent.ArtifactKind{"book": {Description: "A book."}}})
	if res := g.asModel(`{"kind":"paper","key":"a"}`); res.Code != events.CodeInvalidInput || !strings.Contains(unquoted(res.Output), "book") {
		t.Errorf("another kind gives %s", res.Output)
	}
	if res := g.asModel(`{"kind":"book","key":"a"}`); res.IsError {
		t.Errorf("a declared kind gives %s", res.Output)
	}
	_, err := g.host.CallTool(t.Context(), actors.ToolCall{Agent: "tester", Name: "tag_artifact", Principal: local})
	if !errors.Is(err, actors.ErrAgentExecution) { // "the tool runs in a turn only"
		t.Errorf("called by a person: %v", err)
	}
	none := newGallery(t, nil)
	if res := none.asModel(`{"key":"a"}`); res.Code != events.CodeUnknownTool {
		t.Errorf("without being asked for: %s", res.Output)
	}
}
