package script

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// fixtures are the sets of npm packages under testdata/npm, installed once into
// the user's cache folder, by the content of their lock file.
var fixtures = map[string]func() (string, error){
	"zod3": sync.OnceValues(func() (string, error) { return install("zod3") }),
	"zod4": sync.OnceValues(func() (string, error) { return install("zod4") }),
}

// install gives the node_modules of a fixture.
func install(name string) (string, error) {
	source := filepath.Join("testdata", "npm", name)
	lock, err := os.ReadFile(filepath.Join(source, "package-lock.json"))
	if err != nil {
		return "", err
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(base, "bdk-test-npm", name+"-"+hex.EncodeToString(sum[:6]))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), name+"-new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	for _, f := range []string{"package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join(source, f))
		if err == nil {
			err = os.WriteFile(filepath.Join(fresh, f), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = fresh
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci for %s: %w\n%s", name, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(modules); there == nil { // another run was faster
			return modules, nil
		}
		return "", err
	}
	return modules, nil
}

// withPackages puts a fixture's node_modules into the project.
func withPackages(t *testing.T, name string) func(*Options) {
	t.Helper()
	modules, err := fixtures[name]()
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options) {
		if err := os.Symlink(modules, filepath.Join(o.Dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
}
