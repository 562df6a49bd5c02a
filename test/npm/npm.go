// Package npm installs the packages that tests need, exactly as they are locked.
package npm

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

var installing sync.Map // folder → *sync.Once

// Install puts the packages of a folder's lock file into its node_modules, once,
// and again when the lock file has changed. npm runs at install time only.
func Install(t *testing.T, dir string) {
	t.Helper()
	once, _ := installing.LoadOrStore(dir, &sync.Once{})
	once.(*sync.Once).Do(func() { ci(t, dir) })
}

func ci(t *testing.T, dir string) {
	t.Helper()
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	done := filepath.Join(dir, "node_modules", ".installed")
	if before, err := os.ReadFile(done); err == nil && bytes.Equal(before, lock) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("this test uses npm packages, and npm ci in %s gave %v:\n%s", dir, err, out)
	}
	if err := os.WriteFile(done, lock, 0o644); err != nil {
		t.Fatal(err)
	}
}
