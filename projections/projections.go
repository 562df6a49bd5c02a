// Package projections folds the journal into views: tables that answer questions
// over all sessions, and that can be deleted and folded again.
package projections

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
)

// Names of the built-in projections.
const (
	nameSessions  = "sessions"
	nameCosts     = "costs"
	nameApprovals = "approvals"
	nameArtifacts = "artifacts"
)

var (
	// ErrCursor says that a cursor is not one that a list gave.
	ErrCursor = errors.New("projections: malformed cursor")
	// ErrClosed says that the views are closed.
	ErrClosed = errors.New("projections: closed")
	// ErrUnknown says that there is no projection of that name.
	ErrUnknown = errors.New("projections: unknown projection")
	// ErrStopped says that a view stopped folding; Status says why.
	ErrStopped = errors.New("projections: view stopped")
)

// A Projection folds events into rows of its own key space.
//
// The runner calls Apply from one goroutine at a time, in the order of the journal,
// over all sessions and agents' logs. What a projection knows belongs into its
// rows: after a crash or a fault the events since the last commit are applied
// again, to the rows as they were then.
type Projection interface {
	// Name is the name of its key space: [a-z][a-z0-9-]*.
	Name() string
	// Version: a change makes the runner clear the space and fold the log again.
	Version() int
	// Apply folds one event. What it writes and its position are committed together,
	// so each event counts once over any crash. The event is shared: nobody may write
	// to it. Types that Apply does not know are to be ignored. An error or a panic
	// drops what this call wrote and stops the projection at this event.
	Apply(w *Writer, e *events.Event) error
}

// Options of Start.
type Options struct {
	// Journal is what is folded, and where the rows are kept; required. It stays the
	// caller's, and is closed after the Views.
	Journal *journal.Journal
	// Extra are custom projections, besides the built-in sessions, costs, approvals and artifacts.
	Extra []Projection
	// Prices price what a turn that runs has used by now, in Cost and in session rows.
	// A turn that ended costs what it recorded. nil: no price is known.
	Prices Prices
	// Logger takes a line when a projection stops or skips an event. The zero value is silent.
	Logger zerolog.Logger
}

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)

// validate reports every fault at once.
func (o *Options) validate() error {
	if o == nil || o.Journal == nil {
		return errors.New("projections: Options.Journal is required")
	}
	taken := map[string]bool{nameSessions: true, nameCosts: true, nameApprovals: true, nameArtifacts: true}
	var faults []error
	for i, p := range o.Extra {
		if p == nil {
			faults = append(faults, fmt.Errorf("projections: Options.Extra[%d] is nil", i))
			continue
		}
		name := p.Name()
		switch {
		case !namePattern.MatchString(name):
			faults = append(faults, fmt.Errorf("projections: name %q: use lower-case letters, digits and hyphens, a letter first, at most 64", name))
		case taken[name]:
			faults = append(faults, fmt.Errorf("projections: name %q is taken: choose another", name))
		}
		taken[name] = true
	}
	return errors.Join(faults...)
}
