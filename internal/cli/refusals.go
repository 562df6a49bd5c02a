package cli

import (
	"errors"
	"strings"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/projections"
)

// refusals are the words for what a host of this process refuses, where it is
// asked without HTTP in between.
var refusals = []struct {
	err  error
	text string
}{
	{actors.ErrUnknownSession, "there is no such session: bdk sessions list shows those that there are"},
	{actors.ErrUnknownAgent, "there is no such agent: choose one with --slug"},
	{actors.ErrDeleted, "the session was deleted"},
	{actors.ErrSessionBusy, "the session has an open turn"},
	{actors.ErrTooManyMessages, "too many messages wait in the session"},
	{actors.ErrDraining, "the host is shutting down"},
	{actors.ErrCorrupt, "the session's log cannot be read"},
	{actors.ErrWorkspace, "the workspace cannot be made"},
	{actors.ErrNoSpace, "there is too little free disk space for new work: make room, or move the state root with --state-root"},
	{actors.ErrFault, "the session met a fault of bdk and was interrupted: the log has it at level error; the session can be gone on with"},
	{actors.ErrDecision, "a decision is approve or deny"},
	{projections.ErrCursor, "the list changed while it was read: try again"},
}

// plain gives an error's text without the marks of the package that it is from.
func plain(err error) string {
	var conversation *actors.ConversationError
	if errors.As(err, &conversation) {
		return "the conversation belongs to session " + conversation.SessionID + " already: go on with --session " + conversation.SessionID
	}
	for _, r := range refusals {
		if !errors.Is(err, r.err) {
			continue
		}
		// The cause stays, where there is one.
		if _, more, ok := strings.Cut(err.Error(), r.err.Error()+": "); ok {
			return r.text + ": " + more
		}
		return r.text
	}
	return err.Error()
}
