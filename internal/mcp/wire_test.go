package mcp

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// One bad tool never hides the others, and "big integers keep their digits".
func TestKeepRaw(t *testing.T) {
	t.Parallel()
	var list struct {
		ID     int
		Result sdk.ListToolsResult
	}
	sent := `{"tools":[{"name":"good","inputSchema":{"maximum":12345678901234567890}},{"name":5},null,7],"nextCursor":"c"}`
	if err := json.Unmarshal(keepRaw([]byte(`{"jsonrpc":"2.0","id":1,"result":`+sent+`}`)), &list); err != nil {
		t.Fatal(err)
	}
	if list.ID != 1 || len(list.Result.Tools) != 1 || list.Result.NextCursor != "c" || string(rawOf(list.Result.Meta)) != sent {
		t.Errorf("got %+v", list)
	}
	var call struct{ Result sdk.CallToolResult }
	sent = `{"content":[{"type":"hologram"}],"structuredContent":{"n":12345678901234567890,"s":"<&>"},"isError":true}`
	if err := json.Unmarshal(keepRaw([]byte(`{"jsonrpc":"2.0","id":1,"result":`+sent+`}`)), &call); err != nil {
		t.Fatal(err)
	}
	if got := string(rawOf(call.Result.Meta)); got != sent {
		t.Errorf("got %s", got)
	}
	for _, same := range []string{
		`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, `not json`,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"x"}}`, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"inputRequests":{}}}`,
	} {
		if got := string(keepRaw([]byte(same))); got != same {
			t.Errorf("%s became %s", same, got)
		}
	}
}

func TestFilter_Forms(t *testing.T) {
	t.Parallel()
	const plain = `{"jsonrpc":"2.0","id":1,"result":{}}`
	for _, c := range []struct {
		form       func(*bufio.Reader) ([]byte, error)
		sent, want string
	}{
		{asLines, plain + "\r\n\n" + plain, plain + "\n" + plain + "\n"},
		{asEvents, ": ping\r\n\r\nevent: message\nid: 7\ndata: {\"a\":\ndata: 1}\n\ndata: x", ": ping\n\nevent: message\nid: 7\ndata: {\"a\": 1}\n\ndata: x\n\n"},
		{asWhole, plain, plain},
	} {
		got, err := io.ReadAll(newFilter(io.NopCloser(strings.NewReader(c.sent)), c.form))
		if err != nil || string(got) != c.want {
			t.Errorf("%q: got %q, %v", c.sent, got, err)
		}
	}
	endless := func() io.ReadCloser { return io.NopCloser(io.LimitReader(letters{}, maxMessage+9)) }
	for _, form := range []func(*bufio.Reader) ([]byte, error){asLines, asEvents, asWhole} {
		if _, err := io.ReadAll(newFilter(endless(), form)); err != errMessageTooLong {
			t.Errorf("a message without end: %v", err)
		}
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}
