package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobdk/bdk/internal/oauth"
)

// asClient makes the test's own program the client that the suite runs.
const asClient = "MCP_CONFORMANCE_CLIENT"

func TestMain(m *testing.M) {
	if os.Getenv(asClient) == "" {
		os.Exit(m.Run())
	}
	if err := authorizedClient(context.Background(), os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// keeper keeps in a map.
type keeper struct{ sync.Map }

func (k *keeper) Get(key string) (string, bool, error) {
	v, ok := k.Load(key)
	if !ok {
		return "", false, nil
	}
	return v.(string), true, nil
}

func (k *keeper) Put(key, value string) error { k.Store(key, value); return nil }

func (k *keeper) Delete(key string) error { k.Map.Delete(key); return nil }

// authorizedClient authorizes a connection to the server as the host does, with a
// person who agrees at once, and uses its tools.
func authorizedClient(ctx context.Context, server string) error {
	m, err := oauth.New(&oauth.Options{Secret: make([]byte, 32), Keeper: &keeper{}})
	if err != nil {
		return err
	}
	target := suiteTarget(server)
	for range 3 { // the server may want more than it said at first
		if err = agree(ctx, m, target); err != nil {
			return err
		}
		if err = useTools(ctx, m, target); err == nil || !strings.Contains(err.Error(), "Reconnect suite") {
			return err
		}
	}
	return err
}

// suiteTarget is the connection, with what the scenario gives its author.
func suiteTarget(server string) oauth.Target {
	target := oauth.Target{Agent: "tester", Connection: "suite", URL: server}
	var given struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	_ = json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given) // most scenarios give none
	target.ClientID, target.ClientSecret = given.ID, given.Secret
	if os.Getenv("MCP_CONFORMANCE_SCENARIO") == "auth/basic-cimd" {
		target.ClientID = "https://conformance-test.local/client-metadata.json"
	}
	return target
}

func useTools(ctx context.Context, m *oauth.Manager, target oauth.Target) error {
	web := &http.Client{Transport: m.For(target).RoundTripper(http.DefaultTransport)}
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
	s, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: target.URL, HTTPClient: web, DisableStandaloneSSE: true}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, t := range tools.Tools {
		if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: t.Name, Arguments: map[string]any{}}); err != nil {
			return err
		}
	}
	return nil
}

func agree(ctx context.Context, m *oauth.Manager, target oauth.Target) error {
	p, err := m.Begin(ctx, target, "http://127.0.0.1:3000/v1/oauth/callback")
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return err
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := browser.Do(r)
	if err != nil {
		return err
	}
	_ = res.Body.Close()
	back, err := url.Parse(res.Header.Get("Location"))
	if err != nil {
		return err
	}
	_, err = m.Finish(ctx, back.Query())
	return err
}
