package slack

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"sync"
	"time"

	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/internal/clock"
)

// Waits before a socket is opened anew.
const (
	socketPause    = time.Second
	socketPauseMax = time.Minute
)

// listen holds a socket to Slack open until ctx ends.
func (c *channel) listen(ctx context.Context, call *agent.Call) {
	pause := socketPause
	for ctx.Err() == nil {
		began := c.o.Clock.Now()
		err := c.connect(ctx, call)
		if ctx.Err() != nil {
			return
		}
		if c.o.Clock.Now().Sub(began) > socketPauseMax {
			pause = socketPause // it held
		}
		call.Log.Warn().Str("error", c.o.Client.secret.Text(text(err))).Stringer("again", pause).Msg("the socket to Slack is closed")
		if clock.Wait(ctx, c.o.Clock, pause) != nil {
			return
		}
		pause = min(2*pause, socketPauseMax)
	}
}

func text(err error) string {
	if err == nil {
		return "Slack closed it"
	}
	return err.Error()
}

// connect opens a socket and takes in what comes, until it is closed.
func (c *channel) connect(ctx context.Context, call *agent.Call) error {
	c.o.Client.secret.Add(c.o.AppToken)
	quiet := log.New(io.Discard, "", 0)
	client := api.New(c.o.Client.token, api.OptionAppLevelToken(c.o.AppToken), api.OptionAPIURL(c.o.Client.base.String()+"/"), api.OptionHTTPClient(c.o.Client.http), api.OptionLog(quiet))
	socket := socketmode.New(client, socketmode.OptionLog(quiet))
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	var err error
	ended.Go(func() {
		defer cancel()
		err = socket.RunContext(ctx)
	})
	for open := true; open; {
		select {
		case e := <-socket.Events:
			c.heard(ctx, call, socket, &e)
		case <-ctx.Done():
			open = false
		}
	}
	cancel()
	ended.Wait()
	return err
}

// heard takes in one event, and tells Slack so only when it is on disk: else Slack sends it again.
func (c *channel) heard(ctx context.Context, call *agent.Call, socket *socketmode.Client, e *socketmode.Event) {
	switch e.Type {
	case socketmode.EventTypeConnected:
		call.Log.Info().Msg("the socket to Slack is open")
	case socketmode.EventTypeConnectionError:
		if d, ok := e.Data.(*api.ConnectionErrorEvent); ok {
			call.Log.Warn().Str("error", c.o.Client.secret.Text(d.Error())).Msg("the socket to Slack cannot be opened")
		}
	}
	if e.Request == nil || e.Request.EnvelopeID == "" {
		return
	}
	if r := requestOf(e.Request); r != nil {
		if err := call.Receive(ctx, c.route, r); err != nil {
			call.Log.Error().Err(err).Str("envelope", e.Request.EnvelopeID).Msg("what came over the socket to Slack was not taken, so it will come again")
			return
		}
	}
	if err := socket.AckCtx(ctx, e.Request.EnvelopeID, nil); err != nil && ctx.Err() == nil {
		call.Log.Warn().Err(err).Msg("answering on the socket to Slack")
	}
}

// requestOf is what came as the request that it would be over HTTP; nil for what the
// channel does not know.
func requestOf(in *socketmode.Request) *agent.Request {
	r := &agent.Request{Method: http.MethodPost, URL: "socket:" + in.Type, Header: http.Header{"Content-Type": {typeForm}}, Principal: events.Principal{Kind: "slack", ID: "events"}}
	switch in.Type {
	case socketmode.RequestTypeEventsAPI:
		r.Header.Set("Content-Type", typeJSON)
		r.Body = in.Payload
	case socketmode.RequestTypeInteractive:
		r.Body = []byte(url.Values{"payload": {string(in.Payload)}}.Encode())
	case socketmode.RequestTypeSlashCommands:
		var fields map[string]any
		if json.Unmarshal(in.Payload, &fields) != nil {
			return nil
		}
		form := url.Values{}
		for name, value := range fields {
			if s, ok := value.(string); ok {
				form.Set(name, s)
			}
		}
		r.Body = []byte(form.Encode())
	default:
		return nil
	}
	return r
}
