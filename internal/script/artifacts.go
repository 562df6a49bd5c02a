package script

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

// artifactOps serve ctx.artifacts.
func artifactOps(o *ops) {
	o.async("artifacts.tag", artifactWork(tagArtifact))
	o.async("artifacts.list", artifactWork(listArtifacts))
}

// artifactWork binds a function to the artifacts of its call.
func artifactWork(f func(ctx context.Context, as agent.Artifacts, a args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Artifacts == nil {
			return nil, errors.New("ctx.artifacts is not available: this call has nowhere to keep artifacts")
		}
		return func(ctx context.Context) (any, error) { return f(ctx, c.call.Artifacts, a[1:]) }, nil
	}
}

// tagArtifact is given the texts and the data as JSON, and the contents where there are some.
func tagArtifact(ctx context.Context, as agent.Artifacts, a args) (any, error) {
	var meta struct {
		Kind        string `json:"kind"`
		Key         string `json:"key"`
		Title       string `json:"title"`
		ContentType string `json:"contentType"`
		FileName    string `json:"fileName"`
	}
	if err := a.into(0, &meta); err != nil {
		return nil, err // artifacts.js checks the fields
	}
	if meta.Key == "" {
		return nil, typeError("artifacts.tag needs a key, which names the artifact among those of its kind")
	}
	t := agent.TagArtifact{Kind: meta.Kind, Key: meta.Key, Title: meta.Title, ContentType: meta.ContentType, FileName: meta.FileName}
	if data := a.text(1); data != "" {
		t.Data = json.RawMessage(data)
	}
	if a.flag(2) {
		contents, err := a.bytes(3)
		if err != nil {
			return nil, err
		}
		t.Contents = append([]byte{}, contents...) // not nil: empty contents are contents
	}
	record, err := as.Tag(ctx, t)
	if err != nil {
		return nil, err
	}
	return asJSON(record)
}

func listArtifacts(ctx context.Context, as agent.Artifacts, a args) (any, error) {
	var o struct {
		Kind      string `json:"kind"`
		SessionID string `json:"sessionId"`
		Limit     int    `json:"limit"`
	}
	if err := a.into(0, &o); err != nil {
		return nil, err // artifacts.js checks the options
	}
	records, err := as.List(ctx, agent.ListArtifacts(o))
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return "[]", nil
	}
	return asJSON(records)
}
