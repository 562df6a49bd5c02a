package actors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/internal/clock"
)

// Views is what a host asks of projections.
type Views interface {
	// WaitFor returns when every view has folded what lies below position.
	WaitFor(ctx context.Context, position uint64) error
}

// Options of a Host. Journal, Agents and Models are required.
type Options struct {
	Journal *journal.Journal
	// Views, when given, are waited for at Close, so that a clean stop leaves them current.
	Views  Views
	Agents []*agent.Agent
	// Models finds the models that agents name.
	Models model.Resolver
	// ModelID replaces every agent's model when not empty.
	ModelID string
	// Prices gives costs; nil: every price is unknown.
	Prices model.Prices
	// DeltaWindow is how long deltas wait for company. Defaults to 50 ms; negative: not at all.
	DeltaWindow time.Duration
	// IdleAfter is when the actor of an idle session stops. Defaults to 1 minute.
	IdleAfter time.Duration
	// MaxRunningTurns over all agents; 0: no bound.
	MaxRunningTurns int
	// MaxQueuedMessages per session. Defaults to 100.
	MaxQueuedMessages int
	// MaxFailures is how often in a row the same tool call may fail in a turn. Defaults to 5.
	MaxFailures int
	// MaxOutputBytes of one tool call that the log holds. Defaults to 1 MiB. A longer
	// output is kept whole in a file, and the log holds its ends.
	MaxOutputBytes int
	// MinFreeBytes of the disk below which new work is refused. Defaults to 256 MiB; negative: no check.
	MinFreeBytes int64
	// Clock defaults to the machine's.
	Clock  clock.Clock
	Logger zerolog.Logger
}

// EnsureDefaults fills what was left out.
func (o *Options) EnsureDefaults() {
	if o.DeltaWindow == 0 {
		o.DeltaWindow = 50 * time.Millisecond
	}
	if o.IdleAfter <= 0 {
		o.IdleAfter = time.Minute
	}
	if o.MaxQueuedMessages <= 0 {
		o.MaxQueuedMessages = 100
	}
	if o.MaxOutputBytes <= 0 {
		o.MaxOutputBytes = 1 << 20
	}
	if o.MinFreeBytes == 0 {
		o.MinFreeBytes = 256 << 20
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
}

// Validate reports every fault at once.
func (o *Options) Validate() error {
	var faults []error
	if o.Journal == nil {
		faults = append(faults, errors.New("actors: Options.Journal is missing"))
	}
	if o.Models == nil {
		faults = append(faults, errors.New("actors: Options.Models is missing"))
	}
	return errors.Join(append(faults, checkAgents(o.Agents))...)
}

// checkAgents reports every fault of a list of agents.
func checkAgents(agents []*agent.Agent) error {
	if len(agents) == 0 {
		return errors.New("actors: Options.Agents is empty")
	}
	var faults []error
	seen := map[string]bool{}
	for _, a := range agents {
		if a.Slug == "" || seen[a.Slug] {
			faults = append(faults, fmt.Errorf("actors: agent slug %q is empty or there twice", a.Slug))
		}
		seen[a.Slug] = true
	}
	return errors.Join(faults...)
}
