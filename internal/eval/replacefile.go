package eval

import (
	"os"
	"path"
)

// replaceFile puts content at name below root, with the folders that it needs: readers see
// the old file or the new one. A link that stands there is replaced.
func replaceFile(root *os.Root, name string, content []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	tmp := name + ".tmp"
	_ = root.Remove(tmp)
	err := root.WriteFile(tmp, content, 0o600)
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp)
	}
	return err
}
