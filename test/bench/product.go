package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/scripted"
	"github.com/gobdk/bdk/events/journal"
	"github.com/gobdk/bdk/projections"
	"github.com/gobdk/bdk/transport"
)

// slug is the one agent of the host that is measured.
const slug = "bench"

// script is the scripted model without rules and without delay.
type script struct{ model *scripted.Model }

func (s script) Resolve(model.Ref) (model.Resolved, error) {
	return model.Resolved{Model: s.model, Name: "scripted", Request: "scripted"}, nil
}

// A host is the product as `serve` makes it: a journal, all built-in views, actors.
type host struct {
	journal *journal.Journal
	views   *projections.Views
	actors  *actors.Host
}

func openHost(dir string) (*host, error) {
	ctx := context.Background()
	h := &host{}
	var err error
	if h.journal, err = journal.Open(dir, nil); err != nil {
		return nil, err
	}
	if h.views, err = projections.Start(ctx, &projections.Options{Journal: h.journal, Prices: model.ListPrices()}); err != nil {
		return nil, errors.Join(err, h.journal.Close())
	}
	h.actors, err = actors.Start(ctx, &actors.Options{
		Journal: h.journal,
		Views:   h.views,
		Agents:  []*agent.Agent{{Slug: slug, Instructions: "Be brief.", Model: agent.Model{ID: "scripted"}}},
		Models:  script{scripted.New(nil)},
		Prices:  model.ListPrices(),
	})
	if err != nil {
		return nil, errors.Join(err, h.views.Close(ctx), h.journal.Close())
	}
	return h, nil
}

func (h *host) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return errors.Join(h.actors.Close(ctx), h.views.Close(ctx), h.journal.Close())
}

// product is the child that serves the host on the state root of its argument.
func product(args []string) error {
	debug.SetGCPercent(300) // as cmd/bdk does
	h, err := openHost(args[0])
	if err != nil {
		return err
	}
	o := &transport.Options{Host: h.actors, Views: h.views, Mode: transport.ModeSingle, Version: "bench"}
	handler, err := transport.NewHandler(o)
	if err != nil {
		return errors.Join(err, h.close())
	}
	return errors.Join(serveChild(transport.NewServer(handler, o), h.about()), h.close())
}

// about answers on the child's side listener.
func (h *host) about() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /usage", func(w http.ResponseWriter, _ *http.Request) {
		u, m := ownUsage(), h.journal.Metrics()
		u.Appends, u.Syncs = m.Appends, m.Syncs
		sayJSON(w, u)
	})
	mux.HandleFunc("GET /template", func(w http.ResponseWriter, r *http.Request) {
		t, err := templateOf(h.journal, r.FormValue("session"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sayJSON(w, t)
	})
	mux.HandleFunc("GET /folded", func(w http.ResponseWriter, r *http.Request) {
		if err := h.views.WaitFor(r.Context(), h.journal.Position()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sayJSON(w, h.journal.Position())
	})
	return mux
}

// child runs a role.
func child(role string, args []string) error {
	roles := map[string]func([]string) error{
		"product": product, "floor": floor, "journal": journalChild, "wake": wakeChild, "fill": fillChild,
		"script": scriptChild,
	}
	run, ok := roles[role]
	if !ok || len(args) == 0 {
		return fmt.Errorf("no role %q", role)
	}
	return run(args)
}
