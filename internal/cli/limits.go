package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/transport"
)

// A tunable is what limits may change.
type tunable struct {
	core   *actors.Options
	edge   *transport.Options
	agents []*agent.Agent
}

// A limit can be set by --limit name=value.
type limit struct {
	name  string
	about string
	bytes bool // may end in KiB, MiB or GiB
	// least is below what nothing would work, most above what nothing could be kept; 0: none.
	least, most int64
	set         func(t *tunable, n int64)
}

// day is the longest that a handler may be given, in seconds.
const day = 24 * 60 * 60

// limits in the order of the help text.
var limits = []limit{
	{name: "body", about: "bytes of a request body (1MiB)", bytes: true, least: 1 << 10, set: func(t *tunable, n int64) { t.edge.Limits.BodyBytes = n }},
	{name: "files-body", about: "bytes of a body with workspaceFiles (10MiB)", bytes: true, least: 1 << 10, set: func(t *tunable, n int64) { t.edge.Limits.FilesBodyBytes = n }},
	{name: "header", about: "bytes of a request's header block (32KiB)", bytes: true, least: 8 << 10, set: func(t *tunable, n int64) { t.edge.Limits.HeaderBytes = int(n) }},
	{name: "json-depth", about: "levels of objects and arrays in a body (64)", least: 2, most: 1000, set: func(t *tunable, n int64) { t.edge.Limits.JSONDepth = int(n) }},
	{name: "title", about: "characters of a session's title (200)", most: 10_000, set: func(t *tunable, n int64) { t.edge.Limits.TitleLength = int(n) }},
	{name: "streams", about: "open streams of one principal (1000; ten times as many for the local one)", set: func(t *tunable, n int64) { t.edge.Limits.StreamsPerCaller = int(n) }},
	{name: "messages", about: "messages that wait in one session (100)", set: func(t *tunable, n int64) { t.core.MaxQueuedMessages = int(n) }},
	{name: "reminders", about: "reminders that one session may have armed (100)", set: func(t *tunable, n int64) { t.core.MaxReminders = int(n) }},
	{name: "turns", about: "turns that run at once, as --max-turns (no bound)", set: func(t *tunable, n int64) { t.core.MaxRunningTurns = int(n) }},
	{name: "route-seconds", about: "seconds that a channel's route may take to answer (120)", most: day, set: func(t *tunable, n int64) { t.core.RouteTimeout = time.Duration(n) * time.Second }},
	{name: "handler-seconds", about: "seconds that a handler of an acknowledged request or of an event may take (300)", most: day, set: func(t *tunable, n int64) { t.core.HandlerTimeout = time.Duration(n) * time.Second }},
	{name: "schedule-seconds", about: "seconds that the run of a schedule may take (3600)", most: day, set: func(t *tunable, n int64) { t.core.ScheduleTimeout = time.Duration(n) * time.Second }},
	{name: "output", about: "bytes of one tool's output that are kept as they are (1MiB)", bytes: true, set: func(t *tunable, n int64) { t.core.MaxOutputBytes = int(n) }},
	{name: "steps", about: "model steps of one turn, where the agent sets none (100)", set: setSteps},
	{name: "failures", about: "times in a row that the same call may fail in a turn (5)", set: func(t *tunable, n int64) { t.core.MaxFailures = int(n) }},
	{name: "free-space", about: "bytes of free disk below which new work is refused (256MiB)", bytes: true, set: func(t *tunable, n int64) { t.core.MinFreeBytes = n }},
}

// setSteps holds for the agents that have no limit of their own.
func setSteps(t *tunable, n int64) {
	for _, ag := range t.agents {
		if ag.Limits.MaxSteps == 0 {
			ag.Limits.MaxSteps = int(n)
		}
	}
}

// limitHelp lists the limits for the help text.
func limitHelp() string {
	var b strings.Builder
	for _, l := range limits {
		fmt.Fprintf(&b, "  %-16s %s\n", l.name, l.about)
	}
	return strings.TrimRight(b.String(), "\n")
}

// A setting is a limit with its value.
type setting struct {
	limit limit
	value int64
}

// parseLimits reads the values of --limit.
func parseLimits(values []string) ([]setting, error) {
	var settings []setting
	for _, v := range values {
		name, text, ok := strings.Cut(v, "=")
		if !ok {
			return nil, usagef("--limit %s: it looks like name=value", v)
		}
		l, err := limitNamed(name)
		if err != nil {
			return nil, err
		}
		n, err := l.parse(text)
		if err != nil {
			return nil, usagef("--limit %s: %w", v, err)
		}
		settings = append(settings, setting{l, n})
	}
	return settings, nil
}

func limitNamed(name string) (limit, error) {
	var names []string
	for _, l := range limits {
		if l.name == name {
			return l, nil
		}
		names = append(names, l.name)
	}
	return limit{}, usagef("--limit has no %q: it has %s", name, strings.Join(names, ", "))
}

// parse reads a positive whole number, of bytes with a unit where the limit counts those.
func (l limit) parse(text string) (int64, error) {
	unit := int64(1)
	if l.bytes {
		for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
			if rest, ok := strings.CutSuffix(text, suffix); ok {
				text, unit = rest, size
			}
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt32*int64(1<<10)/unit {
		return 0, fmt.Errorf("%q is not a positive whole number%s", text, map[bool]string{true: " of bytes, KiB, MiB or GiB"}[l.bytes])
	}
	n *= unit
	switch {
	case n < l.least:
		return 0, fmt.Errorf("it is at least %s, or hardly a request would get through", l.amount(l.least))
	case l.most > 0 && n > l.most:
		return 0, fmt.Errorf("it is at most %s", l.amount(l.most))
	}
	return n, nil
}

// amount writes a number as it can be given.
func (l limit) amount(n int64) string {
	if l.bytes && n%(1<<10) == 0 {
		return strconv.FormatInt(n>>10, 10) + "KiB"
	}
	return strconv.FormatInt(n, 10)
}
