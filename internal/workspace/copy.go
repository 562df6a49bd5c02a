package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// A Copy is a copied folder that is not yet in its place. Either Place or Discard is
// called, once.
type Copy struct {
	w         *Workspaces
	aside, to string
	// none says that there was nothing to copy.
	none bool
}

// Copy copies a session's folder for another session, aside: whole or not at all, and on
// disk. A session without a folder gives a Copy that places none. Links are copied as
// links, files with their right to be run; pipes, sockets and devices are left out, and
// so is what vanishes meanwhile.
func (w *Workspaces) Copy(ctx context.Context, from, to string) (*Copy, error) {
	if err := errors.Join(checkID(from), checkID(to)); err != nil {
		return nil, err
	}
	defer w.lock(from)()
	c := &Copy{w: w, aside: path.Join(unfinished, to), to: to}
	there, err := w.isDir(from)
	if err != nil || !there {
		c.none = true
		return c, err
	}
	err = emptyDir(w.root, c.aside)
	if err == nil {
		err = copyTree(ctx, w.root, from, c.aside)
	}
	if err != nil {
		c.Discard()
		return nil, fmt.Errorf("copying workspace of %s: %w", from, err)
	}
	return c, nil
}

// Place gives the copy to its session, unless that has a folder by now.
func (c *Copy) Place() error {
	if c.none {
		return nil
	}
	defer c.w.lock(c.to)()
	there, err := c.w.isDir(c.to)
	if err == nil && there {
		c.Discard()
		return nil
	}
	if err == nil {
		err = c.w.root.Rename(c.aside, c.to)
	}
	if err == nil {
		err = SyncDir(c.w.root, ".")
	}
	if err != nil {
		return fmt.Errorf("placing workspace of %s: %w", c.to, err)
	}
	return nil
}

// Discard deletes the copy.
func (c *Copy) Discard() {
	if !c.none {
		_ = c.w.root.RemoveAll(c.aside)
	}
}

// copyTree copies what is in a folder below root into another, which is there.
func copyTree(ctx context.Context, root *os.Root, from, to string) error {
	dir, err := root.Open(from)
	if err != nil {
		return err
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(256)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for _, e := range entries {
			if err := copyEntry(ctx, root, e, path.Join(from, e.Name()), path.Join(to, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err != nil || len(entries) == 0 {
			return SyncDir(root, to)
		}
	}
}

func copyEntry(ctx context.Context, root *os.Root, e fs.DirEntry, from, to string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case e.IsDir():
		if err := root.Mkdir(to, 0o700); err != nil {
			return err
		}
		return copyTree(ctx, root, from, to)
	case e.Type()&fs.ModeSymlink != 0:
		target, err := root.Readlink(from)
		if err != nil {
			return err
		}
		return root.Symlink(target, to)
	case e.Type().IsRegular():
		return copyFile(root, from, to)
	}
	return nil
}

// copyFile copies one plain file; what became something else meanwhile is left out.
func copyFile(root *os.Root, from, to string) error {
	in, info, err := open(root, from, NoWait|noFollow, true)
	var odd *PathError
	if errors.As(err, &odd) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()&0o700|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}
