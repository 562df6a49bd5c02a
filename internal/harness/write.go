package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/internal/workspace"
)

// maxFileBytes is the length of a file that is written or edited.
const maxFileBytes = 10 << 20

type writeInput struct {
	Path    string `json:"path" jsonschema:"The file, relative to the workspace. Folders that it needs are made."`
	Content string `json:"content" jsonschema:"The whole new content."`
}

func (h *tools) write() *agent.Tool {
	t := tool("write", "Writes a file of the workspace, whole: a file that is there is replaced.", h.writeFile,
		&agent.ToolOptions[writeInput]{Effect: agent.EffectWrite, Idempotent: true})
	t.Contained = !h.UserFolder
	return t
}

func (h *tools) writeFile(ctx context.Context, in writeInput, c *agent.Call) (string, error) {
	if len(in.Content) > maxFileBytes {
		return "", fmt.Errorf("the content has more than %d bytes; write less", maxFileBytes)
	}
	return h.change(ctx, c, in.Path, func(v *view, p string) (string, error) {
		before, err := v.target(p)
		if err != nil {
			return "", err
		}
		if err := v.put(p, []byte(in.Content), before); err != nil {
			return "", v.explain("writing", p, err)
		}
		if before != nil {
			return fmt.Sprintf("replaced %s: %s", p, plural(len(in.Content), "byte")), nil
		}
		return fmt.Sprintf("wrote %s: %s", p, plural(len(in.Content), "byte")), nil
	})
}

// change opens the workspace for a change of one file, which no other change meets.
func (h *tools) change(ctx context.Context, c *agent.Call, path string, f func(v *view, p string) (string, error)) (string, error) {
	v, err := h.open(ctx, c)
	if err != nil {
		return "", err
	}
	defer v.close()
	defer h.changes.begin(v.dir)()
	p, err := v.forWriting(path)
	if err != nil {
		return "", err
	}
	return f(v, p)
}

// target describes the plain file that is to be replaced; nil where there is none.
func (v *view) target(p string) (fs.FileInfo, error) {
	info, err := v.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, v.explain("writing", p, err)
	case info.IsDir():
		return nil, fmt.Errorf("writing %q: it is a folder", p)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("writing %q: it is a link; write to what it points to", p)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("writing %q: it is not a plain file", p)
	}
	return info, nil
}

// put writes a file aside and moves it to its place, so that it is there whole or not
// at all, and no link is followed and no other name of the file is written to. It is
// on disk when put returns. Aside it has the name of the call, so that the call that a
// crash cut off leaves nothing when it runs again.
func (v *view) put(p string, content []byte, before fs.FileInfo) error {
	if err := v.makeDir(path.Dir(p)); err != nil {
		return err
	}
	aside := path.Join(path.Dir(p), ".bdk-"+v.call)
	_ = v.root.Remove(aside)
	err := v.writeAside(aside, content, before)
	if err == nil {
		err = v.root.Rename(aside, p)
	}
	if err != nil {
		_ = v.root.Remove(aside)
		return err
	}
	return workspace.SyncDir(v.root, path.Dir(p))
}

// Modes of what is made: in a folder of the user's, what their umask leaves.
func (v *view) modes() (file, dir fs.FileMode) {
	if v.userFolder {
		return 0o666, 0o777
	}
	return 0o600, 0o700
}

func (v *view) writeAside(name string, content []byte, before fs.FileInfo) error {
	mode, _ := v.modes()
	f, err := v.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if before != nil {
		err = f.Chmod(before.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(content)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// makeDir makes a folder with its parents.
func (v *view) makeDir(dir string) error {
	if info, err := v.root.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	_, mode := v.modes()
	return v.root.MkdirAll(dir, mode)
}
