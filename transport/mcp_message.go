package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Codes of errors of JSON-RPC and of the Model Context Protocol.
const (
	rpcParse          = -32700
	rpcInvalidRequest = -32600
	rpcUnknownMethod  = -32601
	rpcInvalidParams  = -32602
	rpcHeaderMismatch = -32020
	rpcVersion        = -32022
)

// mcpMethods are what the endpoint answers; which of them a revision has is known to the SDK.
var mcpMethods = []string{"initialize", "ping", "server/discover", "tools/list", "tools/call"}

// statelessMCP is the first revision without a handshake: headers repeat what the
// body says, and errors have statuses of their own.
const statelessMCP = "2026-07-28"

// An mcpMessage is one message of the protocol, read strictly.
type mcpMessage struct {
	// id is as it was sent; nil for a notification.
	id      json.RawMessage
	method  string
	version string // of the header, empty when there is none
	params  *form
	// tool is what tools/call names.
	tool string
	// progress says that the caller asked for progress notifications.
	progress bool
}

// An rpcFault is an error of the protocol.
type rpcFault struct {
	status  int
	code    int
	message string
	data    any
}

func badMessage(code int, format string, args ...any) *rpcFault {
	return &rpcFault{status: http.StatusBadRequest, code: code, message: fmt.Sprintf(format, args...)}
}

// status is that of an error of a message that can be read: revisions with a
// handshake answer it as they answer all messages.
func (m *mcpMessage) status(status int) int {
	if m.version >= statelessMCP {
		return status
	}
	return http.StatusOK
}

// notifies says whether no answer is expected.
func (m *mcpMessage) notifies() bool { return m.id == nil }

// readMCP reads a message. The id is known with most faults, so that they can name it.
func (c *call) readMCP(body []byte) (*mcpMessage, *rpcFault) {
	m := &mcpMessage{}
	if len(body) == 0 {
		return m, badMessage(rpcParse, "there is no body: send one JSON-RPC message")
	}
	if first := strings.TrimLeft(string(body[:min(len(body), 64)]), " \t\r\n"); strings.HasPrefix(first, "[") {
		return m, badMessage(rpcInvalidRequest, "batches are not taken: send each message by itself")
	}
	members, bad := scanObject(body, c.h.o.Limits.JSONDepth)
	if bad != nil {
		return m, badMessage(rpcParse, "%s", inPlace(bad))
	}
	f := &form{members: members, limits: &c.h.o.Limits}
	if fault := m.readEnvelope(f); fault != nil {
		return m, fault
	}
	if fault := m.readHeaders(c.r.Header); fault != nil {
		return m, fault
	}
	if m.notifies() {
		return m, m.notification()
	}
	if !slices.Contains(mcpMethods, m.method) {
		return m, &rpcFault{status: m.status(http.StatusNotFound), code: rpcUnknownMethod, message: "this server has no method " + strconv.Quote(m.method)}
	}
	return m, m.readParams(f)
}

func inPlace(f *fault) string {
	if f.path == "" {
		return f.message
	}
	return f.path + ": " + f.message
}

// readEnvelope reads what every message has.
func (m *mcpMessage) readEnvelope(f *form) *rpcFault {
	for _, mb := range f.members {
		switch mb.key {
		case "jsonrpc", "id", "method", "params":
		case "result", "error":
			return badMessage(rpcInvalidRequest, "this server asks nothing, so it takes no answers")
		default:
			return badMessage(rpcInvalidRequest, "%s: %s", pathStep(mb.key), unknownKey(mb.key, []string{"jsonrpc", "id", "method", "params"}))
		}
	}
	if id, ok := f.raw("id"); ok {
		if !isRequestID(id) {
			return badMessage(rpcInvalidRequest, "id must be a string, or a whole number from -2^53 to 2^53")
		}
		m.id = id
	}
	if v, ok := f.raw("jsonrpc"); !ok || string(v) != `"2.0"` {
		return badMessage(rpcInvalidRequest, `jsonrpc must be "2.0"`)
	}
	f.required("method")
	m.method, _ = f.identifier("method")
	if err := f.err(); err != nil {
		return badMessage(rpcInvalidRequest, "%s", sentence(f.issues[0]))
	}
	return nil
}

// isRequestID takes a string, or a whole number that every client can hold.
func isRequestID(v []byte) bool {
	if v[0] == '"' {
		_, lone := unquote(v[1 : len(v)-1])
		return !lone
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil && n >= -1<<53 && n <= 1<<53
}

// readHeaders holds the headers of the protocol against the body. Those of
// sessions and of events are not looked at.
func (m *mcpMessage) readHeaders(h http.Header) *rpcFault {
	m.version = strings.Join(h["Mcp-Protocol-Version"], ", ")
	if m.version != "" && !slices.Contains(mcpVersions, m.version) {
		return &rpcFault{status: http.StatusBadRequest, code: rpcVersion, message: "this server does not speak this revision of the protocol",
			data: map[string]any{"supported": mcpVersions, "requested": m.version}}
	}
	method, given := h["Mcp-Method"]
	switch {
	case !given && m.version >= statelessMCP:
		return badMessage(rpcHeaderMismatch, "the header Mcp-Method is missing; it repeats the method of the body")
	case given && (len(method) != 1 || method[0] != m.method):
		return badMessage(rpcHeaderMismatch, "the header Mcp-Method says another method than the body, which says %s", strconv.Quote(m.method))
	}
	return nil
}

// notification takes what needs no answer. There is nothing that one could change here.
func (m *mcpMessage) notification() *rpcFault {
	if !strings.HasPrefix(m.method, "notifications/") {
		return badMessage(rpcInvalidRequest, "%q is a request, which needs an id: a message without one is a notification, and the names of those begin with notifications/", m.method)
	}
	return nil
}

// readParams reads what the endpoint itself must know of the parameters.
func (m *mcpMessage) readParams(f *form) *rpcFault {
	m.params = &form{limits: f.limits}
	v, ok := f.raw("params")
	if !ok {
		v = []byte("{}")
	}
	if v[0] != '{' {
		return m.badParams("params must be an object")
	}
	m.params.members, _ = scanObject(v, f.limits.JSONDepth)
	if meta, ok := m.params.raw("_meta"); ok {
		if meta[0] != '{' {
			return m.badParams("params._meta must be an object")
		}
		members, _ := scanObject(meta, f.limits.JSONDepth)
		if token, ok := (&form{members: members}).raw("progressToken"); ok {
			if m.progress = isRequestID(token); !m.progress {
				return m.badParams("params._meta.progressToken must be a string, or a whole number from -2^53 to 2^53")
			}
		}
	}
	if m.method == "tools/call" {
		return m.readCall()
	}
	return nil
}

func (m *mcpMessage) readCall() *rpcFault {
	m.params.required("name")
	m.tool, _ = m.params.identifier("name")
	if args, ok := m.params.raw("arguments"); ok && args[0] != '{' {
		m.params.note("arguments", "must be an object")
	}
	if len(m.params.issues) > 0 {
		return m.badParams("params." + sentence(m.params.issues[0]))
	}
	return nil
}

func (m *mcpMessage) badParams(message string) *rpcFault {
	return &rpcFault{status: m.status(http.StatusBadRequest), code: rpcInvalidParams, message: message}
}

type rpcReply struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   rpcError        `json:"error"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// refuseMCP answers with an error of the protocol.
func (c *call) refuseMCP(id json.RawMessage, f *rpcFault) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	return c.reply(f.status, rpcReply{JSONRPC: "2.0", ID: id, Error: rpcError{f.code, f.message, f.data}})
}
