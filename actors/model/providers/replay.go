package providers

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/replay"
	"github.com/gobdk/bdk/events"
)

const (
	replayName   = "replay"
	replayPrefix = replayName + ":"
)

// A recording is a model that gives one back; that of a file is as good as the file
// is unchanged.
type recording struct {
	modified time.Time
	size     int64
	model    *replay.Model
	err      error
}

// replay gives the model of "replay:<session>" or "replay:<file>".
func (r *Resolver) replay(name, dir string) (model.Resolved, error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return model.Resolved{}, failed(fmt.Errorf("model replay: names no recording; write replay:<id of a session> or replay:<file with its events>"))
	case r.o.Sessions == nil:
		return model.Resolved{}, failed(fmt.Errorf("model replay:%s: there are no sessions here that could be replayed, %s", name, offline))
	}
	rec, err := r.recording(name, dir)
	if err != nil {
		return model.Resolved{}, failed(err)
	}
	return model.Resolved{Model: rec.model, Name: replayName, Request: replayName}, nil
}

func (r *Resolver) recording(name, dir string) (recording, error) {
	if events.IsSessionID(name) {
		return r.keepRecording(name, func() recording {
			return recording{model: replay.New(replay.Options{
				Name: name, Log: r.o.Sessions,
				Recorded: func(ctx context.Context) replay.Lines { return r.o.Sessions(ctx, name) },
			})}
		}, nil), nil
	}
	file, info, err := firstFile(placesOf(name, dir))
	if err != nil {
		return recording{}, fmt.Errorf("model replay:%s: %w", name, err)
	}
	if info == nil {
		return recording{}, fmt.Errorf("model replay:%s: that is no id of a session, and the file %s does not exist", name, placesOf(name, dir)[0])
	}
	rec := r.keepRecording(file, func() recording {
		recorded, err := replay.Load(file)
		return recording{modified: info.ModTime(), size: info.Size(), err: err, model: replay.New(replay.Options{Name: name, Log: r.o.Sessions, Recorded: recorded})}
	}, info)
	return rec, rec.err
}

// maxRecordings is how many are kept in memory.
const maxRecordings = 256

// keepRecording gives what is kept under a key, or makes it; info is that of its file.
// Nobody waits for the files of others: two who ask for a new one at once may both read it.
func (r *Resolver) keepRecording(key string, load func() recording, info fs.FileInfo) recording {
	r.mu.Lock()
	rec, ok := r.replays[key]
	r.mu.Unlock()
	if ok && (info == nil || rec.modified.Equal(info.ModTime()) && rec.size == info.Size()) {
		return rec
	}
	rec = load()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.replays) >= maxRecordings {
		clear(r.replays)
	}
	r.replays[key] = rec
	return rec
}
