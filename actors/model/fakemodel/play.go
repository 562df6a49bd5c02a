package fakemodel

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// A player writes one answer.
type player struct {
	w     http.ResponseWriter
	ctx   context.Context
	model string
	begun bool // the first piece of output names the role
}

func (p *player) play(a *Answer) {
	for k, v := range a.Header {
		p.w.Header()[k] = v
	}
	if p.w.Header().Get("Content-Type") == "" {
		p.w.Header().Set("Content-Type", contentType(a))
	}
	for i, act := range a.actions {
		if i == 0 && act.name != "cut" && act.name != "reset" && act.name != "sleep" && act.name != "stall" {
			p.w.WriteHeader(a.Status)
		}
		if !p.act(act) {
			return
		}
		p.flush()
	}
	if len(a.actions) == 0 {
		p.w.WriteHeader(a.Status)
	}
}

func contentType(a *Answer) string {
	for _, act := range a.actions {
		if act.name == "body" {
			return "application/json"
		}
	}
	return "text/event-stream"
}

func (p *player) flush() {
	if f, ok := p.w.(http.Flusher); ok {
		f.Flush()
	}
}

// act says whether the answer goes on.
func (p *player) act(a action) bool {
	switch a.name {
	case "body", "raw":
		p.write(a.text)
	case "delta":
		p.delta(`"content":` + quote(a.text))
	case "reasoning":
		p.delta(`"reasoning_content":` + quote(a.text))
	case "refusal":
		p.delta(`"refusal":` + quote(a.text))
	case "call", "args":
		entry, _ := fragment(a) // Parse has checked it
		p.delta(`"tool_calls":[` + entry + `]`)
	case "chunk":
		p.data(a.arg)
	case "frame":
		p.data(`{"error":` + a.arg + `}`)
	case "comment":
		p.write(": " + a.text + "\n\n")
	case "usage":
		u, _ := usage(a.arg) // Parse has checked it
		p.data(p.head() + `"choices":[],"usage":` + u + `}`)
	case "finish":
		p.data(p.head() + `"choices":[{"index":0,"delta":{},"finish_reason":` + quote(a.arg) + `}]}`)
	case "done":
		p.data("[DONE]")
	default:
		return p.pause(a)
	}
	return true
}

func (p *player) pause(a action) bool {
	switch a.name {
	case "sleep":
		t := time.NewTimer(a.wait)
		defer t.Stop()
		select {
		case <-t.C:
			return true
		case <-p.ctx.Done():
			return false
		}
	case "stall":
		p.flush()
		<-p.ctx.Done()
	case "cut":
		panic(http.ErrAbortHandler)
	case "reset":
		p.reset()
	}
	return false
}

// reset closes the connection with a TCP reset, where there is one.
func (p *player) reset() {
	h, ok := p.w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := h.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func (p *player) head() string {
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1764500000,"model":%s,`, quote(p.model))
}

func (p *player) delta(fields string) {
	if !p.begun {
		p.begun = true
		fields = `"role":"assistant",` + fields
	}
	p.data(p.head() + `"choices":[{"index":0,"delta":{` + fields + `},"finish_reason":null}]}`)
}

func (p *player) data(s string) { p.write("data: " + s + "\n\n") }

// write gives up silently: a client that is gone is seen by what it got.
func (p *player) write(s string) { _, _ = p.w.Write([]byte(s)) }

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string is always JSON
	return strings.TrimSuffix(b.String(), "\n")
}

func modelOf(body []byte) string {
	var r struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(body, &r) // Check has read it
	return r.Model
}
