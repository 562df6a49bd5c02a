//go:build unix

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// outside makes a folder with a secret beside the workspace, whose name begins with
// the workspace's own (S15: "root /ws/s1 must not admit /ws/s10").
func outside(t *testing.T, r *rig) string {
	t.Helper()
	dir := r.dir + "0"
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o644))
	return dir
}

// S16: "refuse devices/FIFOs/hardlinks to outside; opening a FIFO must not hang".
func TestTools_LinksAndPipes(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	out := outside(t, r)
	at := func(name string) string { return filepath.Join(r.dir, name) }
	r.file("in/plain", "plain")
	must(t, os.Symlink(filepath.Join(out, "secret"), at("leaf")))
	must(t, os.Symlink("../"+filepath.Base(out), at("folder")))
	must(t, os.Symlink("in", at("inside")))
	must(t, os.Symlink("in/plain", at("alias")))
	must(t, os.Link(filepath.Join(out, "secret"), at("hard")))
	must(t, syscall.Mkfifo(at("pipe"), 0o644))
	must(t, os.Symlink("/dev/zero", at("zero")))

	const leads = ": it is, or lies behind, a link that leads out of the workspace"
	for _, p := range []string{"leaf", "folder/secret", "zero"} {
		r.want("read", fmt.Sprintf(`{"path":%q}`, p), fmt.Sprintf("error: reading %q", p)+leads)
	}
	r.want("read", `{"path":"hard"}`, `error: reading "hard": it is a file with several names (hard links), which is refused; a copy of it is fine`)
	r.want("read", `{"path":"pipe"}`, `error: reading "pipe": it is not a plain file`)
	r.want("read", `{"path":"alias"}`, "plain")
	r.want("read", `{"path":"inside/plain"}`, "plain")
	r.want("ls", `{"path":"inside"}`, "plain (5 bytes)")
	r.wantPart("ls", `{"path":"folder"}`, "error: ")
	r.want("ls", `{}`, "alias -> in/plain\nfolder -> ../"+filepath.Base(out)+"\nhard (6 bytes)\nin/\ninside -> in\nleaf -> "+out+"/secret\npipe (not a plain file)\nzero -> /dev/zero")
	r.want("grep", `{"pattern":"secret|plain"}`, "in/plain:1: plain")
	r.want("glob", `{"pattern":"**/secret"}`, "[no path matches]")
	r.want("write", `{"path":"leaf","content":"x"}`, `error: writing "leaf": it is a link; write to what it points to`)
	r.wantPart("write", `{"path":"folder/secret","content":"x"}`, "error: ")
	r.wantPart("write", `{"path":"folder/new","content":"x"}`, "error: ")
	r.want("write", `{"path":"pipe","content":"x"}`, `error: writing "pipe": it is not a plain file`)
	r.want("write", `{"path":"hard","content":"x"}`, "replaced hard: 1 byte") // a new file under the name
	r.want("edit", `{"path":"leaf","old":"secret","new":"x"}`, `error: writing "leaf": it is a link; write to what it points to`)
	for _, p := range []string{filepath.Join(out, "secret"), "../" + filepath.Base(out) + "/secret", "in/../../" + filepath.Base(out) + "/secret"} {
		r.wantPart("read", fmt.Sprintf(`{"path":%q}`, p), "error: the path ")
	}
	r.want("read", fmt.Sprintf(`{"path":%q}`, at("in/plain")), fmt.Sprintf("error: the path %q is absolute; write %q", at("in/plain"), "in/plain"))
	if b, err := os.ReadFile(filepath.Join(out, "secret")); err != nil || string(b) != "secret" {
		t.Errorf("the secret is %q, %v", b, err)
	}
	if list, err := os.ReadDir(out); err != nil || len(list) != 1 {
		t.Errorf("outside there is %v, %v", list, err)
	}
	users := newRig(t, Options{UserFolder: true})
	must(t, os.Link(filepath.Join(out, "secret"), filepath.Join(users.dir, "hard")))
	users.want("read", `{"path":"hard"}`, "secret") // the user's own files may have several names
}

// A state root that lies in a folder of the user's is not a file of theirs.
func TestTools_StateRootInTheFolder(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{UserFolder: true})
	r.file("own.txt", "mine")
	r.file("sub/.bdk/db/000001.log", "the host's")
	r.stateRoot = filepath.Join(r.dir, "sub", ".bdk")
	r.want("glob", `{"pattern":"**"}`, "own.txt\nsub/")
	r.want("grep", `{"pattern":"."}`, "own.txt:1: mine")
	r.want("ls", `{"path":"sub"}`, "[the folder is empty]")
	for name, args := range map[string]string{"read": "", "write": `,"content":"x"`, "edit": `,"old":"the","new":"x"`, "ls": "", "grep": `,"pattern":"."`, "glob": `,"pattern":"*"`} {
		r.wantPart(name, `{"path":"sub/.bdk/db/000001.log"`+args+`}`, "error: the path \"sub/.bdk/db/000001.log\" is the host's own")
		r.wantPart(name, `{"path":"./sub/.bdk/"`+args+`}`, "error: the path \"sub/.bdk\" is the host's own")
	}
	if got := inside(r.dir, r.dir+"0"); got != "" {
		t.Errorf("a folder beside it counts as %q", got)
	}
}

// S16: "TOCTOU symlink swap by shell tool … Race test swapping dir↔symlink 10k times".
func TestTools_FolderSwappedForLink(t *testing.T) {
	t.Parallel()
	r := newRig(t, Options{})
	out := t.TempDir()
	must(t, os.WriteFile(filepath.Join(out, "secret"), []byte("TOP SECRET"), 0o644))
	must(t, os.WriteFile(filepath.Join(out, "SECRET"), nil, 0o644))
	at := func(name string) string { return filepath.Join(r.dir, name) }
	r.file("real/secret", "inside")
	must(t, os.Symlink(out, at("link")))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 10_000 {
			_ = os.Rename(at("real"), at("d"))
			_ = os.Rename(at("d"), at("real"))
			_ = os.Rename(at("link"), at("d"))
			_ = os.Rename(at("d"), at("link"))
		}
	}()
	for alive := true; alive; {
		select {
		case <-done:
			alive = false
		default:
		}
		for _, text := range []string{
			r.do("read", `{"path":"d/secret"}`), r.do("grep", `{"pattern":".*","path":"d"}`), r.do("ls", `{"path":"d"}`),
			r.do("write", `{"path":"d/new","content":"x"}`), r.do("edit", `{"path":"d/secret","old":"secret","new":"x"}`),
		} {
			if strings.Contains(text, "SECRET") {
				t.Fatalf("read from outside: %q", text)
			}
		}
	}
	if list, err := os.ReadDir(out); err != nil || len(list) != 2 {
		t.Fatalf("outside there is %v, %v", list, err)
	}
	if b, err := os.ReadFile(filepath.Join(out, "secret")); err != nil || string(b) != "TOP SECRET" {
		t.Fatalf("the secret is %q, %v", b, err)
	}
}

// "Workspace files never leave the session root for any input name", through os.Root
// or not: whatever the path, nothing outside is shown or changed.
func FuzzPath(f *testing.F) {
	for _, p := range []string{
		"/etc/x", "../x", "a/../../x", `a\..\x`, `C:\x`, "C:x", `\\srv\s\x`, "//srv/x", "a//b", "./a", "a/.", "", " ", "a\x00b", "a\nb", "a.", "a ",
		"CON", "nul.txt", "aux/x", "a:b", "~/.ssh/x", "%2e%2e/x", "e\u0301", "．．/x", "ﬀ", "folder/secret", "leaf", "inside/plain", "hard", ".", "./.", "././a/",
		"memory/../leaf", "memory/x", "in/plain/..", "\xff", "d/./..", "..", "../", "...", "..a", "leaf/", "folder/", "memory//x",
	} {
		f.Add(p)
	}
	files := newFiles(f)
	f.Fuzz(func(t *testing.T, p string) {
		r := newRigOn(t, Options{}, files)
		out := t.TempDir()
		const secret = "nobody may see this"
		must(t, os.WriteFile(filepath.Join(out, "secret"), []byte(secret), 0o644))
		r.file("in/plain", "plain")
		must(t, os.Symlink(filepath.Join(out, "secret"), filepath.Join(r.dir, "leaf")))
		must(t, os.Symlink(out, filepath.Join(r.dir, "folder")))
		must(t, os.Symlink("in", filepath.Join(r.dir, "inside")))
		v := &view{dir: r.dir}
		clean, err := v.clean(p)
		if err == nil && clean != "" && !filepath.IsLocal(clean) {
			t.Fatalf("%q was taken as %q", p, clean)
		}
		args := quoted(p)
		for _, text := range []string{
			r.do("read", `{"path":`+args+`}`), r.do("ls", `{"path":`+args+`}`), r.do("grep", `{"pattern":"nobody","path":`+args+`}`),
			r.do("glob", `{"pattern":"*","path":`+args+`}`), r.do("write", `{"path":`+args+`,"content":"x"}`), r.do("edit", `{"path":`+args+`,"old":"nobody","new":"x"}`),
		} {
			if strings.Contains(text, secret) {
				t.Fatalf("%q shows what is outside: %q", p, text)
			}
		}
		if list, err := os.ReadDir(out); err != nil || len(list) != 1 {
			t.Fatalf("%q: outside there is %v, %v", p, list, err)
		}
		if b, err := os.ReadFile(filepath.Join(out, "secret")); err != nil || string(b) != secret {
			t.Fatalf("%q: the secret is %q, %v", p, b, err)
		}
	})
}
