package projections

import (
	"context"
	"errors"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/events/journal"
)

// What the store could not do is tried again before a crew gives up, for half a second in all.
const (
	foldRetries   = 5
	firstInterval = 16 * time.Millisecond
	maxInterval   = 256 * time.Millisecond
)

// newRouter makes a Watermill router with a handler per crew. A crew's handler
// never ends by itself: a router without handlers closes.
func newRouter(j *journal.Journal, crews []*crew, log zerolog.Logger) (*message.Router, error) {
	logger := routerLog{log}
	router, err := message.NewRouter(message.RouterConfig{}, logger)
	if err != nil {
		return nil, err
	}
	for _, c := range crews {
		c.guard(logger)
		sub := j.Subscriber("views."+c.name, &journal.SubscriberOptions{Ranges: true, From: c.from})
		router.AddConsumerHandler(c.name, journal.TopicEvents, sub, c.guarded)
	}
	return router, nil
}

// guard puts Watermill's middleware around handle: a panic becomes an error, and
// an error is tried again. What fails to the end stops who failed, and the message
// is taken as done: the router would bring it again for ever.
func (c *crew) guard(logger watermill.LoggerAdapter) {
	retry := middleware.Retry{
		MaxRetries: foldRetries, InitialInterval: firstInterval, MaxInterval: maxInterval, Multiplier: 2,
		ShouldRetry: func(p middleware.RetryParams) bool { return !ended(p.Err) },
		Logger:      logger,
	}
	tried := retry.Middleware(middleware.Recoverer(func(msg *message.Message) ([]*message.Message, error) {
		return nil, c.handle(msg)
	}))
	c.guarded = func(msg *message.Message) error {
		_, err := tried(msg)
		if err == nil || ended(err) || msg.Context().Err() != nil {
			return err
		}
		c.poison(err)
		return nil
	}
}

// ended says that err is not a fault but the end of the views or of the journal.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, journal.ErrClosed)
}
