package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestWrite_WholeFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.want("write", `{"path":"a/b/c.txt","content":"ü"}`, "wrote a/b/c.txt: 2 bytes")
	r.want("write", `{"path":"a/b/c.txt","content":""}`, "replaced a/b/c.txt: 0 bytes")
	r.want("write", `{"path":"a/b","content":"x"}`, `error: writing "a/b": it is a folder`)
	r.want("write", `{"path":"a/b/c.txt/d","content":"x"}`, `error: writing "a/b/c.txt/d": a part of the path is a file`)
	r.want("write", `{"path":"","content":"x"}`, "error: the path is missing")
	must(t, os.Chmod(filepath.Join(r.dir, "a/b/c.txt"), 0o750))
	r.want("write", `{"path":"a/b/c.txt","content":"y"}`, "replaced a/b/c.txt: 1 byte")
	if info, err := os.Stat(filepath.Join(r.dir, "a/b/c.txt")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	if left, err := filepath.Glob(filepath.Join(r.dir, "a/b/.bdk-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// S14: "`AGENTS.md` and `.git/hooks/pre-commit` and `.cursor/hooks.json` (allowed names
// that change host behaviour: need an explicit rule)".
func TestWrite_NamesThatSteer(t *testing.T) {
	t.Parallel()
	ours, users := newRig(t, Options{}), newRig(t, Options{UserFolder: true})
	for _, p := range []string{".git/hooks/pre-commit", "sub/.GIT/config", ".cursor/hooks.json"} {
		for _, r := range []*rig{ours, users} {
			r.wantPart("write", fmt.Sprintf(`{"path":%q,"content":"x"}`, p), "error: path ")
		}
	}
	ours.wantPart("write", `{"path":"agents.md","content":"x"}`, "is where the agent's instructions go")
	users.want("write", `{"path":"AGENTS.md","content":"x"}`, "wrote AGENTS.md: 1 byte")
	ours.want("write", `{"path":"docs/AGENTS.md","content":"x"}`, "wrote docs/AGENTS.md: 1 byte")
}

func TestEdit_ExactlyOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	edit := func(old, new, more string) string {
		return fmt.Sprintf(`{"path":"f","old":%q,"new":%q%s}`, old, new, more)
	}
	r.file("f", "one\ntwo\ntwo\nTHREE\n")
	r.want("edit", edit("one", "1", ""), "edited f: 1 place, at line 1")
	r.want("edit", edit("two", "2", ""), `error: editing "f": the old text is there 2 times, at lines 2, 3; give more of what is around it, or set replaceAll`)
	r.want("edit", edit("two", "2", `,"replaceAll":true`), "edited f: 2 places, at line 2, 3")
	if got := r.has("f"); got != "1\n2\n2\nTHREE\n" {
		t.Errorf("the file is %q", got)
	}
	r.want("edit", edit("four", "4", ""), `error: editing "f": the old text is not there; read shows the file as it is`)
	r.want("edit", edit("one", "1", ""), `error: editing "f": the old text is not there, and the new one is: perhaps it was edited already`)
	r.want("edit", edit("three", "x", ""), `error: editing "f": the old text is not there with the same case of letters`)
	r.want("edit", edit("2  2", "x", ""), `error: editing "f": the old text is not there with the same white space; read shows it as it is`)
	r.file("f", "a\r\nb\r\n")
	r.want("edit", edit("a\nb", "x", ""), `error: editing "f": the old text is not there: the file ends its lines with \r\n, or old does`)
	r.want("edit", edit("", "x", ""), "error: old is empty; write makes a file")
	r.want("edit", edit("a", "a", ""), "error: old and new are the same text")
	r.want("edit", `{"path":"g","old":"a","new":"b"}`, `error: editing "g": there is no such file or folder; did you mean "f"?`)
	r.file("f", "\xff a \xff")
	r.want("edit", edit("a", "b", ""), "edited f: 1 place, at line 1")
	if got := r.has("f"); got != "\xff b \xff" {
		t.Errorf("bytes that are no text became %q", got)
	}
	r.file("f", "a\x00")
	r.want("edit", edit("a", "b", ""), `error: editing "f": it is a binary file`)
}

// "`write` and `edit` are idempotent writes": the call that a crash cut off runs again.
func TestEdit_RunsAgainAfterACrash(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.id = "call_again"
	const args = `{"path":"f","old":"import a","new":"import a\nimport b"}`
	r.file("f", "import a\n")
	r.want("edit", args, "edited f: 1 place, at line 1")
	r.want("edit", args, "edited f") // the same call: its result was not recorded
	if got := r.has("f"); got != "import a\nimport b\n" {
		t.Errorf("the file is %q", got)
	}
	note := filepath.Join(r.scratch.Notes, "edit-call_again")
	must(t, os.Rename(note+doneEnding, note)) // the crash came between the file and the note
	r.want("edit", args, "edited f")
	must(t, os.Rename(note+doneEnding, note))
	r.file("f", "import a\n") // and here before the file was there
	r.want("edit", args, "edited f: 1 place, at line 1")
}

// The same, where another call of the step changed the file before the crash: what an
// edit did is not done twice, whoever went on from there.
func TestEdit_RunsAgainAfterAnother(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.file("f", "import a\n")
	for range 2 {
		r.id = "call_1"
		r.do("edit", `{"path":"f","old":"import a\n","new":"import a\nimport b\n"}`)
		r.id = "call_2"
		r.do("edit", `{"path":"f","old":"import b\n","new":"import c\n"}`)
	}
	if got := r.has("f"); got != "import a\nimport c\n" {
		t.Errorf("the file is %q", got)
	}
}

// A write that a crash cut off leaves nothing beside the file when it runs again.
func TestWrite_RunsAgainAfterACrash(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	r.id = "call_again"
	v := &view{dir: r.dir, call: r.id}
	var err error
	v.root, err = os.OpenRoot(r.dir)
	must(t, err)
	defer v.close()
	must(t, v.writeAside(".bdk-"+v.call, []byte("half"), nil))
	r.want("write", `{"path":"f","content":"whole"}`, "wrote f: 5 bytes")
	r.want("glob", `{"pattern":"**"}`, "f")
}

// S14: a rule for names holds for what a path means, and not for its spelling alone.
func TestWrite_LinksToNamesThatSteer(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{UserFolder: true})
	r.file(".git/hooks/README", "x")
	r.file(".cursor/rules/a.md", "x")
	r.stateRoot = filepath.Join(r.dir, ".bdk")
	r.file(".bdk/db/log", "the host's")
	for name, to := range map[string]string{"docs": ".git/hooks", "here": ".", "editor": ".cursor", "state": ".bdk/db"} {
		must(t, os.Symlink(to, filepath.Join(r.dir, name)))
	}
	for _, p := range []string{"docs/pre-commit", "docs/new/x", "here/.git/config", "editor/hooks.json", "here/docs/pre-commit"} {
		r.wantPart("write", fmt.Sprintf(`{"path":%q,"content":"x"}`, p), "error: path "+fmt.Sprintf("%q", p))
	}
	for _, p := range []string{"state/log", "here/.bdk/db/log", "here/state/log"} {
		r.wantPart("read", fmt.Sprintf(`{"path":%q}`, p), "is the host's own")
		r.wantPart("write", fmt.Sprintf(`{"path":%q,"content":"x"}`, p), "is the host's own")
	}
	r.want("write", `{"path":"editor/rules/b.md","content":"x"}`, "wrote editor/rules/b.md: 1 byte")
}

func TestEdit_NotesDoNotGather(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	for i := range 3 * maxNotes {
		n := &note{root: r.scratch.Notes, name: fmt.Sprintf("edit-%d", i)}
		must(t, n.write([]byte{byte(i)}))
	}
	list, err := os.ReadDir(r.scratch.Notes)
	if err != nil || len(list) > maxNotes {
		t.Errorf("%d notes, %v", len(list), err)
	}
}

// Calls of one step run side by side: no edit takes another one back.
func TestEdit_SideBySide(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("line-%02d", i))
	}
	r.file("f", strings.Join(lines, "\n"))
	var all sync.WaitGroup
	for i := range lines {
		all.Go(func() {
			c := r.callOf(fmt.Sprintf(`{"path":"f","old":"line-%02d","new":"done-%02d"}`, i, i))
			c.ID = fmt.Sprintf("call_%d", i)
			if _, err := r.tools["edit"].Execute(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := strings.Count(r.has("f"), "done-"); got != len(lines) {
		t.Errorf("%d of %d edits are there", got, len(lines))
	}
}
