// Package oauthserver is an MCP server for tests that wants people to log in.
package oauthserver

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Start serves an MCP server with one tool that takes the token "good" alone, and the
// authorization server for it, until the test ends, and gives the MCP server's URL. A person
// who opens a link agrees at once; one who sends the header X-Deny says no.
func Start(t *testing.T) string {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "guarded", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "hello", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}, InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "hello from behind the door"}}}, nil
		})
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		if token != "good" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: "somebody", Expiration: time.Now().Add(time.Hour)}, nil
	}
	streamable := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true})
	mux.Handle("/mcp", auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: s.URL + "/resource"})(streamable))
	say := func(path string, body any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body)
		})
	}
	say("/resource", map[string]any{"resource": s.URL + "/mcp", "authorization_servers": []string{s.URL}})
	say("/.well-known/oauth-authorization-server", map[string]any{"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token",
		"registration_endpoint": s.URL + "/register", "code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true})
	say("/register", map[string]any{"client_id": "c1"})
	say("/token", map[string]any{"access_token": "good", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1"})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		back, err := url.Parse(q.Get("redirect_uri"))
		if err != nil || q.Get("code_challenge_method") != "S256" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		if r.Header.Get("X-Deny") != "" {
			back.RawQuery = url.Values{"error": {"access_denied"}, "error_description": {"not today"}, "state": {q.Get("state")}, "iss": {s.URL}}.Encode()
			http.Redirect(w, r, back.String(), http.StatusFound)
			return
		}
		back.RawQuery = url.Values{"code": {"c"}, "state": {q.Get("state")}, "iss": {s.URL}}.Encode()
		http.Redirect(w, r, back.String(), http.StatusFound)
	})
	return s.URL + "/mcp"
}
