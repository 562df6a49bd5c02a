package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind_NoProject(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "full/demo/bot/instructions.md"), []byte("x"))
	writeFile(t, filepath.Join(root, "other/agent/main.go"), []byte("package agent"))
	writeFile(t, filepath.Join(root, "other/bot/lib/x.ts"), []byte("export {}"))
	if err := os.Mkdir(filepath.Join(root, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"absent":                        "does not exist",
		"empty":                         "bdk init",
		"other":                         "bdk init",
		"full/demo/bot/instructions.md": "is a file",
		"full/demo/bot":                 "give the folder above it, " + filepath.Join(root, "full/demo"),
	} {
		places, err := Find(filepath.Join(root, dir))
		if !errors.Is(err, ErrNoProject) || !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%s) gives %v and the error %v, want one that says %q", dir, places, err, want)
		}
		if _, err := Load(context.Background(), filepath.Join(root, dir), nil); !errors.Is(err, ErrNoProject) {
			t.Errorf("Load(%s) gives the error %v", dir, err)
		}
	}
}

// "A directory that is a project serves that project; a directory of projects serves each."
func TestFind_ProjectBeforeProjects(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "bot/instructions.md"), []byte("x"))
	writeFile(t, filepath.Join(root, "inner/bot/instructions.md"), []byte("x"))
	places, err := Find(root)
	if err != nil || len(places) != 1 || places[0].Dir != root || places[0].Root != "bot" {
		t.Errorf("Find gives %v, %v", places, err)
	}
}

func TestFind_FolderThatWasGivenByDot(t *testing.T) {
	root := filepath.Join(t.TempDir(), "dotted")
	writeFile(t, filepath.Join(root, "agent/instructions.md"), []byte("x"))
	t.Chdir(root)
	places, err := Find(".")
	if err != nil || len(places) != 1 || places[0].Slug != "dotted" || places[0].Root != "agent" {
		t.Errorf("Find gives %v, %v", places, err)
	}
}

func TestLoad_ContextThatEnded(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "bot/instructions.md"), []byte("x"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if agents, err := Load(ctx, root, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Load gives %v, %v", agents, err)
	}
}
