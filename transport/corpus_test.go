package transport

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// "S14 corpus (each must be 400 and leave no file)". Where one path is fine by itself,
// it is the set that is refused.
var corpus = [][]string{
	{"/etc/x"}, {"../x"}, {"a/../../x"}, {`a\..\x`}, {`C:\x`}, {"C:x"}, {`\\srv\s\x`}, {"//srv/x"}, {"a//b"}, {"./a"}, {"a/."}, {""}, {" "},
	{"a\u0000b"}, {"a\nb"}, {"a."}, {"a "}, {"CON"}, {"nul.txt"}, {"aux/x"}, {"a:b"}, {"~/.ssh/x"}, {"%2e%2e/x"},
	{"\u00e9", "e\u0301"}, {"A.txt", "a.txt"}, {"a", "a/b"}, {"．．/x"}, {"ﬀ"}, {strings.Repeat("n", 256)},
	{"AGENTS.md"}, {".git/hooks/pre-commit"}, {".cursor/hooks.json"}, {"fine", "../x"},
}

func TestStart_WorkspaceFilesCorpus(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.serve(nil)
	many := make([]string, 5000)
	for i := range many {
		many[i] = "f" + strconv.Itoa(i)
	}
	post := func(paths []string, content string) answer {
		files := map[string]string{}
		for _, p := range paths {
			files[p] = content
		}
		return c.do("POST", "/bot/v1/session", encode(map[string]any{"message": "x", "workspaceFiles": files}))
	}
	for _, paths := range append(corpus, many) {
		m := post(paths, "x").want(t, 400, "invalid_path")
		if text, _ := m["message"].(string); !strings.HasPrefix(text, "workspaceFiles") || len(text) > 1500 {
			t.Errorf("%.100q: the message is %.200q", paths, text)
		}
	}
	if a := post([]string{"big"}, strings.Repeat("x", 50<<20)); a.status != 413 && a.status != 0 { // 0: cut off while it was sent
		t.Errorf("50 MB content: %d", a.status)
	}
	if n := len(c.do("GET", "/bot/v1/sessions", "").want(t, 200, "")["sessions"].([]any)); n != 0 {
		t.Errorf("%d sessions were opened", n)
	}
	for _, dir := range []string{"content", "workspaces"} {
		if _, err := os.Stat(filepath.Join(w.journal.Dir(), dir)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("refused files left a folder %s: %v", dir, err)
		}
	}
	post([]string{"~", "\u00e9.txt", "a b.txt"}, "x").want(t, 202, "") // "plain name `~` allowed only literally"
}
