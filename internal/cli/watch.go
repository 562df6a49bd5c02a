package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A watcher looks for changed files below a folder. It compares what it sees from
// time to time, so that it notices every way of writing, on every file system, and
// needs nothing of the system.
type watcher struct {
	dir string
	// skip is a folder that is left out: the state root, which may lie inside.
	skip string
	// files are watched besides, wherever they lie.
	files []string
	// every is how long it rests between two looks, and settle how long nothing may
	// change before a change is told.
	every, settle time.Duration

	seen snapshot
}

// A snapshot is what was seen of each file, by its path.
type snapshot map[string]stamp

// A stamp changes with a file's content, as far as its folder tells.
type stamp struct {
	modified int64
	size     int64
	mode     fs.FileMode
}

// newWatcher sees the folder as it is now.
func newWatcher(dir, skip string, files []string) *watcher {
	w := &watcher{dir: dir, skip: skip, files: files, every: 300 * time.Millisecond, settle: 60 * time.Millisecond}
	w.seen = w.look()
	return w
}

// maxSettle is how many looks a change may take to come to an end.
const maxSettle = 50

// next waits for files that change and gives their paths, sorted; none when ctx ended.
func (w *watcher) next(ctx context.Context) []string {
	for rest := w.every; waited(ctx, rest); {
		began := time.Now()
		now := w.look()
		rest = max(w.every, 20*time.Since(began)) // a large folder is looked at less often
		if maps.Equal(now, w.seen) {
			continue
		}
		for range maxSettle {
			if !waited(ctx, w.settle) {
				return nil
			}
			again := w.look()
			if maps.Equal(again, now) {
				break
			}
			now = again
		}
		before := w.seen
		w.seen = now
		if changed := difference(before, now); len(changed) > 0 {
			return changed
		}
	}
	return nil
}

// waited waits for a while; false when ctx ended first.
func waited(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func difference(before, now snapshot) []string {
	var paths []string
	for p, s := range now {
		if old, ok := before[p]; !ok || old != s {
			paths = append(paths, p)
		}
	}
	for p := range before {
		if _, ok := now[p]; !ok {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// look sees every file that may matter.
func (w *watcher) look() snapshot {
	s := snapshot{}
	w.folder(s, w.dir, map[string]bool{})
	for _, file := range w.files {
		s.file(file)
	}
	return s
}

func (s snapshot) file(p string) {
	if info, err := os.Stat(p); err == nil {
		s[p] = stamp{info.ModTime().UnixNano(), info.Size(), info.Mode()}
	}
}

// folder looks at what lies in a folder, links followed; inside names the folders
// that it lies in, so that a link back to one of them ends.
func (w *watcher) folder(s snapshot, dir string, inside map[string]bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || inside[real] || dir == w.skip {
		return
	}
	inside[real] = true
	defer delete(inside, real)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if e.Name() == "node_modules" {
			s.file(filepath.Join(p, ".package-lock.json")) // npm writes it last
			continue
		}
		if !watched(e.Name()) && (!inSeeds(p) || e.Name() == ".git") {
			continue
		}
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			w.folder(s, p, inside)
		case info.Mode().IsRegular():
			s[p] = stamp{info.ModTime().UnixNano(), info.Size(), info.Mode()}
		}
	}
}

// unwatched are endings of files that no agent is loaded from.
var unwatched = []string{"~", ".swp", ".tmp", ".test.ts", ".spec.ts", ".eval.ts", ".eval.js", "evals.config.ts", ".d.ts"}

// inSeeds says whether a file lies among those that every workspace begins with: there
// it may have any name.
func inSeeds(p string) bool {
	const sep = string(filepath.Separator)
	return strings.Contains(p, sep+"sandbox"+sep+"workspace"+sep)
}

// pluginFiles are files and folders of plugins with a dot first.
var pluginFiles = []string{".cursor-plugin", ".claude-plugin", ".mcp.json"}

// watched says whether a file or folder of this name may matter.
func watched(name string) bool {
	if strings.HasPrefix(name, ".") {
		return strings.HasPrefix(name, ".env") || slices.Contains(pluginFiles, name)
	}
	return !strings.HasPrefix(name, "#") && !slices.ContainsFunc(unwatched, func(end string) bool { return strings.HasSuffix(name, end) })
}
