package actors

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/rs/zerolog"
)

// Bounds of what the folders around say.
const (
	maxAmbientFile   = 32 << 10
	maxAmbient       = 128 << 10
	maxAmbientRules  = 50 // of one folder
	maxAmbientLevels = 30
)

// An ambientFile is one of the folders around, named as seen from the folder of work.
type ambientFile struct{ name, text string }

// ambient reads AGENTS.md and .cursor/rules of the folders around, outermost first:
// by default where the session works in a folder of the user's, which is read too, and
// where the agent asks for it those around the project. When there is too much, the
// outermost are left out. Hooks that lie there are never run.
func (r *agentRuntime) ambient(own string, log zerolog.Logger) []ambientFile {
	base := cmp.Or(own, r.Local.Cwd, r.Local.WorkspaceDir)
	users := base != ""
	if !users {
		base = r.Dir
	}
	wanted := users
	if r.Local.Ambient != nil {
		wanted = *r.Local.Ambient
	}
	if !wanted || !filepath.IsAbs(base) {
		return nil
	}
	w := &around{base: filepath.Clean(base), log: log}
	dir := w.base
	if !users {
		dir = filepath.Dir(dir)
	}
	for range maxAmbientLevels {
		w.folder(dir)
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	slices.Reverse(w.found)
	return w.found
}

// An around walks outwards and keeps what it finds, innermost first.
type around struct {
	base  string
	log   zerolog.Logger
	found []ambientFile
	bytes int
}

// folder reads one folder: within it AGENTS.md comes before the rules.
func (w *around) folder(dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	names := append([]string{"AGENTS.md"}, ruleNames(root)...)
	slices.Reverse(names)
	for _, name := range names {
		text, err := w.read(root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			w.log.Debug().Str("file", filepath.Join(dir, name)).Err(err).Msg("a file of a folder around is left out")
		default:
			w.keep(dir, name, text)
		}
	}
}

func (w *around) keep(dir, name, text string) {
	if strings.HasPrefix(name, rulesDir) {
		text, _ = alwaysRule(text)
	}
	if text = strings.TrimSpace(text); text == "" || w.bytes+len(text) > maxAmbient {
		return
	}
	w.bytes += len(text)
	shown, err := filepath.Rel(w.base, filepath.Join(dir, name))
	if err != nil {
		shown = name
	}
	w.found = append(w.found, ambientFile{name: filepath.ToSlash(shown), text: text})
}

const rulesDir = ".cursor/rules/"

// ruleNames lists the rules of a folder by name.
func ruleNames(root *os.Root) (names []string) {
	d, err := root.Open(strings.TrimSuffix(rulesDir, "/"))
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".md" || ext == ".mdc" {
			names = append(names, rulesDir+e.Name())
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxAmbientRules)]
}

// read gives a file of the folder. A link is followed inside of the folder only;
// what is no file, and what strangers may write, is refused.
func (w *around) read(root *os.Root, name string) (string, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold us
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is no file")
	}
	if err := w.trusted(info); err != nil {
		return "", err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxAmbientFile+1))
	if err != nil {
		return "", err
	}
	if len(b) > maxAmbientFile {
		return cutEnd(string(b), maxAmbientFile) + "\n(The rest is left out.)", nil
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), nil
}

// trusted refuses what others than we, root and the owner of the folder of work
// could have put there.
func (w *around) trusted(info fs.FileInfo) error {
	if info.Mode().Perm()&0o002 != 0 {
		return errors.New("everybody may write it")
	}
	owner, ok := ownerOf(info)
	if !ok || owner == 0 || owner == os.Geteuid() {
		return nil
	}
	if base, err := os.Stat(w.base); err == nil {
		if of, ok := ownerOf(base); ok && of == owner {
			return nil
		}
	}
	return fmt.Errorf("it belongs to another user, %d", owner)
}

// alwaysRule gives the body of a rule that holds always: one without front matter,
// or whose front matter says alwaysApply: true.
func alwaysRule(text string) (body string, ok bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \r") != "---" {
		return text, true
	}
	always := false
	for {
		var line string
		var more bool
		line, rest, more = strings.Cut(rest, "\n")
		if line = strings.TrimSpace(line); line == "---" {
			break
		}
		if !more {
			return "", false // it has no end
		}
		if value, ok := strings.CutPrefix(line, "alwaysApply:"); ok {
			value, _, _ = strings.Cut(value, "#")
			always = strings.TrimSpace(value) == "true"
		}
	}
	if !always {
		return "", false
	}
	return rest, true
}
