package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gobdk/bdk/events"
)

const line = `{"type":"message.appended","index":%d,"sessionId":"ses_1","turnId":"turn_1","at":"2026-01-02T03:04:05.678Z","data":{"text":"a"}}` + "\n"

// streamOf answers with a body, then does what after says.
func streamOf(body string, after func(r *http.Request)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, body)
		w.(http.Flusher).Flush()
		if after != nil {
			after(r)
		}
	})
}

func TestStream_YieldsEventsAndEnds(t *testing.T) {
	t.Parallel()
	var asked string
	h := streamOf(fmt.Sprintf(line+line, 3, 4), func(r *http.Request) { asked = r.URL.RequestURI() + " " + r.Header.Get("Accept") })
	s := httptest.NewServer(h)
	defer s.Close()
	for _, c := range []*Client{New(s.URL, nil), New("http://host", &Options{Transport: InProcess(h)})} {
		var got []uint64
		for e, err := range c.Stream(context.Background(), "ses_1", StreamQuery{From: 3, UntilIdle: true}) {
			if err != nil {
				t.Fatal(err)
			}
			if string(e.Line)+"\n" != fmt.Sprintf(line, e.Index) || e.Data.(*events.MessageAppended).Text != "a" {
				t.Errorf("event %s", e.Line)
			}
			got = append(got, e.Index)
		}
		if fmt.Sprint(got) != "[3 4]" || asked != "/v1/session/ses_1/stream?startIndex=3&until=idle application/x-ndjson" {
			t.Errorf("got %v, asked %s", got, asked)
		}
	}
}

// sessions.md: "session id and token in the headers bdk-session-id, bdk-continuation-token".
func TestStartStream_GivesIDTokenAndEvents(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != "application/x-ndjson" {
			t.Errorf("accept %q", r.Header.Get("Accept"))
		}
		w.Header().Set("bdk-session-id", "ses_1")
		w.Header().Set("bdk-continuation-token", "http:x")
		_, _ = fmt.Fprintf(w, line, 1)
	})
	c := New("http://host", &Options{Transport: InProcess(h)})
	started, seq, err := c.StartStream(context.Background(), Start{Message: "hi"})
	if err != nil || started != (Accepted{"ses_1", "http:x"}) {
		t.Fatalf("started %+v, %v", started, err)
	}
	n := 0
	for e, err := range seq {
		if err != nil || e.Index != 1 {
			t.Errorf("event %d, %v", e.Index, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d events", n)
	}
}

// sessions.md: "On shutdown a stream ends at a line's end."
func TestStream_ACutLineIsAnError(t *testing.T) {
	t.Parallel()
	c := New("http://host", &Options{Transport: InProcess(streamOf(fmt.Sprintf(line, 0)+`{"type":"mess`, nil))})
	var errs []error
	for _, err := range c.Stream(context.Background(), "ses_1", StreamQuery{}) {
		errs = append(errs, err)
	}
	if len(errs) != 2 || errs[0] != nil || !strings.Contains(fmt.Sprint(errs[1]), "inside a line") {
		t.Errorf("errors %v", errs)
	}
}

func TestStream_ContextEndsIt(t *testing.T) {
	t.Parallel()
	h := streamOf(fmt.Sprintf(line, 0), func(r *http.Request) { <-r.Context().Done() })
	s := httptest.NewServer(h)
	defer s.Close()
	for _, c := range []*Client{New(s.URL, nil), New("http://host", &Options{Transport: InProcess(h)})} {
		ctx, cancel := context.WithCancel(context.Background())
		var last error
		for _, err := range c.Stream(ctx, "ses_1", StreamQuery{}) {
			cancel()
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("ended with %v", last)
		}
		cancel()
	}
}

func TestStream_LeavingItEndsTheRequest(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	h := streamOf(fmt.Sprintf(line, 0), func(r *http.Request) { <-r.Context().Done(); close(ended) })
	c := New("http://host", &Options{Transport: InProcess(h)})
	for range c.Stream(context.Background(), "ses_1", StreamQuery{}) {
		break
	}
	<-ended
}

func TestInProcess_APanicBreaksTheBodyAlone(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{`)
		panic("oh no")
	})
	_, err := New("http://host", &Options{Transport: InProcess(h)}).Info(context.Background())
	if err == nil || !strings.Contains(err.Error(), "oh no") {
		t.Errorf("error %v", err)
	}
}

func TestInProcess_ContextEndsAHandlerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := New("http://host", &Options{Transport: InProcess(h)}).Info(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
