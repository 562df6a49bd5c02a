// Package slacktest is a stand-in of Slack's Web API for tests: it keeps what is posted.
// It knows the methods that the channel uses.
package slacktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// What the bot is called.
const (
	BotUser = "UBOT"
	BotID   = "BBOT"
	Team    = "T1"
	AppID   = "A1"
)

// A Server is the stand-in. It is safe for concurrent use.
type Server struct {
	// URL is for ClientOptions.APIURL.
	URL string

	mu       sync.Mutex
	messages map[string][]Message
	seen     []Request
	faults   []fault
	next     int
	socket   chan *link
	http     *httptest.Server
}

// A Request is what the server was asked.
type Request struct {
	Method, Authorization string
	Form                  url.Values
}

// A Message is one that was posted. Thread is empty for one that is in none.
type Message struct {
	TS, Thread, User, Text string
	Blocks, Metadata       json.RawMessage
}

// A fault answers in place of the server.
type fault struct {
	method string
	answer http.HandlerFunc
	after  bool
}

// Start runs a server for a test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := New()
	t.Cleanup(s.Close)
	return s
}

// New is Start for what is no test; the caller closes the server.
func New() *Server {
	s := &Server{messages: map[string][]Message{}, next: 1000, socket: make(chan *link, 4)}
	mux := http.NewServeMux()
	mux.HandleFunc("/link", s.serveLink)
	mux.HandleFunc("/", s.serve)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL
	return s
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	method := strings.TrimPrefix(r.URL.Path, "/")
	if err := r.ParseForm(); err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, Request{method, r.Header.Get("Authorization"), r.Form})
	f := s.takeFault(method)
	if f != nil && !f.after {
		f.answer(w, r)
		return
	}
	out := s.answer(method, r.Form)
	if f != nil {
		f.answer(w, r)
		return
	}
	if out["ok"] == nil {
		out["ok"] = true
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(out) // the client that left does not read it
}

// takeFault needs the lock.
func (s *Server) takeFault(method string) *fault {
	i := slices.IndexFunc(s.faults, func(f fault) bool { return f.method == method })
	if i < 0 {
		return nil
	}
	f := s.faults[i]
	s.faults = slices.Delete(s.faults, i, i+1)
	return &f
}

// Fault makes the next call of a method be answered by a function. Faults of one method
// are used up in their order.
func (s *Server) Fault(method string, answer http.HandlerFunc) { s.fault(fault{method, answer, false}) }

// Refuse answers the next call of a method with an error.
func (s *Server) Refuse(method, code string) {
	s.Fault(method, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"ok":false,"error":%q}`, code)
	})
}

// FaultAfter carries the next such call out and loses its answer: it gives 502.
func (s *Server) FaultAfter(method string) {
	s.fault(fault{method, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, true})
}

func (s *Server) fault(f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, f)
}

// Requests gives what was asked so far of a method; of all for "".
func (s *Server) Requests(method string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Request
	for _, r := range s.seen {
		if method == "" || r.Method == method {
			list = append(list, r)
		}
	}
	return list
}

// Messages gives those of a channel, or of all channels for "".
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if channel != "" {
		return slices.Clone(s.messages[channel])
	}
	var list []Message
	for _, m := range s.messages {
		list = append(list, m...)
	}
	slices.SortFunc(list, func(a, b Message) int { return strings.Compare(a.TS, b.TS) })
	return list
}

// Delete takes a message away.
func (s *Server) Delete(channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages[channel] = slices.DeleteFunc(s.messages[channel], func(m Message) bool { return m.TS == ts })
}
