package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// host.md: "Nothing is sent unless an OTLP endpoint is set"; "Traces: request, turn, model
// step, tool, subagent". What a command did is sent before it ends.
func TestRun_SendsSpans(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var names []string
	to := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/traces" {
			return
		}
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("what was sent cannot be read: %v", err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, rs := range sent.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					names = append(names, s.Name)
				}
			}
		}
	}))
	defer to.Close()
	b := newBench(t, "init", "traced")
	b.want(t, ExitOK, "", "")
	r := newBench(t, "run", "--text", "--message", "add buy milk", "--dir", b.Dir+"/traced")
	r.Environ = append(r.Environ, "OTEL_EXPORTER_OTLP_ENDPOINT="+to.URL)
	r.want(t, ExitOK, `Added "buy milk".`, "")
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"invoke_agent traced", "chat scripted", "execute_tool add_task", "GET /{agent}/v1/session/{sessionId}/stream"} {
		if !slices.Contains(names, want) {
			t.Errorf("no span %s: %q", want, names)
		}
	}
}
