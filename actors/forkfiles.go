package actors

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// copyFolder copies a session's workspace aside for another session; one of place and
// discard follows.
func (h *Host) copyFolder(from, to string) (place func() error, discard func(), err error) {
	_, ws, err := h.storage.open()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	c, err := ws.Copy(h.life, from, to)
	switch {
	case h.life.Err() != nil:
		return nil, nil, ErrDraining
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", ErrWorkspace, err)
	}
	return c.Place, c.Discard, nil
}

// copyBeside copies what else a session has beside its log: its files, among them the
// long outputs that the log names, and what its instructions function gave.
func (h *Host) copyBeside(start *events.SessionStarted, to string) error {
	from := start.ForkedFrom.SessionID
	text, ok, err := h.instructions.read(from)
	if err == nil && ok {
		err = h.instructions.write(to, text)
	}
	r := h.agents.take(start.Agent)
	if r == nil {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrUnknownAgent, start.Agent))
	}
	defer r.release()
	return errors.Join(err, h.copyFiles(r.files, from, to))
}

func (h *Host) copyFiles(files agent.Files, from, to string) error {
	names, err := files.List(h.life, agent.FileScope{Session: from}, "")
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := files.Read(h.life, agent.FileScope{Session: from}, name)
		if errors.Is(err, fs.ErrNotExist) { // it was deleted meanwhile
			continue
		}
		if err == nil {
			err = files.Write(h.life, agent.FileScope{Session: to}, name, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
