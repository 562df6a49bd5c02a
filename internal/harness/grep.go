package harness

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gobdk/bdk/actors/agent"
)

// Bounds of one search.
const (
	maxMatches     = 200
	maxMatchLine   = 400      // bytes that are shown of one line
	maxSearchBytes = 64 << 10 // of an answer
	maxSearchLine  = 1 << 20  // bytes of one line that are searched
)

type grepInput struct {
	Pattern    string `json:"pattern" jsonschema:"A regular expression in RE2 syntax, matched against each line."`
	Path       string `json:"path,omitempty" jsonschema:"The file or folder to search, relative to the workspace, which is also the default."`
	Glob       string `json:"glob,omitempty" jsonschema:"Only files whose path below the folder matches this pattern; one without a slash is matched against the name."`
	IgnoreCase bool   `json:"ignoreCase,omitempty" jsonschema:"Take letters of either case for the same."`
}

func (h *tools) grep() *agent.Tool {
	return tool("grep", "Finds lines in the text files of the workspace. It looks into .git and node_modules only where they are named.", h.findLines, nil)
}

func (h *tools) findLines(ctx context.Context, in grepInput, c *agent.Call) (string, error) {
	s, err := newSearch(&in)
	if err != nil {
		return "", err
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
	if p = v.find(p); p != "" && v.exists(p) && !v.isDir(p) {
		if err = s.file(ctx, v, p, true); err != nil && !errors.Is(err, errWalked) {
			return "", v.explain("searching", p, err)
		}
		return ended(s.found, err, "no line matches", "narrow the pattern")
	}
	if p, err = v.folder(in.Path); err != nil {
		return "", err
	}
	err = v.walk(ctx, p, p+"/"+in.Glob, func(file string, e entry) error {
		if e.dir || e.special || e.link != "" || !s.takes(below(p, file)) {
			return nil
		}
		err := s.file(ctx, v, file, false)
		if err != nil && !errors.Is(err, errWalked) && ctx.Err() == nil {
			return nil // one that cannot be read is passed by
		}
		return err
	})
	return ended(s.found, err, "no line matches", "narrow the pattern, or give a path or a glob")
}

// A search gathers matches.
type search struct {
	re, glob *regexp.Regexp
	// byName says that glob is for the name alone.
	byName bool
	found  []string
	bytes  int
	in     *bufio.Reader // of one file after the other
}

func newSearch(in *grepInput) (*search, error) {
	if in.Pattern == "" || len(in.Pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern is a text of 1 to %d bytes", maxPattern)
	}
	flags := ""
	if in.IgnoreCase {
		flags = "(?i)"
	}
	s := &search{byName: !strings.Contains(in.Glob, "/"), in: bufio.NewReaderSize(nil, maxSearchLine)}
	var err error
	if s.re, err = regexp.Compile(flags + in.Pattern); err != nil {
		return nil, fmt.Errorf("the pattern is no regular expression of RE2: %w", err)
	}
	if in.Glob != "" {
		s.glob, err = compile(strings.TrimPrefix(in.Glob, "./"))
	}
	return s, err
}

func (s *search) takes(p string) bool {
	switch {
	case s.glob == nil:
		return true
	case s.byName:
		return s.glob.MatchString(path.Base(p))
	}
	return s.glob.MatchString(p)
}

// file searches one file. Those that are no text are passed by, unless one is named.
func (s *search) file(ctx context.Context, v *view, p string, named bool) error {
	r, _, err := v.content(p)
	if err != nil {
		return err
	}
	defer r.Close()
	s.in.Reset(r)
	if begin, _ := s.in.Peek(sniffed); binary(begin) {
		if named {
			return errors.New("it is a binary file")
		}
		return nil
	}
	for line, whole := 1, true; ; {
		text, err := s.in.ReadSlice('\n')
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if at := s.re.FindIndex(bytes.TrimRight(text, "\r\n")); at != nil && len(text) > 0 && whole {
			if len(s.found) == maxMatches || s.bytes > maxSearchBytes {
				return errWalked
			}
			s.add(p, line, text, at)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if whole = err == nil; whole { // the rest of a line that is too long is not searched
			line++
		}
	}
}

// add keeps a match, with what is around it in a long line.
func (s *search) add(p string, line int, text []byte, at []int) {
	text = bytes.TrimRight(text, "\r\n")
	before, after := "", ""
	if len(text) > maxMatchLine {
		from := max(0, min(at[0]-maxMatchLine/4, len(text)-maxMatchLine))
		to := min(from+maxMatchLine, len(text))
		for from > 0 && from < to && !utf8.RuneStart(text[from]) {
			from++
		}
		for to < len(text) && to > from && !utf8.RuneStart(text[to]) {
			to--
		}
		if from > 0 {
			before = "…"
		}
		if to < len(text) {
			after = "…"
		}
		text = text[from:to]
	}
	s.found = append(s.found, fmt.Sprintf("%s:%d: %s%s%s", shown(p), line, before, valid(text), after))
	s.bytes += len(s.found[len(s.found)-1])
}
