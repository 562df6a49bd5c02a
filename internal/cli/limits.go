package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

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
	set   func(t *tunable, n int64)
}

// limits in the order of the help text.
var limits = []limit{
	{"body", "bytes of a request body (1MiB)", true, func(t *tunable, n int64) { t.edge.Limits.BodyBytes = n }},
	{"files-body", "bytes of a body with workspaceFiles (10MiB)", true, func(t *tunable, n int64) { t.edge.Limits.FilesBodyBytes = n }},
	{"header", "bytes of a request's header block (32KiB)", true, func(t *tunable, n int64) { t.edge.Limits.HeaderBytes = int(n) }},
	{"streams", "open streams of one principal (1000; ten times as many for the local one)", false, func(t *tunable, n int64) { t.edge.Limits.StreamsPerCaller = int(n) }},
	{"messages", "messages that wait in one session (100)", false, func(t *tunable, n int64) { t.core.MaxQueuedMessages = int(n) }},
	{"turns", "turns that run at once, as --max-turns (no bound)", false, func(t *tunable, n int64) { t.core.MaxRunningTurns = int(n) }},
	{"output", "bytes of one tool's output that are kept as they are (1MiB)", true, func(t *tunable, n int64) { t.core.MaxOutputBytes = int(n) }},
	{"steps", "model steps of one turn, where the agent sets none (100)", false, setSteps},
	{"free-space", "bytes of free disk below which new work is refused (256MiB)", true, func(t *tunable, n int64) { t.core.MinFreeBytes = n }},
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
		fmt.Fprintf(&b, "  %-12s %s\n", l.name, l.about)
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
	return n * unit, nil
}
