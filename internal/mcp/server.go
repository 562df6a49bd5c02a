package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of a server's list of tools.
const (
	maxPages = 50
	maxTools = 500
)

// toolRaw is a tool as the server sent it.
type toolRaw = json.RawMessage

func (s *server) list(ctx context.Context) (all []toolRaw, err error) {
	ctx, stop := s.bind(ctx)
	defer stop()
	cursor := ""
	for range maxPages {
		ctx, trip := travel(ctx)
		res, err := s.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, trip.told(ctx, err)
		}
		var page struct {
			Tools []toolRaw `json:"tools"`
		}
		if err := json.Unmarshal(rawOf(res.Meta), &page); err != nil {
			return nil, errors.New("the server's list of tools cannot be read")
		}
		if all = append(all, page.Tools...); len(all) > maxTools {
			return nil, fmt.Errorf("the server has more than %d tools", maxTools)
		}
		if cursor = res.NextCursor; cursor == "" {
			return all, nil
		}
	}
	return nil, fmt.Errorf("the server's list of tools has more than %d pages", maxPages)
}

func (s *server) call(ctx context.Context, _ Caller, tool string, args []byte) ([]byte, error) {
	ctx, stop := s.bind(ctx)
	defer stop()
	ctx, trip := travel(ctx)
	res, err := s.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return nil, trip.told(ctx, err)
	}
	return checkResult(rawOf(res.Meta))
}

func (s *server) read(ctx context.Context, uri string) ([]byte, error) {
	ctx, stop := s.bind(ctx)
	defer stop()
	ctx, trip := travel(ctx)
	res, err := s.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return nil, trip.told(ctx, err)
	}
	raw := rawOf(res.Meta)
	if len(raw) == 0 {
		return nil, errors.New("the server's answer has no contents")
	}
	return raw, nil
}

// bind ends a call with the line.
func (s *server) bind(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { cancel(errLost) })
	return ctx, func() { stop(); cancel(nil) }
}

// checkResult takes a result in the protocol's shape alone.
func checkResult(raw json.RawMessage) ([]byte, error) {
	var shape struct {
		Content           []json.RawMessage `json:"content"`
		StructuredContent json.RawMessage   `json:"structuredContent"`
		IsError           bool              `json:"isError"`
	}
	if err := json.Unmarshal(raw, &shape); err != nil {
		return nil, errors.New("the server's result is not one of the protocol")
	}
	for _, part := range shape.Content {
		if !isObject(part) {
			return nil, errors.New("the server's result has content that is not one of the protocol")
		}
	}
	out := map[string]any{"content": append([]json.RawMessage{}, shape.Content...)}
	if len(shape.StructuredContent) > 0 && string(shape.StructuredContent) != "null" {
		out["structuredContent"] = shape.StructuredContent
	}
	if shape.IsError {
		out["isError"] = true
	}
	return encode(out), nil
}
