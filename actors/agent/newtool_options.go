package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ToolOptions says what holds for a tool of NewTool. The zero value is a tool
// that reads, asks nobody, and has DefaultTimeout.
type ToolOptions[In any] struct {
	// Title is what people read; defaults to the name.
	Title string
	// Effect is EffectRead or EffectWrite. Defaults to EffectRead.
	Effect string
	// EffectOf decides for each call and replaces Effect. One that panics or gives
	// another value counts as EffectWrite.
	EffectOf func(in In) string
	// NeedsApproval parks every call until a person decided.
	NeedsApproval bool
	// NeedsApprovalOf decides for each call and replaces NeedsApproval. It must have
	// no effect outside; one that panics counts as true.
	NeedsApprovalOf func(ctx context.Context, in In, c *Call) bool
	// Idempotent marks a write that may run again after a crash.
	Idempotent bool
	// TimeArguments are the input fields that hold instants; dots reach inside.
	TimeArguments []string
	// Timeout bounds one call. Defaults to DefaultTimeout.
	Timeout time.Duration
	// DryRun answers for a write in a dry-run session; nil means {"stubbed":true}.
	DryRun func(ctx context.Context, in In, c *Call) (any, error)
	// InputSchema replaces the schema that is derived from In.
	InputSchema json.RawMessage
	// OutputSchema replaces the schema that is derived from Out, and every result is
	// checked against it: one that does not fit is an error result.
	OutputSchema json.RawMessage
}

// fill checks the options and puts into t what does not depend on a call.
func (o *ToolOptions[In]) fill(t *Tool) error {
	var faults []error
	switch o.Effect {
	case "":
		t.Effect = EffectRead
	case EffectRead, EffectWrite:
		t.Effect = o.Effect
	default:
		faults = append(faults, fmt.Errorf("the effect is %q; it must be read or write", o.Effect))
	}
	if o.EffectOf != nil {
		t.Effect = EffectDynamic
	}
	t.NeedsApproval = ApprovalNever
	if o.NeedsApproval {
		t.NeedsApproval = ApprovalAlways
	}
	if o.NeedsApprovalOf != nil {
		t.NeedsApproval = ApprovalDynamic
	}
	if o.Timeout < 0 {
		faults = append(faults, errors.New("the timeout is negative"))
	}
	if o.Timeout == 0 {
		t.Timeout = DefaultTimeout
	}
	return errors.Join(faults...)
}

func (o *ToolOptions[In]) effectOf(in In) (effect string) {
	if o.EffectOf == nil {
		if o.Effect == "" {
			return EffectRead
		}
		return o.Effect
	}
	effect = EffectWrite
	defer func() { _ = recover() }()
	if o.EffectOf(in) == EffectRead {
		return EffectRead
	}
	return EffectWrite
}

func (o *ToolOptions[In]) approvalOf(ctx context.Context, in In, c *Call) (needed bool) {
	if o.NeedsApprovalOf == nil {
		return o.NeedsApproval
	}
	needed = true
	defer func() { _ = recover() }()
	return o.NeedsApprovalOf(ctx, in, c)
}

// checkTimeArguments finds names that the input has not, where the schema lists them all.
func checkTimeArguments(raw json.RawMessage, names []string) error {
	for _, name := range names {
		s := raw
		for part := range strings.SplitSeq(name, ".") {
			var node struct {
				Properties           map[string]json.RawMessage
				AdditionalProperties any
			}
			if json.Unmarshal(s, &node) != nil || (node.Properties[part] == nil && node.AdditionalProperties != false) {
				break
			}
			if node.Properties[part] == nil {
				return fmt.Errorf("time argument %q: the input has no such field", name)
			}
			s = node.Properties[part]
		}
	}
	return nil
}
