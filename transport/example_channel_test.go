package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

// offline answers for every model.
type offline struct{ model.Model }

// Resolve gives the scripted model.
func (o offline) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: o, Name: "scripted", Request: "scripted"}, nil
}

// tickets takes messages about tickets: the same ticket is the same conversation.
func tickets() (*agent.Channel, error) {
	type ticket struct {
		Text string `json:"text"`
	}
	route, err := agent.NewRoute("POST", "/:id", func(ctx context.Context, t ticket, _ agent.None, c *agent.Call) (*agent.Response, error) {
		s, err := c.Sessions.Send(ctx, t.Text, agent.SendOptions{ContinuationToken: "ticket:" + c.Request.Params["id"]})
		if err != nil {
			return nil, err
		}
		done, err := c.Sessions.Wait(ctx, s)
		if err != nil {
			return nil, err
		}
		return agent.JSON(http.StatusOK, map[string]any{"by": c.Request.Principal.ID, "status": done.Status, "reply": done.Reply})
	}, nil)
	if err != nil {
		return nil, err
	}
	desk := agent.BearerTokens(map[string]string{"token-of-the-ticket-desk": "desk"})
	return &agent.Channel{ID: "tickets", Auth: []agent.AuthPolicy{desk}, Routes: []*agent.Route{route}}, nil
}

// A channel in Go: typed routes, auth of its own, sessions found by the channel's own names.
func Example_channel() {
	ctx := context.Background()
	channel, err := tickets()
	if err != nil {
		fmt.Println(err)
		return
	}
	handler, end, err := serve(ctx, &agent.Agent{Slug: "bot", Model: agent.Model{ID: "scripted"}, Channels: []*agent.Channel{channel}})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(handler)
	post := func(token, body string) {
		req, _ := http.NewRequest(http.MethodPost, server.URL+"/v1/channels/tickets/7", strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := server.Client().Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		fmt.Println(res.StatusCode, strings.TrimSpace(string(answer)))
	}
	post("token-of-the-ticket-desk", `{"text":"the lamp is dark"}`)
	post("token-of-the-ticket-desk", `{"text":7}`)
	post("a-token-of-somebody-else", `{"text":"x"}`)
	server.Close()
	if err := end(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 200 {"by":"desk","reply":"I heard: the lamp is dark","status":"finished"}
	// 400 {"ok":false,"error":"invalid_body","message":"text: must be a string, not a number","issues":[{"path":"text","message":"must be a string, not a number"}]}
	// 401 {"ok":false,"error":"unauthorized","message":"no policy of this host admits this request"}
}

// serve makes a host with one agent, in memory.
func serve(ctx context.Context, a *agent.Agent) (http.Handler, func() error, error) {
	j, err := journal.Open("state", &journal.Options{FS: vfs.NewMem()})
	if err != nil {
		return nil, nil, err
	}
	views, err := projections.Start(ctx, &projections.Options{Journal: j})
	if err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	host, err := actors.Start(ctx, &actors.Options{Journal: j, Views: views, Agents: []*agent.Agent{a}, Models: offline{scripted.New(nil)}, MinFreeBytes: -1})
	if err != nil {
		return nil, nil, errors.Join(err, views.Close(ctx), j.Close())
	}
	end := func() error { return errors.Join(host.Close(ctx), views.Close(ctx), j.Close()) }
	handler, err := transport.NewHandler(&transport.Options{Host: host, Views: views, Mode: transport.ModeSingle})
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return handler, end, nil
}
