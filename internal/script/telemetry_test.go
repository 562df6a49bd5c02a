package script

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// A sink writes down what is counted.
type sink struct {
	mu    sync.Mutex
	lines []string
}

func (s *sink) note(format string, a ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, a...))
}

func (s *sink) Increment(name string, n float64, tags map[string]string) {
	s.note("increment %s %v %s", name, n, flat(tags))
}

func (s *sink) Record(name string, value float64, tags map[string]string) {
	s.note("record %s %v %s", name, value, flat(tags))
}

func (s *sink) Tag(key, value string) { s.note("tag %s %s", key, value) }

func flat(tags map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		parts = append(parts, k+"="+tags[k])
	}
	return strings.Join(parts, " ")
}

// "`increment(name, n = 1, tags?)` (an object in second place is the tags), `record(name, value, tags?)`, `tag(key, value)`"
func TestOtel_TakesEachForm(t *testing.T) {
	t.Parallel()
	s := &sink{}
	out, err := tool(t, `
		const { increment, record, tag } = ctx.host.otel;
		increment("a"); increment("b", 0); increment("c", 2.5, { k: "v" }); increment("d", { channel: "http", n: 3, ok: true, none: undefined, gone: null });
		record("e", -1); record("f", 9007199254740991, { k: "v" }); tag("g", "h"); tag("i", 4);
		return [increment("a"), await record("a", 1)]`, func(c *agent.Call) { c.Telemetry = s })
	if err != nil || out != `[null,null]` {
		t.Errorf("%s %v", out, err)
	}
	want := `increment a 1 
increment b 0 
increment c 2.5 k=v
increment d 1 channel=http n=3 ok=true
record e -1 
record f 9.007199254740991e+15 k=v
tag g h
tag i 4
increment a 1 
record a 1 `
	if got := strings.Join(s.lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOtel_RefusesWhatCannotBeCounted(t *testing.T) {
	t.Parallel()
	s := &sink{}
	for body, want := range map[string]string{
		`otel.increment()`:                `otel.increment needs a name, a string with text in it, not undefined`,
		`otel.increment("")`:              `otel.increment needs a name, a string with text in it, not ""`,
		`otel.increment("a", -1)`:         `otel.increment needs a number that is not negative, not -1`,
		`otel.increment("a", NaN)`:        `otel.increment needs a number that is not negative, not NaN`,
		`otel.increment("a", "2")`:        `otel.increment needs a number that is not negative, not "2"`,
		`otel.increment("a", null)`:       `otel.increment needs a number that is not negative, not null`,
		`otel.increment("a", 1, "b")`:     `the tags of otel.increment are an object of texts, not "b"`,
		`otel.increment("a", ["b"])`:      `the tags of otel.increment are an object of texts, not b`,
		`otel.increment("a", { b: {} })`:  `the tag "b" of otel.increment is a text, a number, true or false, not [object Object]`,
		`otel.record("a")`:                `otel.record needs a number, not undefined`,
		`otel.record("a", Infinity)`:      `otel.record needs a number, not Infinity`,
		`otel.tag("a")`:                   `the tag "a" of otel.tag is a text, a number, true or false, not undefined`,
		`otel.tag(undefined as any, "a")`: `otel.tag needs a name, a string with text in it, not undefined`,
	} {
		_, err := tool(t, "const { otel } = ctx.host; "+body, func(c *agent.Call) { c.Telemetry = s })
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", body, err, want)
		}
	}
	if len(s.lines) > 0 {
		t.Errorf("counted: %v", s.lines)
	}
}
