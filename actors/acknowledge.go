package actors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// acknowledges says whether a route answers before it handles.
func (p *ChannelPort) acknowledges(route *agent.Route) bool {
	if route.Acknowledge != nil {
		return *route.Acknowledge
	}
	return p.def.Acknowledge
}

// acknowledge records the request, once for each delivery id, and answers 202 when it
// is on disk.
func (p *ChannelPort) acknowledge(ctx context.Context, route *agent.Route, r *agent.Request) (*agent.Response, error) {
	if err := p.h.Admit(); err != nil {
		return nil, err
	}
	id := ""
	if route.DeliveryID != nil {
		var err error
		if id, err = guarded(func() (string, error) { return route.DeliveryID(r), nil }); err != nil {
			return nil, err
		}
	}
	if err := p.receiveOnce(ctx, route, r, short(id)); err != nil {
		return nil, err
	}
	status := route.Acknowledged
	if status == 0 {
		status = http.StatusAccepted
	}
	return &agent.Response{Status: status}, nil
}

// short gives an id that a key can hold, the same for the same one.
func short(id string) string {
	if checkDeliveryID(id) == nil {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (p *ChannelPort) receiveOnce(ctx context.Context, route *agent.Route, r *agent.Request, id string) error {
	receive := func(ctx context.Context) (struct{}, error) { return struct{}{}, p.receive(ctx, route, r, id) }
	if id == "" {
		_, err := receive(context.WithoutCancel(ctx))
		return err
	}
	key := receiptKey(p.agent.Slug, p.def.ID, id)
	_, err := onceInTurn(ctx, p.h, key, receive, func(*events.Event) (struct{}, error) { return struct{}{}, nil })
	return err
}

// receive records the request: its body is on disk before the event is.
func (p *ChannelPort) receive(ctx context.Context, route *agent.Route, r *agent.Request, id string) error {
	log, sum := p.agent.log, sha256.Sum256(r.Body)
	if log.full(p.def.ID) {
		return ErrTooManyMessages
	}
	d := &events.DeliveryReceived{
		ReceiptID: p.h.newID(events.ReceiptPrefix), ChannelID: p.def.ID, DeliveryID: id, Method: route.Method, Headers: p.kept(r.Header),
		Body: events.BodyRef{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(r.Body))}, Route: route.Path, Params: r.Params,
	}
	d.Origin, d.Path = splitURL(r.URL)
	if r.Principal != (events.Principal{}) {
		d.Principal = &r.Principal
	}
	if err := log.inbox.keepBody(d.ReceiptID, r.Body); err != nil {
		return refusal(err)
	}
	at, err := log.receive(ctx, d)
	if err != nil {
		log.inbox.dropBodies(d.ReceiptID)
		return refusal(err)
	}
	log.inbox.add(at)
	return nil
}

// kept are the headers that the log may hold: those that prove who calls are dropped.
func (p *ChannelPort) kept(h http.Header) http.Header {
	out := h.Clone()
	if out == nil {
		out = http.Header{}
	}
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		out.Del(name)
	}
	for i := range p.def.Auth {
		out.Del(p.def.Auth[i].Header)
	}
	return out
}

// splitURL parts the scheme and host of an address from the rest.
func splitURL(raw string) (origin, path string) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "", raw
	}
	origin = u.Scheme + "://" + u.Host
	return origin, strings.TrimPrefix(raw, origin)
}

// routeOf finds the route of a recorded request among those of now.
func (p *ChannelPort) routeOf(d *events.DeliveryReceived) *agent.Route {
	for _, r := range p.def.Routes {
		if r.Method == d.Method && r.Path == d.Route {
			return r
		}
	}
	return nil
}
