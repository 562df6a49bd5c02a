package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	dto "github.com/prometheus/client_model/go"
)

// A bare is the floor: net/http and Pebble, with nothing in between. It answers the
// same two requests and puts the same bytes on disk with as many synced writes, and
// keeps no promise else.
type bare struct {
	db      *pebble.DB
	tmpl    *template
	appends atomic.Uint64

	// turns maps a session's id to what its stream will say.
	turns sync.Map // string → chan [][]byte
}

// floor is the child that serves the floor: args are its folder and the template.
func floor(args []string) error {
	tmpl, err := readTemplate(args[1])
	if err != nil {
		return err
	}
	db, err := pebble.Open(args[0], &pebble.Options{
		FormatMajorVersion: pebble.FormatNewest, MemTableSize: 32 << 20, Logger: quiet{},
	})
	if err != nil {
		return err
	}
	b := &bare{db: db, tmpl: tmpl}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/session", b.start)
	mux.HandleFunc("GET /v1/session/{id}/stream", b.stream)
	about := http.NewServeMux()
	about.HandleFunc("GET /usage", func(w http.ResponseWriter, _ *http.Request) { sayJSON(w, b.usage()) })
	return errors.Join(serveChild(&http.Server{Handler: mux}, about), db.Close())
}

// start writes the first append and answers; the others follow by themselves, as a
// turn does.
func (b *bare) start(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in struct{ Message string }
	if err != nil || json.Unmarshal(body, &in) != nil || in.Message == "" {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	id := newID()
	batches := b.tmpl.batches(id)
	if err := b.write(id, 0, batches[0]); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	done := make(chan [][]byte, 1)
	b.turns.Store(id, done)
	go func() {
		lines := batches[0]
		for _, batch := range batches[1:] {
			if b.write(id, len(lines), batch) != nil {
				break
			}
			lines = append(lines, batch...)
		}
		done <- lines
	}()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "sessionId": id, "continuationToken": "http:" + id})
}

// stream waits for the turn's end and says its lines.
func (b *bare) stream(w http.ResponseWriter, r *http.Request) {
	done, ok := b.turns.LoadAndDelete(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	var out []byte
	for _, line := range <-done.(chan [][]byte) {
		out = append(append(out, line...), '\n')
	}
	_, _ = w.Write(out)
}

func (b *bare) write(id string, from int, lines [][]byte) error {
	batch := b.db.NewBatch()
	defer batch.Close()
	for i, line := range lines {
		key := binary.BigEndian.AppendUint64(append([]byte{'e'}, id...), uint64(from+i))
		if err := batch.Set(key, line, nil); err != nil {
			return err
		}
	}
	b.appends.Add(1)
	return batch.Commit(pebble.Sync)
}

func (b *bare) usage() usage {
	u := ownUsage()
	u.Appends = b.appends.Load()
	var h dto.Metric
	if b.db.Metrics().LogWriter.FsyncLatency.Write(&h) == nil {
		u.Syncs = h.GetHistogram().GetSampleCount()
	}
	return u
}

// quiet drops what Pebble tells.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	pebble.DefaultLogger.Fatalf(format, args...)
}
