package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rawKey is where a result travels through the SDK as it came: the SDK reads numbers
// as floats, refuses parts that it does not know, and a list for one bad element.
const rawKey = "github.com/gobdk/bdk/raw"

// keepRaw rewrites a message of a server, so that the SDK takes every result and
// ours can be read as it came. Other messages stay as they are.
func keepRaw(message []byte) []byte {
	var m, result map[string]json.RawMessage
	if json.Unmarshal(message, &m) != nil || !isObject(m["result"]) || json.Unmarshal(m["result"], &result) != nil {
		return message
	}
	switch {
	case result["inputRequests"] != nil: // the SDK answers these by itself
		return message
	case isArray(result["tools"]):
		result["tools"] = readable(result["tools"])
	case result["content"] != nil || result["structuredContent"] != nil:
		result["content"] = json.RawMessage("[]")
		delete(result, "structuredContent")
		delete(result, "isError")
	case isArray(result["contents"]):
		result["contents"] = json.RawMessage("[]")
	default:
		return message
	}
	result["_meta"] = encode(map[string]string{rawKey: string(m["result"])})
	m["result"] = encode(result)
	return encode(m)
}

// readable are the elements of a list of tools that the SDK can read.
func readable(list json.RawMessage) json.RawMessage {
	var all, good []json.RawMessage
	_ = json.Unmarshal(list, &all) // it is an array
	for _, raw := range all {
		var t *sdk.Tool
		if json.Unmarshal(raw, &t) == nil && t != nil {
			good = append(good, raw)
		}
	}
	if good == nil {
		return json.RawMessage("[]")
	}
	return encode(good)
}

// rawOf gives a result as it came.
func rawOf(meta sdk.Meta) json.RawMessage {
	text, _ := meta[rawKey].(string)
	return json.RawMessage(text)
}

func isObject(raw json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) }
func isArray(raw json.RawMessage) bool  { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) }

// encode writes what is known to be writable, <, > and & as they are.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // maps of JSON and strings always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
