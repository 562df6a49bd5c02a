package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// An api plays a host: each "METHOD path" has answers that are given in order,
// the last one for ever. An answer is a body, or "status|body", and may be lines
// of NDJSON.
type api struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   []string
	log     buffer // asked, a line each
}

// fakeHost serves answers over HTTP and gives its URL. In single mode it is the agent itself.
func fakeHost(t *testing.T, answers map[string][]string) string {
	url, _ := fakeAPI(t, answers)
	return url
}

func fakeAPI(t *testing.T, answers map[string][]string) (string, *api) {
	t.Helper()
	a := &api{answers: map[string][]string{"GET /v1/info": {`{"ok":true}`}}}
	for k, v := range answers {
		a.answers[k] = v
	}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	return s.URL, a
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	answer := a.next(r, string(body))
	if strings.HasPrefix(answer, `{"type"`) {
		w.Header().Set("bdk-session-id", "ses_1")
		w.Header().Set("bdk-continuation-token", "http:1")
		answer += "\n"
	}
	if status, rest, ok := strings.Cut(answer, "|"); ok && len(status) == 3 {
		code := 0
		_, _ = fmt.Sscan(status, &code)
		w.WriteHeader(code)
		answer = rest
	}
	if rest, ok := strings.CutSuffix(answer, "…\n"); ok { // stays open
		_, _ = io.WriteString(w, rest)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	}
	_, _ = io.WriteString(w, answer)
}

func (a *api) next(r *http.Request, body string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+body))
	_, _ = io.WriteString(&a.log, a.asked[len(a.asked)-1]+"\n")
	key := r.Method + " " + r.URL.Path
	queue := a.answers[key]
	if len(queue) == 0 {
		return `404|{"ok":false,"error":"not_found","message":"no such route"}`
	}
	if len(queue) > 1 {
		a.answers[key] = queue[1:]
	}
	return queue[0]
}

// requests gives what was asked so far, but for the looking around at the start.
func (a *api) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []string
	for _, r := range a.asked {
		if r != "GET /v1/info" {
			list = append(list, r)
		}
	}
	return list
}

// script writes events as NDJSON: "type data" or "type" each, from an index on, all of turn t.
func script(from int, events ...string) string {
	var lines []string
	for i, e := range events {
		kind, data, _ := strings.Cut(e, " ")
		if data == "" {
			data = "{}"
		}
		turn := `"turnId":"t",`
		if strings.HasPrefix(kind, "session.") {
			turn = ""
		}
		lines = append(lines, fmt.Sprintf(`{"type":%q,"index":%d,"sessionId":"ses_1",%s"at":"2026-01-02T03:04:05.000Z","data":%s}`, kind, from+i, turn, data))
	}
	return strings.Join(lines, "\n")
}
