package project

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// "`.env` is loaded first"; the real environment wins over it.
func TestEnvironment_Order(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".env"), []byte("A=env\nB=env\nC=env\nD=env"))
	writeFile(t, filepath.Join(dir, ".env.local"), []byte("B=local\nC=local"))
	r := &report{}
	got := environment(r, dir, &Options{Env: []string{"C=real", "D="}})
	want := map[string]string{"A": "env", "B": "local", "C": "real", "D": ""}
	if !maps.Equal(got, want) || len(r.found) != 0 {
		t.Errorf("environment gives %v and %v, want %v", got, r.found, want)
	}
}

func TestEnvironment_FilesThatWereGiven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".env"), []byte("A=default"))
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	writeFile(t, one, []byte("A=1\nB=1"))
	writeFile(t, two, []byte("B=2"))
	got := environment(&report{}, dir, &Options{Env: []string{}, EnvFiles: []string{one, two}})
	if want := (map[string]string{"A": "1", "B": "2"}); !maps.Equal(got, want) {
		t.Errorf("environment gives %v, want %v", got, want)
	}
	if got := environment(&report{}, dir, &Options{Env: []string{}, EnvFiles: []string{}}); len(got) != 0 {
		t.Errorf("with no files given, environment gives %v", got)
	}
}

func TestReadEnv_ForTheHost(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.env")
	writeFile(t, file, []byte("A=\"one\ntwo\"\nwhat\nB=2"))
	pairs, err := ReadEnv(file)
	if want := []string{"A=one\ntwo", "B=2"}; !slices.Equal(pairs, want) {
		t.Errorf("ReadEnv gives %q, want %q", pairs, want)
	}
	if want := file + ":3: this is no assignment like NAME=value"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if _, err := ReadEnv(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("for an absent file the error is %v", err)
	}
}
