package script

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// reminderOps serve ctx.host.reminders.
func reminderOps(o *ops) {
	o.async("reminders.set", reminderWork(setReminder))
	o.async("reminders.list", reminderWork(func(ctx context.Context, r agent.Reminders, _ args) (any, error) {
		list, err := r.List(ctx)
		if err != nil || len(list) == 0 {
			return "[]", err
		}
		return asJSON(list)
	}))
	o.async("reminders.cancel", reminderWork(func(ctx context.Context, r agent.Reminders, a args) (any, error) {
		return r.Cancel(ctx, a.text(0))
	}))
}

// reminderWork binds a function to the reminders of its call.
func reminderWork(f func(ctx context.Context, r agent.Reminders, a args) (any, error)) asyncOp {
	return func(v *vm, a args) (work, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Reminders == nil {
			return nil, errors.New("ctx.host.reminders is not available: this call belongs to no session, and a reminder is bound to one")
		}
		return func(ctx context.Context) (any, error) { return f(ctx, c.call.Reminders, a[1:]) }, nil
	}
}

func setReminder(ctx context.Context, r agent.Reminders, a args) (any, error) {
	var in struct {
		At                           *string
		In                           json.RawMessage
		Cron, TimeZone, Message, Key string
	}
	if err := a.into(0, &in); err != nil {
		return nil, err // reminders.js checks the fields
	}
	set := agent.Reminder{Key: in.Key, Cron: in.Cron, TimeZone: in.TimeZone, Message: in.Message}
	if data := a.text(1); data != "" {
		set.Data = json.RawMessage(data)
	}
	if in.At != nil {
		at, err := time.Parse(time.RFC3339, *in.At)
		if err != nil {
			return nil, typeError("at of reminders.set is %q: make it an ISO 8601 instant with a zone, such as \"2027-01-31T09:00:00Z\"", *in.At)
		}
		set.At = &at
	}
	var ok bool
	if set.In, ok = readAfter(in.In); !ok {
		return nil, typeError("in of reminders.set is %s: make it milliseconds, or a text such as \"90s\", \"15m\", \"2h\", \"3d\" or \"1d12h\"", in.In)
	}
	return r.Set(ctx, set)
}

var (
	afterForm = regexp.MustCompile(`^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$`)
	afterPart = regexp.MustCompile(`(\d+(?:\.\d+)?)(ms|s|m|h|d|w)`)
	afterUnit = map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
)

// longest is what a wait may be: a hundred years.
const longest = 100 * 366 * 24 * time.Hour

// readAfter reads how long from now: milliseconds, or numbers with their units. Left
// out it is 0.
func readAfter(raw json.RawMessage) (time.Duration, bool) {
	if len(raw) == 0 {
		return 0, true
	}
	var ms float64
	if json.Unmarshal(raw, &ms) == nil {
		d := ms * float64(time.Millisecond)
		return time.Duration(math.Ceil(d)), d > 0 && d < float64(longest)
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || !afterForm.MatchString(text) {
		return 0, false
	}
	sum := 0.0
	for _, m := range afterPart.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0, false
		}
		sum += n * float64(afterUnit[m[2]])
	}
	return time.Duration(sum), sum > 0 && sum < float64(longest)
}
