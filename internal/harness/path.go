package harness

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gobdk/bdk/internal/workspace"
)

// clean takes a path that a model gave: relative to the workspace, "" or "." for the
// workspace itself. A ./ before it and a slash after it mean nothing; whatever else is
// not plain is refused, not mended. The rest is os.Root's to hold.
func (v *view) clean(p string) (string, error) {
	switch {
	case len(p) > workspace.MaxPath:
		return "", fmt.Errorf("the path %q… is longer than %d bytes", cutEnd(p, 80), workspace.MaxPath)
	case !utf8.ValidString(p) || strings.ContainsRune(p, 0):
		return "", fmt.Errorf("the path %q is no text", p)
	case path.IsAbs(p) || filepath.IsAbs(p):
		return "", v.absolute(p)
	}
	for strings.HasPrefix(p, "./") {
		p = p[2:]
	}
	if p = strings.TrimSuffix(p, "/"); p == "" || p == "." {
		return "", nil
	}
	if v.ofHost(p) || v.host != "" && v.ofHost(v.resolved(p)) {
		return "", fmt.Errorf("the path %q is the host's own; it is not for tools", p)
	}
	for part := range strings.SplitSeq(p, "/") {
		switch part {
		case "":
			return "", fmt.Errorf("the path %q has an empty part", p)
		case ".", "..":
			return "", fmt.Errorf("the path %q has the part %s; paths are relative to the workspace and stay in it", p, part)
		}
	}
	return p, nil
}

// absolute refuses a path, and names the relative one where there is one.
func (v *view) absolute(p string) error {
	rel, err := filepath.Rel(v.dir, filepath.Clean(p))
	if err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("the path %q is not in the workspace; paths are relative to it", p)
	}
	return fmt.Errorf("the path %q is absolute; write %q", p, filepath.ToSlash(rel))
}

// forWriting takes a path that is to be written to: as strict as for files that a
// caller sends, in the one form in which names are stored.
func (v *view) forWriting(p string) (string, error) {
	p, err := v.clean(p)
	if err != nil {
		return "", err
	}
	if p == "" {
		return "", fmt.Errorf("the path is missing")
	}
	if m := v.mountOf(p); m != nil && m.keeps(p) {
		return "", fmt.Errorf("%s cannot be written to: %s", p, m.about)
	}
	if found := v.find(p); v.exists(found) { // whatever its name is, it is there
		p = found
	} else {
		p = norm.NFC.String(p)
		if err := workspace.CheckPath(p); err != nil {
			return "", err
		}
	}
	for _, name := range []string{p, v.resolved(p)} {
		if why := workspace.Reserved(name); why != "" && !(v.userFolder && workspace.IsInstructions(name)) {
			return "", &workspace.PathError{Path: p, Reason: why}
		}
	}
	return p, nil
}

// resolved follows the links in a path: the same file by its plain name. What is not
// there, and what lies outside, stays as it is. It says what a path means now: os.Root
// holds what must hold whatever happens beside.
func (v *view) resolved(p string) string {
	rest := ""
	for at := p; at != "." && filepath.IsLocal(at); at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(v.dir, at)); err == nil {
			if real := inside(v.dir, filepath.Join(v.dir, at)); real != "" || rest != "" {
				return path.Join(real, rest)
			}
			return p
		}
		rest = path.Join(path.Base(at), rest)
	}
	return p
}

// find gives the path under which a name is there: as it was given, or another
// spelling of the same characters. Where there is none it is as it was given.
func (v *view) find(p string) string {
	if isASCII(p) || v.exists(p) {
		return p
	}
	at := ""
	for part := range strings.SplitSeq(p, "/") {
		next := path.Join(at, part)
		if !v.exists(next) {
			same := v.sameName(at, part)
			if same == "" {
				return p
			}
			next = path.Join(at, same)
		}
		at = next
	}
	return at
}

// sameName finds a name of a folder that consists of the same characters.
func (v *view) sameName(dir, name string) string {
	entries, err := v.entries(dir)
	if err != nil {
		return ""
	}
	want := norm.NFC.String(name)
	for _, e := range entries {
		if norm.NFC.String(e.name) == want {
			return e.name
		}
	}
	return ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
