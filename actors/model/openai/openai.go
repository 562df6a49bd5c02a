// Package openai is the model provider for the Chat Completions protocol: OpenAI's
// own and the many servers that speak it too.
package openai

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/actors/model/retry"
	"github.com/gobdk/bdk/events"
)

// DefaultBaseURL is OpenAI's own.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options of a Model.
type Options struct {
	// Name is what errors and the log call the provider. Defaults to "openai".
	Name string
	// BaseURL ends before /chat/completions. Defaults to DefaultBaseURL.
	BaseURL string
	// APIKey is sent as a bearer token; empty: none is sent.
	APIKey string
	// HTTPClient defaults to one that all models share.
	HTTPClient *http.Client
	// StartTimeout bounds the wait for the first bytes of an answer's body. Defaults to 5 minutes.
	StartTimeout time.Duration
	// IdleTimeout bounds the wait between pieces of it. Defaults to 120 s.
	IdleTimeout time.Duration
	Logger      zerolog.Logger
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Name == "" {
		d.Name = "openai"
	}
	if d.BaseURL == "" {
		d.BaseURL = DefaultBaseURL
	}
	if d.HTTPClient == nil {
		d.HTTPClient = pooled
	}
	if d.StartTimeout <= 0 {
		d.StartTimeout = 5 * time.Minute
	}
	if d.IdleTimeout <= 0 {
		d.IdleTimeout = 120 * time.Second
	}
	return d
}

// pooled keeps connections for many sessions at once.
var pooled = func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 100
	return &http.Client{Transport: t}
}()

// A Model asks one server. It is safe for concurrent use and holds no state of a session.
type Model struct {
	o      Options
	client sdk.Client
}

var _ model.Model = (*Model)(nil)

// New gives a model; nil means OpenAI's own server without a key.
func New(o *Options) *Model {
	m := &Model{o: o.withDefaults()}
	// NewClient would read the environment, so the options are put together here.
	m.client = sdk.Client{Options: []option.RequestOption{
		option.WithHTTPClient(m.o.HTTPClient),
		option.WithBaseURL(m.o.BaseURL),
		option.WithAPIKey(m.o.APIKey),
		option.WithMaxRetries(0), // package retry decides
		option.WithMiddleware(m.intercept),
		option.WithHeader("Accept", "text/event-stream"),
	}}
	return m
}

// own says whether the server is OpenAI's, which refuses max_tokens for its newer models.
func (m *Model) own() bool { return strings.HasPrefix(m.o.BaseURL, "https://api.openai.com/") }

// Stream asks for one step. See the port for what it promises.
func (m *Model) Stream(ctx context.Context, r *model.Request, emit func(model.Delta)) (*model.Response, error) {
	params, err := m.request(r)
	if err != nil {
		return nil, err
	}
	var resp *model.Response
	fail := retry.Do(ctx, m.note(r), func(int) *retry.Failure {
		var f *retry.Failure
		resp, f = m.attempt(ctx, params, emit)
		return f
	})
	if fail != nil {
		return nil, fail
	}
	return resp, nil
}

// note puts a line into the log for each attempt that failed and is tried again.
func (m *Model) note(r *model.Request) func(*retry.Failure, int, time.Duration) {
	return func(f *retry.Failure, attempt int, wait time.Duration) {
		m.o.Logger.Warn().Str("session", r.SessionID).Str("turn", r.TurnID).Int("step", r.Step).
			Int("attempt", attempt).Int("status", f.Err.Status).Dur("wait", wait).
			Msg("model request failed and is tried again: " + f.Err.Message)
	}
}

// attempt asks once.
func (m *Model) attempt(ctx context.Context, params sdk.ChatCompletionNewParams, emit func(model.Delta)) (*model.Response, *retry.Failure) {
	w := watch(ctx, m.o.StartTimeout, m.o.IdleTimeout)
	defer w.stop()
	var raw *http.Response
	err := m.client.Post(w.ctx, "chat/completions", params, &raw, option.WithJSONSet("stream", true))
	if err != nil {
		return nil, m.failure(ctx, w, err, false)
	}
	defer raw.Body.Close()
	raw.Body = w.body(raw.Body)
	in := &input{emit: emit}
	if err := in.read(ssestream.NewDecoder(raw)); err != nil {
		return nil, m.failure(ctx, w, err, in.emitted)
	}
	resp, err := in.response()
	if err != nil {
		return nil, m.failure(ctx, w, err, in.emitted)
	}
	return resp, nil
}

// request makes the body of the request, which all attempts share.
func (m *Model) request(r *model.Request) (sdk.ChatCompletionNewParams, error) {
	params := sdk.ChatCompletionNewParams{
		Model:         r.Model,
		Messages:      messages(r),
		Tools:         tools(r.Tools),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	if err := setParams(&params, r.Params); err != nil {
		return params, &model.Error{Message: fmt.Sprintf("%s: %s", m.o.Name, err), Code: events.FailModel, Err: err}
	}
	limit := r.MaxOutputTokens
	if own := int(params.MaxTokens.Value); own > 0 && (limit == 0 || own < limit) {
		limit = own
	}
	params.MaxTokens = sdk.ChatCompletionNewParams{}.MaxTokens
	switch {
	case limit > 0 && m.own():
		params.MaxCompletionTokens = sdk.Int(int64(limit))
	case limit > 0:
		params.MaxTokens = sdk.Int(int64(limit))
	}
	return params, nil
}
