//go:build failpoints

package crash

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

// hooks is a channel that acknowledges webhooks before it handles them, and leaves a
// line in a file for the end of each turn.
func hooks(sent string) *agent.Channel {
	return &agent.Channel{
		ID: "hooks", Acknowledge: true,
		Routes: []*agent.Route{{
			Method: http.MethodPost, Path: "/",
			DeliveryID: func(r *agent.Request) string { return r.Header.Get("X-Delivery") },
			Handle: func(ctx context.Context, c *agent.Call) (*agent.Response, error) {
				_, err := c.Sessions.Send(ctx, string(c.Request.Body), agent.SendOptions{ContinuationToken: "room"})
				return nil, err
			},
		}},
		On: map[string]agent.DeliverFunc{"turn.completed": func(ctx context.Context, e *agent.HookEvent, c *agent.Call) error {
			if err := c.Conversation.SetState(ctx, json.RawMessage(`{"last":"`+e.TurnID+`"}`)); err != nil {
				return err
			}
			return leave(sent, outgoing{c.DeliveryID, e.TurnID})
		}},
	}
}

// An outgoing is one line of what the channel delivered.
type outgoing struct {
	DeliveryID string `json:"deliveryId"`
	TurnID     string `json:"turnId"`
}

// withHooks serves the channel's route beside those of a host.
func withHooks(host *actors.Host, rest http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/hooks" {
			rest.ServeHTTP(w, r)
			return
		}
		p := host.Channel("bot", "hooks")
		defer p.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		res, err := p.Handle(r.Context(), p.Definition().Routes[0], &agent.Request{
			Method: r.Method, URL: "http://" + r.Host + r.URL.Path, Header: r.Header, Body: body, Principal: events.Principal{Kind: "app", ID: "sender"},
		})
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(res.Status)
	})
}

// hook sends a webhook; 0 without an answer.
func hook(base, text, delivery string) int {
	req, err := http.NewRequest(http.MethodPost, base+"/hooks", bytes.NewReader([]byte(text)))
	if err != nil {
		return 0
	}
	req.Header.Set("X-Delivery", delivery)
	res, err := client.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// delivered reads what the channel delivered.
func delivered(dir string) (all []outgoing, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "effects.sent"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for in := bufio.NewScanner(bytes.NewReader(b)); in.Scan(); {
		var o outgoing
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}
