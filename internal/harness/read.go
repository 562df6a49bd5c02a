package harness

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// Bounds of one read.
const (
	maxLines     = 2000
	maxReadBytes = 64 << 10
)

type readInput struct {
	Path   string `json:"path" jsonschema:"The file, relative to the workspace."`
	Offset int    `json:"offset,omitempty" jsonschema:"The first line to show, from 1."`
	Limit  int    `json:"limit,omitempty" jsonschema:"How many lines to show. Up to 2000, which is also the default."`
}

func (h *tools) read() *agent.Tool {
	about := "Reads a text file of the workspace. A long file is shown in parts; the end of a part says how to go on."
	if h.skillsAlone {
		about = "Reads the files of the skills that are listed."
	}
	t := tool("read", about, h.readFile, nil)
	plain := t.Execute
	t.Execute = func(ctx context.Context, c *agent.Call) (agent.Result, error) {
		var facts []events.Payload
		res, err := plain(context.WithValue(ctx, factsKey{}, &facts), c)
		res.Facts = facts
		return res, err
	}
	return t
}

// factsKey is where a call's facts are gathered.
type factsKey struct{}

func (h *tools) readFile(ctx context.Context, in readInput, c *agent.Call) (string, error) {
	if in.Offset < 0 || in.Limit < 0 {
		return "", errors.New("offset and limit are not negative")
	}
	v, err := h.open(ctx, c)
	if err != nil {
		return "", err
	}
	defer v.close()
	p, err := v.clean(in.Path)
	if err != nil {
		return "", err
	}
	if p == "" {
		return "", errors.New("the path is missing, or is that of the workspace; ls lists it")
	}
	p = v.find(p)
	if h.skillsAlone && v.mountOf(p) == nil {
		return "", fmt.Errorf("reading %q: only the files of skills can be read: %s", p, h.skillPaths())
	}
	r, size, err := v.content(p)
	if err != nil {
		return "", v.explain("reading", p, err)
	}
	defer r.Close()
	text, err := lines(ctx, r, p, size, max(in.Offset, 1), in.Limit)
	if facts, ok := ctx.Value(factsKey{}).(*[]events.Payload); ok && err == nil {
		*facts = h.loaded(p)
	}
	return text, err
}

func (h *tools) skillPaths() string {
	paths := make([]string, len(h.Skills))
	for i, s := range h.Skills {
		paths[i] = SkillPath(s)
	}
	return strings.Join(paths, ", ")
}

// lines gives the lines of a file from a first one on, and a note where it goes on.
func lines(ctx context.Context, r io.Reader, p string, size int64, first, limit int) (string, error) {
	if limit == 0 || limit > maxLines {
		limit = maxLines
	}
	in := bufio.NewReaderSize(r, maxReadBytes)
	if begin, _ := in.Peek(sniffed); binary(begin) {
		return "", fmt.Errorf("reading %q: it is a binary file of %d bytes; read shows text", p, size)
	}
	if size == 0 {
		return "[the file is empty]", nil
	}
	had, ended, err := skipLines(ctx, in, first-1)
	if err != nil {
		return "", fmt.Errorf("reading %q: %w", p, err)
	}
	if ended {
		return "", fmt.Errorf("reading %q: it has %s, and offset is %d", p, plural(had, "line"), first)
	}
	pt := &part{}
	for pt.lines < limit && !pt.full {
		if err := pt.add(in); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", fmt.Errorf("reading %q: %w", p, err)
		}
	}
	return pt.text(in, first), nil
}

// skipLines passes n lines and says how many there were, and whether no line follows.
func skipLines(ctx context.Context, in *bufio.Reader, n int) (had int, ended bool, err error) {
	begun := false
	for had < n {
		line, err := in.ReadSlice('\n')
		begun = begun || len(line) > 0
		switch {
		case ctx.Err() != nil:
			return had, false, context.Cause(ctx)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && begun:
			return had + 1, true, nil
		case errors.Is(err, io.EOF):
			return had, true, nil
		case err != nil:
			return had, false, err
		}
		had++
		begun = false
	}
	_, err = in.Peek(1)
	return had, n > 0 && errors.Is(err, io.EOF), nil
}

// A part is what is shown of a file.
type part struct {
	b     strings.Builder
	lines int
	// full says that the next line has no room; long that the last one is cut.
	full, long bool
}

// add takes the next line, if there is room for it. io.EOF says that it was the last.
func (pt *part) add(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	tooLong := errors.Is(err, bufio.ErrBufferFull)
	switch {
	case err != nil && !tooLong && !errors.Is(err, io.EOF):
		return err
	case len(line) == 0:
		return err
	case pt.lines > 0 && (tooLong || pt.b.Len()+len(line) > maxReadBytes):
		pt.full = true // the next read begins with it
		return nil
	case tooLong:
		line, pt.long, pt.full = []byte(cutEnd(string(line), maxReadBytes-utf8.UTFMax)), true, true
		err = nil
	}
	pt.b.WriteString(valid(line))
	pt.lines++
	return err
}

// text is what is shown, with a note where the file goes on.
func (pt *part) text(in *bufio.Reader, first int) string {
	s := pt.b.String()
	last := first + pt.lines - 1
	if pt.long {
		return s + "\n[line " + itoa(last) + " goes on: it is longer than read shows; grep finds in it, and shell can cut what lies in the workspace]"
	}
	if _, err := in.Peek(1); err != nil && !pt.full {
		return s
	}
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s + "[the file goes on; read on with offset " + itoa(last+1) + "]"
}

func itoa(n int) string { return strconv.Itoa(n) }
