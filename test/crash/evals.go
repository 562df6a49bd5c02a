//go:build failpoints

package crash

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/model"
	"github.com/gobdk/bdk/internal/eval"
	"github.com/gobdk/bdk/internal/eval/hosted"
)

// withEvals runs a case of an eval for each POST /evals: its body is the message of the
// case, whose writes are stubbed. The answer is the turn's status.
func withEvals(host *actors.Host, models model.Resolver, rest http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/evals" {
			rest.ServeHTTP(w, r)
			return
		}
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		turn, err := runCase(r.Context(), host, models, string(text))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = io.WriteString(w, turn.Status)
	})
}

// runCase sends one message and leaves the session as it is then.
func runCase(ctx context.Context, host *actors.Host, models model.Resolver, text string) (*eval.Turn, error) {
	target, err := hosted.New(host, "bot", &hosted.Options{Models: models, Prices: free{}})
	if err != nil {
		return nil, err
	}
	stub := func(context.Context, *agent.Call) (json.RawMessage, error) { return json.RawMessage(`"stubbed"`), nil }
	return target.Open(eval.OpenOptions{Title: text}).Send(ctx, text, eval.SendOptions{
		Stubs: map[string]agent.Stub{"push": stub, "put": stub, "merge": stub, "slowpush": stub},
	})
}
