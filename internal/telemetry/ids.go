package telemetry

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// traceID is that of a turn.
func traceID(session, turn string) (id trace.TraceID) {
	copy(id[:], digest("trace", session, turn))
	return id
}

// spanID is that of a thing in a session's log.
func spanID(session string, parts ...string) (id trace.SpanID) {
	copy(id[:], digest(append([]string{"span", session}, parts...)...))
	return id
}

func digest(parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return sum[:]
}

// wantedID is the key of the ids that the next span is to have.
type wantedID struct{}

type ids struct {
	trace trace.TraceID
	span  trace.SpanID
}

// givenIDs gives the ids that are in the context, and random ones without.
type givenIDs struct{}

// NewIDs is sdk.IDGenerator's.
func (givenIDs) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if x, ok := ctx.Value(wantedID{}).(ids); ok {
		return x.trace, x.span
	}
	var x ids
	_, _ = rand.Read(x.trace[:]) // it never fails
	_, _ = rand.Read(x.span[:])
	return x.trace, x.span
}

// NewSpanID is sdk.IDGenerator's.
func (g givenIDs) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	_, s := g.NewIDs(ctx)
	return s
}
