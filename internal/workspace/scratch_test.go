package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestScratch_IsBesideTheWorkspace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	dir, err := b.w.Dir("ses_1", func() (Seed, error) { return Seed{Instructions: "x"}, nil })
	must(t, err)
	s, err := b.w.Scratch("ses_1")
	must(t, err)
	for _, d := range []string{s.Home, s.Tmp, s.Notes} {
		if info, err := os.Stat(d); err != nil || !info.IsDir() || !filepath.IsAbs(d) {
			t.Errorf("%s: %v", d, err)
		}
		if rel, err := filepath.Rel(dir, d); err != nil || filepath.IsLocal(rel) {
			t.Errorf("%s lies in the workspace", d)
		}
	}
	must(t, os.WriteFile(filepath.Join(s.Notes, "note"), []byte("kept"), 0o600))
	b.open(t)
	again, err := b.w.Scratch("ses_1")
	if err != nil || again != s || tree(t, again.Notes)["note"] != "kept" {
		t.Errorf("after a restart: %+v, %v", again, err)
	}
	if _, err := b.w.Scratch("../ses_1"); err == nil {
		t.Error("Scratch took a path as an id")
	}
}

func TestRemove_LeavesOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []string{"s1", "s10"} {
		_, err := b.w.Dir(id, func() (Seed, error) { return Seed{Instructions: id}, nil })
		must(t, err)
		s, err := b.w.Scratch(id)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(s.Tmp, "t"), []byte(id), 0o600))
	}
	must(t, b.w.Remove("s1"))
	must(t, b.w.Remove("s1"))
	got := tree(t, filepath.Join(b.dir, "sessions"))
	if len(got) != 2 || got["s10/AGENTS.md"] != "s10" {
		t.Errorf("left are %v", got)
	}
	if err := b.w.Remove("."); err == nil {
		t.Error("Remove took a path as an id")
	}
}

// "`AGENTS.md` (the instructions), `.cursor/skills/**`, the agent's `sandbox/workspace/**`,
// then `workspaceFiles`": the later wins, also where one needs a folder and the other is a file.
func TestDir_TheLaterWins(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sent := b.put(t, "sent")
	dir, err := b.w.Dir("ses_1", func() (Seed, error) {
		return Seed{Instructions: "Be brief.", Files: []File{
			{Path: ".cursor/skills/a/SKILL.md", Content: []byte("skill")},
			{Path: "AGENTS.md", Content: []byte("seed")},
			{Path: "file", Content: []byte("a file first")}, {Path: "folder/x", Content: []byte("a folder first")}, {Path: "empty", Content: nil},
			{Path: "file/x", SHA256: sent}, {Path: "folder", SHA256: sent},
		}}, nil
	})
	must(t, err)
	want := map[string]string{"AGENTS.md": "seed", ".cursor/skills/a/SKILL.md": "skill", "file/x": "sent", "folder": "sent", "empty": ""}
	got := tree(t, dir)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %q, want %q", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("there is %v", got)
	}
}
