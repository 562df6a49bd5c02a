// Package fakemodel is a model provider for tests. It speaks the streaming Chat
// Completions protocol byte for byte from a script, can stall, cut the connection
// and answer with any status, and refuses what a strict provider would refuse.
//
// A script has one action a line; a line of --- begins the next answer. Answers
// are given in order, and the last one again and again:
//
//	status 429 Retry-After=2
//	body {"error":{"message":"slow down"}}
//	---
//	reasoning "Let me see."
//	delta "Looking at it."
//	call 0 call_a inspect_pr {"url":"https://example.com/pull/1"}
//	usage prompt=100 cached=90 completion=20
//	finish tool_calls
//	done
//
// The actions are: status, header, body, delta, reasoning, refusal, call, args,
// chunk, frame, raw, comment, usage, finish, done, sleep, stall, cut, reset, end.
// Parse says what each takes.
package fakemodel

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options of a Server; nil means defaults.
type Options struct {
	// Key that each request must carry. Empty: any key, or none.
	Key string
}

// A Server plays a script. It is an http.Handler, and safe for concurrent use.
type Server struct {
	key     string
	answers []Answer

	mu       sync.Mutex
	next     int
	requests []Request
	faults   []string

	http *http.Server
	done chan struct{}
}

// A Request is one that came, in the order of arrival.
type Request struct {
	Header http.Header
	Body   []byte
	At     time.Time
}

// New reads the script.
func New(script string, o *Options) (*Server, error) {
	answers, err := Parse(script)
	if err != nil {
		return nil, err
	}
	if o == nil {
		o = &Options{}
	}
	return &Server{key: o.Key, answers: answers}, nil
}

// Start listens on addr, such as "127.0.0.1:0", and gives the base URL to put into
// OPENAI_BASE_URL. Close ends it.
func (s *Server) Start(addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", fmt.Errorf("fakemodel: %w", err)
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	s.done = make(chan struct{})
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l)
	}()
	return "http://" + l.Addr().String() + "/v1", nil
}

// Close cuts what is still open, and waits for the listener's end.
func (s *Server) Close() error {
	if s.http == nil {
		return nil
	}
	err := s.http.Close()
	<-s.done
	return err
}

// TB is what Run needs of a test.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, a ...any)
	Fatalf(format string, a ...any)
}

// Run starts a server for a test and gives it with its base URL. The test fails
// when a request came that a strict provider refuses.
func Run(t TB, script string) (*Server, string) {
	t.Helper()
	s, err := New(script, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	url, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		for _, f := range s.Faults() {
			t.Errorf("fakemodel: a strict provider refuses: %s", f)
		}
	})
	return s, url
}

// Requests gives what came so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Faults gives what was wrong with the requests so far.
func (s *Server) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// ServeHTTP plays the next answer, or refuses the request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20))
	if err != nil {
		refuse(w, http.StatusBadRequest, "reading the body: "+err.Error())
		return
	}
	status, faults := s.check(r, body)
	answer := s.take(Request{Header: r.Header.Clone(), Body: body, At: time.Now()}, faults)
	if len(faults) > 0 {
		refuse(w, status, strings.Join(faults, "; "))
		return
	}
	(&player{w: w, ctx: r.Context(), model: modelOf(body)}).play(answer)
}

func (s *Server) check(r *http.Request, body []byte) (status int, faults []string) {
	switch {
	case r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions"):
		return http.StatusNotFound, []string{r.Method + " " + r.URL.Path + " is not POST …/chat/completions"}
	case s.key != "" && r.Header.Get("Authorization") != "Bearer "+s.key:
		return http.StatusUnauthorized, []string{"the key is missing or wrong"}
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
		return http.StatusUnsupportedMediaType, []string{"the content type is not application/json"}
	}
	return http.StatusBadRequest, Check(body)
}

// take records the request and gives the answer; a refused one uses none up.
func (s *Server) take(r Request, faults []string) *Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(faults) > 0 {
		s.faults = append(s.faults, faults...)
		return nil
	}
	a := &s.answers[min(s.next, len(s.answers)-1)]
	s.next++
	return a
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"message":%s,"type":"invalid_request_error","code":null}}`, quote(message))
}

// errNoScript is of a script without an answer.
var errNoScript = errors.New("fakemodel: the script has no answer")
