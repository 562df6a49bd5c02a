package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"sync"
)

// ErrCorrupt says that stored content does not have its hash any more.
var ErrCorrupt = errors.New("workspace: content does not match its hash")

// A Content keeps bytes under their SHA-256, each once. It is safe for concurrent
// use by one process.
type Content struct {
	root *os.Root

	// shards has one lock per folder, so that a Put never answers while another one
	// of the same content is still on its way to the disk.
	shards [256]sync.Mutex
}

const contentTmp = "tmp"

// OpenContent opens or makes the store in dir, a folder of its own: content lies at
// dir/<two digits>/<hash>. What a crash left unfinished is removed.
func OpenContent(dir string) (*Content, error) {
	root, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("opening content store: %w", err)
	}
	if err := emptyDir(root, contentTmp); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("opening content store: %w", err)
	}
	return &Content{root: root}, nil
}

// Close lets go of the store's folder.
func (c *Content) Close() error { return c.root.Close() }

// Put stores b and gives its hash in lower-case hex. It is on disk before Put
// returns. What is stored already is not written again.
func (c *Content) Put(b []byte) (string, error) {
	sum := sha256.Sum256(b)
	hash := hex.EncodeToString(sum[:])
	c.shards[sum[0]].Lock()
	defer c.shards[sum[0]].Unlock()
	name := contentName(hash)
	if info, err := c.root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(b)) {
		return hash, SyncDir(c.root, path.Dir(name)) // a crash may have come before the name was on disk
	}
	if err := WriteFile(c.root, contentTmp, name, b); err != nil {
		return "", fmt.Errorf("storing content: %w", err)
	}
	return hash, nil
}

// Get gives the bytes of a hash, the caller's to keep. Unknown content is
// fs.ErrNotExist, changed content is ErrCorrupt.
func (c *Content) Get(hash string) ([]byte, error) {
	if !hashForm.MatchString(hash) {
		return nil, fmt.Errorf("reading content %.80q: %w", hash, fs.ErrNotExist)
	}
	b, err := ReadFile(c.root, contentName(hash))
	if err != nil {
		return nil, fmt.Errorf("reading content %s: %w", hash, err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("reading content %s: %w", hash, ErrCorrupt)
	}
	return b, nil
}

var hashForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func contentName(hash string) string { return hash[:2] + "/" + hash }

// openDir opens dir as a root, making it first.
func openDir(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// emptyDir makes a folder below root anew.
func emptyDir(root *os.Root, name string) error {
	if err := root.RemoveAll(name); err != nil {
		return err
	}
	return root.Mkdir(name, 0o700)
}
