package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
)

// A Blob is stored content that is read piece by piece. Who reads it from its
// beginning to its end never gets the last piece of content that does not have its
// hash any more: that is ErrCorrupt. It is not safe for concurrent use.
type Blob struct {
	file *os.File
	size int64
	hash string

	at     int64 // the place of the next byte
	summed int64 // how much of the beginning went into sum
	sum    hash.Hash
}

// Open gives the bytes of a hash to be read piece by piece. Unknown content is
// fs.ErrNotExist.
func (c *Content) Open(hash string) (*Blob, error) {
	if !hashForm.MatchString(hash) {
		return nil, fmt.Errorf("opening content %.80q: %w", hash, fs.ErrNotExist)
	}
	name := contentName(hash)
	info, err := c.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() { // the store makes nothing else
		err = ErrCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("opening content %s: %w", hash, err)
	}
	f, err := c.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening content %s: %w", hash, err)
	}
	return &Blob{file: f, size: info.Size(), hash: hash, sum: sha256.New()}, nil
}

// Size is the number of bytes.
func (b *Blob) Size() int64 { return b.size }

// Read is io.Reader's.
func (b *Blob) Read(p []byte) (int, error) {
	n, err := b.file.Read(p)
	if b.at == b.summed {
		b.sum.Write(p[:n])
		b.summed += int64(n)
	}
	b.at += int64(n)
	if b.summed >= b.size && !b.whole() {
		return 0, fmt.Errorf("reading content %s: %w", b.hash, ErrCorrupt)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("reading content %s: %w", b.hash, err)
	}
	return n, err
}

func (b *Blob) whole() bool { return hex.EncodeToString(b.sum.Sum(nil)) == b.hash }

// Seek is io.Seeker's.
func (b *Blob) Seek(offset int64, whence int) (int64, error) {
	at, err := b.file.Seek(offset, whence)
	if err != nil {
		return at, fmt.Errorf("reading content %s: %w", b.hash, err)
	}
	b.at = at
	if at == 0 {
		b.sum.Reset()
		b.summed = 0
	}
	return at, nil
}

// Close is io.Closer's.
func (b *Blob) Close() error { return b.file.Close() }
