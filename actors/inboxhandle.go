package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"sync/atomic"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/failpoint"
)

// take handles a request, or gives up one that earlier lives of the host left. How often
// it was tried is on disk before the handler begins.
func (b *inbox) take(r openReceipt) {
	if !r.again {
		b.handle(r)
		return
	}
	if !r.Drained {
		r.Tries++
	}
	r.Drained = false
	if r.Tries >= maxTries {
		b.end(r.At, fmt.Errorf("the host stopped %d times before it was handled: it is given up", maxTries))
		return
	}
	if err := b.log.tried(b.h.life, r); err != nil {
		b.lost(r.At, err)
		return
	}
	b.handle(r)
}

// handle runs the handler of a request and records how it ended. What the host's own
// stop may have cut off is left to the next start, and is no try.
func (b *inbox) handle(r openReceipt) {
	failpoint.Hit("delivery.received")
	err := b.run(r.At)
	if err != nil && (b.h.Draining() || b.h.life.Err() != nil) {
		r.Drained = true
		if err := b.log.tried(context.WithoutCancel(b.h.life), r); err != nil {
			b.lost(r.At, err)
		}
		return
	}
	failpoint.Hit("delivery.before_handled")
	b.end(r.At, err)
}

// run handles a request from what the log holds of it, on the newest agent.
func (b *inbox) run(at uint64) error {
	d, err := b.read(at)
	if err != nil {
		return err
	}
	p := b.h.Channel(b.slug, d.ChannelID)
	if p == nil {
		return fmt.Errorf("the agent has no channel %q any more", d.ChannelID)
	}
	defer p.Close()
	route := p.routeOf(d)
	if route == nil {
		return fmt.Errorf("the channel %q has no route %s %s any more", d.ChannelID, d.Method, d.Route)
	}
	r, err := b.request(d)
	if err != nil {
		return err
	}
	id := d.DeliveryID
	if id == "" {
		id = d.ReceiptID
	}
	sessions := p.sessions(r.Principal).forWork()
	sessions.deliveries = numbered(id)
	ctx, cancel := context.WithCancel(b.h.life)
	defer cancel()
	res, err := p.answer(ctx, b.h.o.HandlerTimeout, &visit{route: route, request: r, sessions: sessions, delivery: id})
	if res != nil {
		if c, ok := res.Body.(io.Closer); ok {
			_ = c.Close() // nobody reads it
		}
	}
	return err
}

// numbered gives ids for the messages of one delivery that name none: the delivery's
// own, then with a number. A handler that sends the same messages in the same order
// again sends none of them twice. It is safe for concurrent use.
func numbered(id string) func() string {
	var sent atomic.Int64
	return func() string {
		n := sent.Add(1)
		if n == 1 {
			return id
		}
		return short(fmt.Sprintf("%s#%d", id, n))
	}
}

func (b *inbox) read(at uint64) (*events.DeliveryReceived, error) {
	lines, err := b.h.journal.Read(b.log.stream, at, at+1)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("%w: it ends before %d", ErrCorrupt, at)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	e, err := events.Decode(lines[0].Data)
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	d, ok := e.Data.(*events.DeliveryReceived)
	if !ok {
		return nil, fmt.Errorf("reading the request: event %d is %s", at, e.Type)
	}
	return d, nil
}

// request makes the request that a handler is given.
func (b *inbox) request(d *events.DeliveryReceived) (*agent.Request, error) {
	body, err := b.body(d.ReceiptID)
	if err != nil {
		return nil, err
	}
	r := &agent.Request{Method: d.Method, URL: d.Origin + d.Path, Header: d.Headers, Body: body, Params: d.Params, Received: d.ReceiptID}
	if d.Principal != nil {
		r.Principal = *d.Principal
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, fmt.Errorf("reading the request's address: %w", err)
	}
	r.Query = u.Query()
	return r, nil
}

// end records the outcome, and shows what failed.
func (b *inbox) end(at uint64, failed error) {
	d, err := b.read(at)
	if err != nil { // without its id nothing can be recorded
		b.lost(at, errors.Join(failed, err))
		return
	}
	out, key := &events.DeliveryHandled{ReceiptID: d.ReceiptID, IsError: failed != nil}, ""
	if d.DeliveryID != "" {
		key = receiptKey(b.slug, d.ChannelID, d.DeliveryID)
	}
	if failed != nil {
		out.Message = cutEnd(b.h.redact(failed.Error()), maxFinding)
		message := failedRequest(d, failed.Error())
		logPanic(b.h.o.Logger.Error().Str("agent", b.slug).Str("receipt", d.ReceiptID), failed).Msg(message)
		b.h.found(b.slug, agent.Diagnostic{Rule: "channel/request-failed", Message: message, Fix: fixRequest})
	}
	if err := b.log.handled(context.WithoutCancel(b.h.life), at, out, key); err != nil {
		b.lost(at, err)
		return
	}
	b.dropBodies(d.ReceiptID)
}

func (b *inbox) lost(at uint64, err error) {
	if b.h.life.Err() == nil {
		b.h.o.Logger.Error().Str("agent", b.slug).Uint64("index", at).Err(err).Msg("an acknowledged request is left to the next start")
	}
}
