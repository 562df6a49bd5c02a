package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/workspace"
)

// tagToolName is what the model calls to tag an artifact.
const tagToolName = "tag_artifact"

// tagArgs are the arguments of the tool.
type tagArgs struct {
	Kind        string          `json:"kind"`
	Key         string          `json:"key"`
	Title       string          `json:"title"`
	Data        json.RawMessage `json:"data"`
	Contents    *string         `json:"contents"`
	Path        string          `json:"path"`
	ContentType string          `json:"contentType"`
	FileName    string          `json:"fileName"`
}

// newTagTool gives the model the tool tag_artifact, as the rules describe it. To tag
// twice is to tag once, so that it may run again after a crash.
func newTagTool(rules *agent.ArtifactRules) (*agent.Tool, error) {
	t, err := agent.NewTool(tagToolName, describeTagTool(rules), tagAsModel, &agent.ToolOptions[tagArgs]{
		Effect: agent.EffectWrite, Idempotent: true, InputSchema: tagSchema(rules), OutputSchema: json.RawMessage(`{"type":"object"}`),
	})
	if err == nil {
		t.Source = sourceHarness
	}
	return t, err
}

func describeTagTool(rules *agent.ArtifactRules) string {
	var b strings.Builder
	b.WriteString("Keeps something that was made here as an artifact, with data, and with contents as a text or as a file of the workspace. The same kind and key again updates it.")
	if len(rules.Kinds) > 0 {
		b.WriteString(" Kinds:")
	}
	for _, name := range kindNames(rules) {
		k := rules.Kinds[name]
		fmt.Fprintf(&b, "\n- %s: %s", name, strings.TrimSpace(k.Description))
		if len(k.Schema) > 0 {
			fmt.Fprintf(&b, " Its data fits the schema %s", k.Schema)
		}
	}
	return b.String()
}

// property is one field of a tool's input.
type property struct {
	Type        any      `json:"type"`
	Enum        []string `json:"enum,omitempty"`
	Description string   `json:"description"`
}

func tagSchema(rules *agent.ArtifactRules) json.RawMessage {
	kind := property{Type: "string", Description: "defaults to " + agent.DefaultArtifactKind}
	required := []string{"key"}
	if len(rules.Kinds) > 0 && !rules.Open {
		kind.Enum = kindNames(rules)
		if _, ok := rules.Kinds[agent.DefaultArtifactKind]; !ok {
			kind.Description, required = "what it is", []string{"kind", "key"}
		}
	}
	text := func(description string) property { return property{Type: "string", Description: description} }
	b, err := json.Marshal(map[string]any{
		"type": "object", "required": required, "additionalProperties": false,
		"properties": map[string]property{
			"kind": kind, "key": text("names the artifact among those of its kind"), "title": text("what people read"),
			"data":     {Type: []string{"null", "boolean", "number", "string", "array", "object"}, Description: "JSON to keep with it"},
			"contents": text("its contents as a text"), "path": text("the file of the workspace that has its contents, in the place of contents"),
			"contentType": text("media type of the contents, such as text/markdown"), "fileName": text("what a download is called"),
		},
	})
	if err != nil {
		panic(err) // strings always encode
	}
	return b
}

// tagAsModel runs the tool.
func tagAsModel(ctx context.Context, in tagArgs, c *agent.Call) (events.Artifact, error) {
	a := agent.TagArtifact{Kind: in.Kind, Key: in.Key, Title: in.Title, Data: in.Data, ContentType: in.ContentType, FileName: in.FileName}
	switch {
	case in.Contents != nil && in.Path != "":
		return events.Artifact{}, invalid("path", "excludes contents: give one of them")
	case in.Contents != nil:
		a.Contents = []byte(*in.Contents)
		if a.ContentType == "" {
			a.ContentType = typeOf(a.FileName, "text/plain; charset=utf-8")
		}
	case in.Path != "":
		var err error
		if a.Contents, err = readWorkspaceFile(c, in.Path); err != nil {
			return events.Artifact{}, err
		}
		if a.FileName == "" {
			a.FileName = path.Base(in.Path)
		}
		if a.ContentType == "" {
			a.ContentType = typeOf(a.FileName, "application/octet-stream")
		}
	}
	return c.Artifacts.Tag(ctx, a)
}

// readWorkspaceFile reads a file that the model names, and nothing outside of the workspace.
func readWorkspaceFile(c *agent.Call, name string) ([]byte, error) {
	if err := workspace.CheckPath(name); err != nil {
		return nil, asPathFault(err)
	}
	dir, err := c.Workspace()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, invalid("path", fmt.Sprintf("the workspace has no file %q", name))
	case err == nil && info.Size() > maxArtifactContents:
		return nil, invalid("path", fmt.Sprintf("the file has %d bytes, at most %d are kept", info.Size(), maxArtifactContents))
	case err == nil:
		var b []byte
		if b, err = workspace.ReadFile(root, name); err == nil {
			return b, nil
		}
	}
	return nil, asPathFault(err)
}

// asPathFault says what is wrong with the path, and not where the workspace lies.
func asPathFault(err error) error {
	var bad *workspace.PathError
	if errors.As(err, &bad) {
		return invalid("path", bad.Reason)
	}
	return invalid("path", "the file cannot be read")
}

// types are the media types of what agents often make.
var types = map[string]string{
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".log": "text/plain; charset=utf-8", ".csv": "text/csv; charset=utf-8",
	".json": "application/json", ".pdf": "application/pdf", ".zip": "application/zip", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
}

func typeOf(fileName, otherwise string) string {
	if t := types[strings.ToLower(path.Ext(fileName))]; t != "" {
		return t
	}
	return otherwise
}
