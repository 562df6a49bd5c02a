package projections

import (
	"context"
	"errors"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"
)

// A routerLog is Watermill's logger on zerolog. What the router calls info is of use to
// its own authors alone, so it is trace here.
type routerLog struct{ log zerolog.Logger }

var _ watermill.LoggerAdapter = routerLog{}

func (l routerLog) Error(msg string, err error, fields watermill.LogFields) {
	if errors.Is(err, context.Canceled) {
		return
	}
	l.write(l.log.Error().Err(err), msg, fields)
}

func (l routerLog) Info(msg string, fields watermill.LogFields) {
	l.write(l.log.Trace(), msg, fields)
}

// Debug drops the line.
func (routerLog) Debug(string, watermill.LogFields) {}

// Trace drops the line: it is two for each message.
func (routerLog) Trace(string, watermill.LogFields) {}

func (l routerLog) With(fields watermill.LogFields) watermill.LoggerAdapter {
	return routerLog{l.log.With().Fields(map[string]any(fields)).Logger()}
}

func (l routerLog) write(e *zerolog.Event, msg string, fields watermill.LogFields) {
	e.Fields(map[string]any(fields)).Msg(msg)
}
