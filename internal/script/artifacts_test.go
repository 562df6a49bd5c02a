package script

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// A shelf keeps artifacts in memory.
type shelf struct {
	mu     sync.Mutex
	tagged []agent.TagArtifact
	asked  []agent.ListArtifacts
}

func (s *shelf) Tag(_ context.Context, a agent.TagArtifact) (events.Artifact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Kind == "" {
		a.Kind = agent.DefaultArtifactKind
	}
	s.tagged = append(s.tagged, a)
	return record(len(s.tagged), a), nil
}

func (s *shelf) List(_ context.Context, o agent.ListArtifacts) (list []events.Artifact, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, o)
	for i, a := range s.tagged {
		list = append(list, record(i+1, a))
	}
	return list, nil
}

func record(n int, a agent.TagArtifact) events.Artifact {
	r := events.Artifact{ID: fmt.Sprint("art_", n), Kind: a.Kind, Key: a.Key, Title: a.Title, Data: events.RawJSON(a.Data), HasContent: a.Contents != nil, ContentType: a.ContentType, FileName: a.FileName}
	if a.Contents != nil {
		size := int64(len(a.Contents))
		r.Size = &size
	}
	return r
}

// "`tag({kind?, key, title?, data?, contents?, contentType?, fileName?})` → record"; "Contents (text or bytes)"
func TestArtifacts_TagAndList(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	out, err := tool(t, `
		const { tag, list } = ctx.artifacts;
		const bytes = new Uint8Array([0, 104, 105, 0]);
		const record = await tag({ kind: "report", key: "a", title: "A", data: { n: 1, gone: undefined }, contents: "hé", contentType: "text/plain", fileName: "a.txt" });
		await tag({ key: "buffer", contents: Buffer.from("hi") });
		await tag({ key: "view", contents: bytes.subarray(1, 3) });
		await tag({ key: "whole", contents: bytes.buffer });
		await tag({ key: "empty", contents: "" });
		await tag({ key: "none", title: null, data: null, contents: undefined });
		return [record, (await list()).map((r) => r.key), (await list({ kind: "report", sessionId: "s", limit: 2 })).length]`, func(c *agent.Call) { c.Artifacts = s })
	want := `[{"id":"art_1","kind":"report","key":"a","title":"A","data":{"n":1},"sessionId":"","createdAt":"0001-01-01T00:00:00Z","updatedAt":"0001-01-01T00:00:00Z","size":3,"contentType":"text/plain","fileName":"a.txt","hasContent":true},["a","buffer","view","whole","empty","none"],6]`
	if err != nil || out != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
	var got []string
	for _, a := range s.tagged {
		got = append(got, fmt.Sprintf("%s %s %q %v %s", a.Kind, a.Key, a.Contents, a.Contents != nil, a.Data))
	}
	if text := strings.Join(got, "\n"); text != `report a "hé" true {"n":1}
artifact buffer "hi" true 
artifact view "hi" true 
artifact whole "\x00hi\x00" true 
artifact empty "" true 
artifact none "" false null` {
		t.Errorf("tagged\n%s", text)
	}
	if want := []agent.ListArtifacts{{}, {Kind: "report", SessionID: "s", Limit: 2}}; !slices.Equal(s.asked, want) {
		t.Errorf("asked for %v", s.asked)
	}
}

func TestArtifacts_RefuseWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	s := &shelf{}
	for body, want := range map[string]string{
		`tag()`:                              `artifacts.tag needs an object with key, and what there is of kind, title, data, contents, contentType, fileName`,
		`tag({})`:                            `artifacts.tag needs a key, which names the artifact among those of its kind`,
		`tag({ key: 5 })`:                    `key of artifacts.tag must be a string, not 5`,
		`tag({ key: "a", name: "b" })`:       `artifacts.tag has no option "name": its options are kind, key, title, data, contents, contentType, fileName`,
		`tag({ key: "a", contents: 5 })`:     `an artifact's contents are text or bytes, not 5`,
		`tag({ key: "a", contents: {} })`:    `an artifact's contents are text or bytes, not another object`,
		`tag({ key: "a", data: { b: NaN }})`: `the artifact's data holds NaN at b, which JSON cannot express`,
		`list({ limit: 0 })`:                 `limit of artifacts.list must be a whole number above 0, not 0`,
		`list({ key: "a" })`:                 `artifacts.list has no option "key": its options are kind, sessionId, limit`,
	} {
		_, err := tool(t, "await ctx.artifacts."+body, func(c *agent.Call) { c.Artifacts = s })
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", body, err, want)
		}
	}
	if len(s.tagged) > 0 {
		t.Errorf("tagged: %v", s.tagged)
	}
}
