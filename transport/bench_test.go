package transport

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
)

// BenchmarkRoute is what finding an endpoint costs: the first of the table and the last.
func BenchmarkRoute(b *testing.B) {
	r, err := newRouter(&Options{Mode: ModeMulti})
	if err != nil {
		b.Fatal(err)
	}
	for name, req := range map[string]*http.Request{
		"start":  httptest.NewRequest("POST", "/bot/v1/session", nil),
		"stream": httptest.NewRequest("GET", "/bot/v1/session/ses_01J0000000000000000000000A/stream?until=idle", nil),
		"agents": httptest.NewRequest("GET", "/v1/agents", nil),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if e, _ := r.find(req); e == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}

// BenchmarkScanObject is what reading a small body strictly costs.
func BenchmarkScanObject(b *testing.B) {
	body := []byte(`{"message":"What can you do for me today?","title":"A title"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, f := scan(body); f != nil {
			b.Fatal(f.message)
		}
	}
}

// BenchmarkTurn is one turn over HTTP on a disk in memory: a start, then its
// stream until the session is idle.
func BenchmarkTurn(b *testing.B) {
	j, err := journal.Open(b.TempDir(), &journal.Options{FS: vfs.NewMem()})
	if err != nil {
		b.Fatal(err)
	}
	views, err := projections.Start(b.Context(), &projections.Options{Journal: j})
	if err != nil {
		b.Fatal(err)
	}
	host, err := actors.Start(b.Context(), &actors.Options{Journal: j, Views: views, Agents: []*agent.Agent{{Slug: "bot"}}, Models: scriptedModels{}, DeltaWindow: -1, MinFreeBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	h, err := NewHandler(&Options{Host: host, Views: views})
	if err != nil {
		b.Fatal(err)
	}
	srv := httptest.NewServer(h)
	b.Cleanup(func() {
		srv.Close()
		_ = host.Close(context.Background())
		_ = views.Close(context.Background())
		_ = j.Close()
	})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			turn(b, srv)
		}
	})
}

func turn(b *testing.B, srv *httptest.Server) {
	res, err := srv.Client().Post(srv.URL+"/bot/v1/session", "application/json", strings.NewReader(`{"message":"hello"}`))
	if err != nil {
		b.Error(err)
		return
	}
	body, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	_, id, _ := strings.Cut(string(body), `"sessionId":"`)
	id, _, _ = strings.Cut(id, `"`)
	if res, err = srv.Client().Get(srv.URL + "/bot/v1/session/" + id + "/stream?until=idle"); err != nil {
		b.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
}
