package memory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Where the journals lie among the deployment's files. A folder has its newest lines
// in FileName; earlier ones lie beside it, in files that are named by the time of
// their first line, such as journal-20260304T050607008Z.jsonl.
const (
	// Dir has the journal of all users.
	Dir = "memory"
	// FileName is the journal in its folder.
	FileName = "journal.jsonl"
	// PrincipalsDir has a folder for each owner, with Options.PerPrincipal.
	PrincipalsDir = Dir + "/principals"
)

// PrincipalDir is the folder of one owner's journal.
func PrincipalDir(p events.Principal) string { return PrincipalsDir + "/" + ownerOf(p) }

// ownerOf is a name for a principal that says nothing about it.
func ownerOf(p events.Principal) string {
	sum := sha256.Sum256(encode(p)) // field by field: no two principals have one text
	return hex.EncodeToString(sum[:16])
}

// maxSizes is how many files' sizes are remembered; others are looked up.
const maxSizes = 10_000

// A journal appends to files and begins new ones. Appends to one file follow each other.
type journal struct {
	lanes [64]sync.Mutex // by the file's folder

	mu    sync.Mutex
	sizes map[string]int // of the newest file of a folder
}

var seed = maphash.MakeSeed()

func (j *journal) append(ctx context.Context, files agent.Files, dir string, line []byte, o *Options) error {
	lane := &j.lanes[maphash.String(seed, dir)%uint64(len(j.lanes))]
	lane.Lock()
	defer lane.Unlock()
	size, err := j.size(ctx, files, dir)
	if err != nil {
		return err
	}
	if size > 0 && size+len(line) > o.MaxBytes {
		if err := rotate(ctx, files, dir, line, o); err != nil {
			j.set(dir, -1)
			return err
		}
		j.set(dir, len(line))
		return nil
	}
	if err := files.Append(ctx, agent.FileScope{}, dir+"/"+FileName, line); err != nil {
		j.set(dir, -1)
		return fmt.Errorf("memory: adding to the journal: %w", err)
	}
	j.set(dir, size+len(line))
	return nil
}

// size of the newest file.
func (j *journal) size(ctx context.Context, files agent.Files, dir string) (int, error) {
	j.mu.Lock()
	size, ok := j.sizes[dir]
	j.mu.Unlock()
	if ok {
		return size, nil
	}
	b, err := read(ctx, files, dir+"/"+FileName)
	return len(b), err
}

// set remembers a size; a negative one is forgotten.
func (j *journal) set(dir string, size int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.sizes) >= maxSizes {
		clear(j.sizes)
	}
	j.sizes[dir] = size
	if size < 0 {
		delete(j.sizes, dir)
	}
}

// rotate puts the newest file aside and begins it again with a line. When it is cut
// off, it is done again: the file that was put aside has a name by what is in it.
func rotate(ctx context.Context, files agent.Files, dir string, line []byte, o *Options) error {
	content, err := read(ctx, files, dir+"/"+FileName)
	if err == nil && o.Keep > 0 && len(content) > 0 {
		err = putAside(ctx, files, dir, content)
	}
	if err == nil {
		err = files.Write(ctx, agent.FileScope{}, dir+"/"+FileName, line)
	}
	if err == nil {
		err = prune(ctx, files, dir, o.Keep)
	}
	if err != nil {
		return fmt.Errorf("memory: beginning a new journal: %w", err)
	}
	return nil
}

func putAside(ctx context.Context, files agent.Files, dir string, content []byte) error {
	stem := dir + "/journal-" + firstTime(content)
	for n := 1; ; n++ {
		name := stem + ".jsonl"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.jsonl", stem, n)
		}
		there, err := read(ctx, files, name)
		switch {
		case err != nil:
			return err
		case bytes.Equal(there, content):
			return nil
		case there == nil:
			return files.Write(ctx, agent.FileScope{}, name, content)
		}
	}
}

// firstTime is that of the first line, in a form that sorts and can stand in a name.
func firstTime(content []byte) string {
	first, _, _ := bytes.Cut(content, []byte("\n"))
	var l Line
	if err := json.Unmarshal(first, &l); err == nil {
		if at, err := time.Parse(timeLayout, l.At); err == nil {
			return strings.Replace(at.Format("20060102T150405.000Z"), ".", "", 1)
		}
	}
	return "0"
}

// prune deletes all but the newest of the files that were put aside.
func prune(ctx context.Context, files agent.Files, dir string, keep int) error {
	names, err := files.List(ctx, agent.FileScope{}, dir+"/journal-")
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-keep)] {
		if _, err := files.Delete(ctx, agent.FileScope{}, name); err != nil {
			return err
		}
	}
	return nil
}

// read gives a file's content, nil when there is none.
func read(ctx context.Context, files agent.Files, name string) ([]byte, error) {
	b, err := files.Read(ctx, agent.FileScope{}, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("memory: reading %s: %w", name, err)
	case b == nil:
		return []byte{}, nil
	}
	return b, nil
}
