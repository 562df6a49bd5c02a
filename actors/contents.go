package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/gobdk/bdk/events"
)

// ErrNoContents says that an artifact has no contents.
var ErrNoContents = errors.New("actors: the artifact has no contents")

// keepContents puts an artifact's contents where they survive.
func (h *Host) keepContents(rec *events.Artifact, contents []byte) error {
	if h.short() {
		return ErrNoSpace
	}
	content, _, err := h.storage.open()
	if err != nil {
		return fmt.Errorf("keeping contents: %w", err)
	}
	sum, err := content.Put(contents)
	if err != nil {
		return fmt.Errorf("keeping contents: %w", err)
	}
	size := int64(len(contents))
	rec.HasContent, rec.SHA256, rec.Size = true, sum, &size
	return nil
}

// OpenContents gives an artifact's contents; the caller closes them. ErrNoContents
// where it has none. Whoever reads contents whole that are damaged gets an error
// before their end.
func (h *Host) OpenContents(ctx context.Context, a *events.Artifact) (io.ReadSeekCloser, error) {
	if !a.HasContent {
		return nil, ErrNoContents
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	content, _, err := h.storage.open()
	if err != nil {
		return nil, fmt.Errorf("opening contents: %w", err)
	}
	b, err := content.Open(a.SHA256)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the contents of %s are lost: %w", a.ID, err)
	case err != nil:
		return nil, err
	case a.Size != nil && b.Size() != *a.Size:
		return nil, errors.Join(fmt.Errorf("the contents of %s have %d bytes, they had %d", a.ID, b.Size(), *a.Size), b.Close())
	}
	return b, nil
}
