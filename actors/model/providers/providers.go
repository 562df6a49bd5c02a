// Package providers finds the model that an id asks for: the scripted one, a
// recording, or one behind a provider whose settings are in the environment.
package providers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/openai"
	"github.com/gobdk/bdk/actors/model/replay"
	"github.com/gobdk/bdk/events"
)

// Options of a Resolver; nil means an empty environment.
type Options struct {
	// Lookup finds a setting, such as OPENAI_API_KEY. It must be safe for concurrent
	// use. An empty value counts as none.
	Lookup func(name string) (string, bool)
	// HTTPClient is what models use; nil: one that they share.
	HTTPClient *http.Client
	// Sessions gives the log of a session by its id, for replays: of one that the host
	// of this resolver runs, and of one that is replayed. It must be safe for concurrent
	// use; nil: this resolver replays nothing.
	Sessions func(ctx context.Context, id string) replay.Lines
	Logger   zerolog.Logger
}

// A Resolver finds models. It is safe for concurrent use; a script's file is read
// again when it has changed.
type Resolver struct {
	o Options

	mu sync.Mutex
	// chats are keyed by everything that makes two of them differ.
	chats   map[endpoint]*openai.Model
	scripts map[string]parsed
	replays map[string]recording
}

var _ model.Resolver = (*Resolver)(nil)

// New gives a resolver.
func New(o *Options) *Resolver {
	r := &Resolver{chats: map[endpoint]*openai.Model{}, scripts: map[string]parsed{}, replays: map[string]recording{}}
	if o != nil {
		r.o = *o
	}
	return r
}

// setting is empty where there is none.
func (r *Resolver) setting(name string) string {
	if r.o.Lookup == nil {
		return ""
	}
	v, _ := r.o.Lookup(name)
	return strings.TrimSpace(v)
}

// Resolve finds the model of ref. An empty ID is the first provider whose key is
// set, else the scripted one. A failure is a *model.Error whose message says what
// is missing and names the way offline.
func (r *Resolver) Resolve(ref model.Ref) (model.Resolved, error) {
	id := strings.TrimSpace(ref.ID)
	if id == "" {
		id = r.first()
	}
	if id == scriptedName || strings.HasPrefix(id, scriptedName+":") {
		return r.scripted(id, ref.ProjectDir)
	}
	if name, ok := strings.CutPrefix(id, replayPrefix); ok {
		return r.replay(name, ref.ProjectDir)
	}
	provider, name, err := split(id)
	if err != nil {
		return model.Resolved{}, failed(err)
	}
	e, err := r.endpoint(provider)
	if err != nil {
		return model.Resolved{}, failed(err)
	}
	full := provider + "/" + name
	return model.Resolved{Model: r.chat(e), Name: full, Request: name, Window: model.ListWindow(full)}, nil
}

// Check says in a sentence why ref cannot be used, such as a key that is not set.
func (r *Resolver) Check(ref model.Ref) error {
	_, err := r.Resolve(ref)
	return err
}

// UnknownParams names the params that the model of ref does not know and is not
// sent. It says nothing of the scripted one and of recordings, which need none, nor of
// model.ParamContext, which the host itself uses.
func (r *Resolver) UnknownParams(ref model.Ref, params map[string]any) []string {
	if r.plays(ref) {
		return nil
	}
	return slices.DeleteFunc(openai.UnknownParams(params), func(id string) bool { return id == model.ParamContext })
}

// CheckParams says which param has a value that the model of ref cannot take.
func (r *Resolver) CheckParams(ref model.Ref, params map[string]any) error {
	if err := model.CheckWindow(params); err != nil || r.plays(ref) {
		return err
	}
	return openai.CheckParams(params)
}

// plays says whether the model of ref takes no params.
func (r *Resolver) plays(ref model.Ref) bool {
	resolved, err := r.Resolve(ref)
	return err == nil && (resolved.Name == scriptedName || resolved.Name == replayName)
}

// chat gives the model of an endpoint, made once.
func (r *Resolver) chat(e endpoint) *openai.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.chats[e]
	if m == nil {
		m = openai.New(&openai.Options{Name: e.provider, BaseURL: e.url, APIKey: e.key, HTTPClient: r.o.HTTPClient, Logger: r.o.Logger})
		r.chats[e] = m
	}
	return m
}

func failed(err error) error {
	return &model.Error{Message: err.Error(), Code: events.FailModel, Err: err}
}

func checkURL(name, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s is no URL; it must be like https://example.com/v1", name)
	}
	return nil
}
