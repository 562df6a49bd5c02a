package actors

import (
	"context"
	"errors"
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

// Telemetry counts and measures on behalf of sessions. It is safe for concurrent use.
type Telemetry interface {
	// For gives the telemetry of a session of an agent, which it names by its slug;
	// it is asked once for each call of the author's code.
	For(agent string, s agent.Session) agent.Telemetry
}

// Options of a Host. Journal, Agents and Models are required.
type Options struct {
	Journal *journal.Journal
	// Views, when given, are waited for at Close, so that a clean stop leaves them current.
	Views  Views
	Agents []*agent.Agent
	// Lenient takes agents, also in Reload, whose diagnostics have errors among them, and
	// those with a connection to an agent that is not among them: what does not work of
	// them is refused when it is used. Other faults are refused always.
	Lenient bool
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
	// MaxReminders that a session may have armed. Defaults to 100.
	MaxReminders int
	// Manual keeps schedules and reminders from firing by themselves: only
	// FireSchedule and FireReminder do.
	Manual bool
	// NoChannels says that nobody serves the channels of the agents, as in a process for
	// one command: no OnStart runs, and requests that were acknowledged wait for a host
	// that does.
	NoChannels bool
	// RouteTimeout is how long the handler of a channel's route may take to give its
	// response. Defaults to 2 minutes.
	RouteTimeout time.Duration
	// HandlerTimeout is how long the handler of a request that was acknowledged first, and
	// that of an event, may take. Defaults to 5 minutes.
	HandlerTimeout time.Duration
	// ScheduleTimeout is how long the run of a schedule may take, with what it leaves
	// behind. Defaults to 1 hour.
	ScheduleTimeout time.Duration
	// MaxFailures is how often in a row the same tool call may fail in a turn. Defaults to 5.
	MaxFailures int
	// MaxOutputBytes of one tool call that the log holds. Defaults to 1 MiB. A longer
	// output is kept whole in a file, and the log holds its ends.
	MaxOutputBytes int
	// MinFreeBytes of the disk below which new work is refused. Defaults to 256 MiB; negative: no check.
	MinFreeBytes int64
	// PublicURL gives the URL, without a / at its end, that browsers of people reach the
	// host at, where CallbackPath is served: they come back there from a link that a turn
	// gave them. It is asked when a turn needs one. Nil: there is none, and calls over
	// connections that nobody has authorized fail.
	PublicURL func(ctx context.Context) (string, error)
	// Environ is the environment of the process, "NAME=value": programs of tools see its
	// PATH, language, time zone and user, and nothing else of it. Defaults to os.Environ().
	Environ []string
	// Clock defaults to the machine's.
	Clock clock.Clock
	// Telemetry takes what the author's code counts; nil: nothing is counted.
	Telemetry Telemetry
	Logger    zerolog.Logger
	// Redact takes secrets out of what authors' code failed with, before that is recorded
	// or shown as a finding. Nil: nothing is taken out.
	Redact func(text string) string
}

// noTelemetry counts nothing.
type noTelemetry struct{}

// For is Telemetry's.
func (noTelemetry) For(string, agent.Session) agent.Telemetry { return noTelemetry{} }

// Increment is agent.Telemetry's.
func (noTelemetry) Increment(string, float64, map[string]string) {}

// Record is agent.Telemetry's.
func (noTelemetry) Record(string, float64, map[string]string) {}

// Tag is agent.Telemetry's.
func (noTelemetry) Tag(string, string) {}

// EnsureDefaults fills what was left out.
func (o *Options) EnsureDefaults() {
	if o.DeltaWindow == 0 {
		o.DeltaWindow = 50 * time.Millisecond
	}
	if o.IdleAfter <= 0 {
		o.IdleAfter = time.Minute
	}
	for _, d := range []struct {
		limit     *time.Duration
		otherwise time.Duration
	}{{&o.RouteTimeout, agent.DefaultTimeout}, {&o.HandlerTimeout, 5 * time.Minute}, {&o.ScheduleTimeout, time.Hour}} {
		if *d.limit <= 0 {
			*d.limit = d.otherwise
		}
	}
	if o.MaxQueuedMessages <= 0 {
		o.MaxQueuedMessages = 100
	}
	if o.MaxReminders <= 0 {
		o.MaxReminders = 100
	}
	if o.MaxOutputBytes <= 0 {
		o.MaxOutputBytes = 1 << 20
	}
	if o.MinFreeBytes == 0 {
		o.MinFreeBytes = 256 << 20
	}
	if o.Environ == nil {
		o.Environ = environ()
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Telemetry == nil {
		o.Telemetry = noTelemetry{}
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
	return errors.Join(append(faults, checkAgents(o.Agents, o.Lenient))...)
}
