package script

import (
	"errors"

	"github.com/gobdk/bdk/actors/agent"
)

// telemetryOps serve ctx.host.otel.
func telemetryOps(o *ops) {
	o.sync("otel.increment", telemetryOp(func(t agent.Telemetry, a args) error {
		var tags map[string]string
		if err := a.into(2, &tags); err != nil {
			return err // otel.js checks the tags
		}
		t.Increment(a.text(0), a.number(1), tags)
		return nil
	}))
	o.sync("otel.record", telemetryOp(func(t agent.Telemetry, a args) error {
		var tags map[string]string
		if err := a.into(2, &tags); err != nil {
			return err
		}
		t.Record(a.text(0), a.number(1), tags)
		return nil
	}))
	o.sync("otel.tag", telemetryOp(func(t agent.Telemetry, a args) error {
		t.Tag(a.text(0), a.text(1))
		return nil
	}))
}

// telemetryOp binds a function to the telemetry of its call.
func telemetryOp(f func(t agent.Telemetry, a args) error) syncOp {
	return func(v *vm, a args) (any, error) {
		c, err := v.callOf(a)
		if err != nil {
			return nil, err
		}
		if c.call.Telemetry == nil {
			return nil, errors.New("ctx.host.otel is not available: this call has no telemetry")
		}
		return nil, f(c.call.Telemetry, a[1:])
	}
}
