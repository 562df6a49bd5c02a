// Command embed is bdk inside a program of one's own: an agent in Go with one tool,
// served over HTTP on the scripted model, which needs no key.
//
//	go run ./test/examples/embed
//	curl -s http://127.0.0.1:3000/v1/session -H 'content-type: application/json' \
//	  -H 'accept: application/x-ndjson' -d '{"message":"/call weather {\"city\":\"Oslo\"}"}'
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, ".bdk", "127.0.0.1:3000"); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

// serve answers on addr until ctx ends.
func serve(ctx context.Context, dir, addr string) error {
	handler, end, err := open(ctx, dir)
	if err != nil {
		return err
	}
	server := transport.NewServer(handler, nil)
	server.Addr = addr
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()
	fmt.Printf("weather at http://%s/v1\n", addr)
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = server.Close()
	}
	return errors.Join(err, end())
}

// open makes a host on the state root dir, in four calls in the order that data flows:
// what happened, what is known of it, what happens next, and who may ask.
func open(ctx context.Context, dir string) (handler http.Handler, end func() error, err error) {
	weather, err := weatherAgent()
	if err != nil {
		return nil, nil, err
	}
	j, err := journal.Open(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	views, err := projections.Start(ctx, &projections.Options{Journal: j})
	if err != nil {
		return nil, nil, errors.Join(err, j.Close())
	}
	host, err := actors.Start(ctx, &actors.Options{
		Journal: j, Views: views, Agents: []*agent.Agent{weather}, Models: offline{scripted.New(nil)},
	})
	if err != nil {
		return nil, nil, errors.Join(err, views.Close(ctx), j.Close())
	}
	end = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return errors.Join(host.Close(ctx), views.Close(ctx), j.Close())
	}
	handler, err = transport.NewHandler(&transport.Options{Host: host, Views: views, Mode: transport.ModeSingle})
	if err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return handler, end, nil
}

// weatherAgent is an agent in Go: what a project in TypeScript says in files.
func weatherAgent() (*agent.Agent, error) {
	type place struct {
		City string `json:"city" jsonschema:"a city's name"`
	}
	type forecast struct {
		Text string `json:"text"`
	}
	tool, err := agent.NewTool("weather", "Tells tomorrow's weather of a city.",
		func(_ context.Context, in place, _ *agent.Call) (forecast, error) {
			return forecast{Text: "Sun over " + in.City + "."}, nil
		}, nil)
	if err != nil {
		return nil, err
	}
	return &agent.Agent{
		Slug:         "weather",
		Instructions: "Tell people the weather, in one sentence.",
		Model:        agent.Model{ID: "scripted"},
		Tools:        []*agent.Tool{tool},
	}, nil
}

// offline gives the scripted model whatever an agent asks for.
type offline struct{ model *scripted.Model }

// Resolve is asked before each turn.
func (o offline) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: o.model, Name: "scripted", Request: "scripted"}, nil
}
