package agent

import (
	"context"
	"encoding/json"
)

// A Stub answers a call in the place of its tool, in the session of an eval alone. The
// arguments were parsed and, where the tool asks for it, approved before. It gives the
// result as JSON; its error is the tool's.
type Stub func(ctx context.Context, c *Call) (json.RawMessage, error)
