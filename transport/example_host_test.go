package transport_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
	"github.com/gobdk/bdk/transport/docs"
	"github.com/gobdk/bdk/transport/playground"
)

type orderID struct {
	ID string `json:"id" jsonschema:"the order's id, such as A-1"`
}

type order struct {
	Item  string `json:"item"`
	Cents int    `json:"cents"`
}

var orders = map[string]order{"A-1": {Item: "a brass lamp", Cents: 4800}}

// clerk is an agent with one tool, in Go.
func clerk() (*agent.Agent, error) {
	find, err := agent.NewTool("find_order", "Finds an order by its id.",
		func(_ context.Context, in orderID, _ *agent.Call) (order, error) {
			o, ok := orders[in.ID]
			if !ok {
				return order{}, fmt.Errorf("there is no order %s", in.ID)
			}
			return o, nil
		}, &agent.ToolOptions[orderID]{Effect: agent.EffectRead})
	if err != nil {
		return nil, err
	}
	return &agent.Agent{
		Slug: "clerk", Instructions: "You look after orders.",
		Model: agent.Model{ID: "scripted"}, Tools: []*agent.Tool{find},
	}, nil
}

// A shop is a host with all that it stands on.
type shop struct {
	journal *journal.Journal
	views   *projections.Views
	host    *actors.Host
	handler http.Handler
}

// open starts it over a folder, in the order in which data flows.
func open(ctx context.Context, dir string, models model.Resolver, agents ...*agent.Agent) (s *shop, err error) {
	s = &shop{}
	if s.journal, err = journal.Open(dir, nil); err != nil {
		return nil, err
	}
	if s.views, err = projections.Start(ctx, &projections.Options{Journal: s.journal}); err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	s.host, err = actors.Start(ctx, &actors.Options{Journal: s.journal, Views: s.views, Agents: agents, Models: models})
	if err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	s.handler, err = transport.NewHandler(&transport.Options{
		Host: s.host, Views: s.views,
		Playground: playground.New(), Docs: docs.New(nil), // leave them out to serve the API alone
	})
	if err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	return s, nil
}

// close ends running turns within the context's bound, then the rest in turn.
func (s *shop) close(ctx context.Context) error {
	var errs []error
	if s.host != nil {
		errs = append(errs, s.host.Close(ctx))
	}
	if s.views != nil {
		errs = append(errs, s.views.Close(ctx))
	}
	return errors.Join(append(errs, s.journal.Close())...)
}

// ask has one turn with an agent, and prints what it did.
func (s *shop) ask(ctx context.Context, message string) error {
	started, err := s.host.StartSession(ctx, actors.NewSession{
		Agent: "clerk", Message: message,
		Principal: events.Principal{Kind: "shop", ID: "counter-1"},
	})
	if err != nil {
		return err
	}
	if _, err := s.host.Wait(ctx, started.SessionID); err != nil {
		return err
	}
	lines, err := s.journal.Read(started.SessionID, 0, 1000)
	if err != nil {
		return err
	}
	for _, line := range lines {
		e, err := events.Decode(line.Data)
		if err != nil {
			return err
		}
		switch d := e.Data.(type) {
		case *events.ActionResult:
			fmt.Println(d.ToolName, "gave", string(d.Output))
		case *events.TurnCompleted:
			fmt.Println("the reply is", string(d.Result))
		}
	}
	return nil
}

// A host in a program of one's own: an agent in Go, driven from Go and served over HTTP.
func Example_host() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	agents, err := clerk()
	if err != nil {
		fmt.Println(err)
		return
	}
	script, err := scripted.Parse("script", []byte("- when: ''\n  steps:\n    - call: [{find_order: {id: A-1}}]\n    - say: 'It is {{ index .results 0 \"item\" }}.'\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := open(ctx, dir, offline{scripted.New(script)}, agents)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.ask(ctx, "what is A-1?"); err != nil {
		fmt.Println(err)
	}
	server := httptest.NewServer(s.handler)
	for _, path := range []string{"/v1/health", "/clerk/v1/sessions", "/clerk/playground", "/docs/embedding"} {
		res, err := server.Client().Get(server.URL + path)
		if err != nil {
			fmt.Println(err)
			continue
		}
		_ = res.Body.Close()
		fmt.Println(res.StatusCode, path)
	}
	server.Close()
	if err := s.close(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// find_order gave {"item":"a brass lamp","cents":4800}
	// the reply is "It is a brass lamp."
	// 200 /v1/health
	// 200 /clerk/v1/sessions
	// 200 /clerk/playground
	// 200 /docs/embedding
}
