package github_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/github"
)

func fails(status int, header, value, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"message":%q}`, message)
	}
}

func pullOf(t *testing.T, c *github.Client) (status int, title string, err error) {
	t.Helper()
	out, err := c.Call(t.Context(), "GET /repos/{owner}/{repo}/pulls/{pull_number}", json.RawMessage(`{"owner":"octo","repo":"shop","pull_number":7}`))
	if err != nil {
		return 0, "", err
	}
	var got struct {
		Status  int
		Headers map[string]string
		Data    struct{ Title string }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(got.Headers["content-type"], "application/json") {
		t.Errorf("the headers are %v", got.Headers)
	}
	return got.Status, got.Data.Title, nil
}

// "an App: JWT RS256 → installation token, cached, refreshed".
func TestClient_App(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	key := r.api.AddApp(t, "4711", "reviewer", 99, r.clock.Now)
	addPull(r)
	c := r.client(github.ClientOptions{AppID: "4711", PrivateKey: strings.ReplaceAll(key, "\n", `\n`)})
	tokens := func() int { return len(r.api.Requests("POST", "/access_tokens")) }
	for range 3 {
		if status, title, err := pullOf(t, c); status != 200 || title != "Add a cart" || err != nil {
			t.Fatalf("the pull request: %d %q %v", status, title, err)
		}
	}
	if n := tokens(); n != 1 {
		t.Errorf("%d tokens were made for three calls, want 1", n)
	}
	last := r.api.Requests("GET", "/pulls/7")
	if got := last[len(last)-1].Authorization; got != "Bearer ghs_installation_token_1" {
		t.Errorf("the call was authorized by %q", got)
	}
	r.clock.pass(56 * time.Minute)
	if _, _, err := pullOf(t, c); err != nil || tokens() != 2 {
		t.Errorf("five minutes before its end the token is not renewed: %d, %v", tokens(), err)
	}
	r.api.Fault("GET", "/repos/octo/shop/pulls/7", fails(401, "", "", "Bad credentials"))
	if _, _, err := pullOf(t, c); err != nil || tokens() != 3 {
		t.Errorf("a revoked token is not replaced: %d, %v", tokens(), err)
	}
	if got := c.Login(t.Context()); got != "reviewer[bot]" {
		t.Errorf("the app's account is %q", got)
	}
}

// "retries on 5xx/secondary rate limits with Retry-After".
func TestClient_Retries(t *testing.T) {
	t.Parallel()
	const path = "/repos/octo/shop/pulls/7"
	second := time.Second
	for name, c := range map[string]struct {
		faults []http.HandlerFunc
		waits  []time.Duration
		status int // of the error, 0 where it works in the end
	}{
		"a passing fault":    {[]http.HandlerFunc{fails(502, "", "", "Server Error"), fails(503, "", "", "")}, []time.Duration{second, 2 * second}, 0},
		"a lasting one":      {[]http.HandlerFunc{fails(500, "", "", ""), fails(500, "", "", ""), fails(500, "", "", ""), fails(500, "", "", "")}, []time.Duration{second, 2 * second, 4 * second}, 500},
		"secondary limit":    {[]http.HandlerFunc{fails(403, "Retry-After", "17", "You have exceeded a secondary rate limit")}, []time.Duration{17 * second}, 0},
		"secondary, no time": {[]http.HandlerFunc{fails(403, "", "", "You have exceeded a secondary rate limit.")}, []time.Duration{second}, 0},
		"too many":           {[]http.HandlerFunc{fails(429, "Retry-After", "3", "slow down")}, []time.Duration{3 * second}, 0},
		"asked to wait long": {[]http.HandlerFunc{fails(429, "Retry-After", "600", "slow down")}, nil, 429},
		"not allowed":        {[]http.HandlerFunc{fails(403, "", "", "Resource not accessible")}, nil, 403},
		"not there":          {[]http.HandlerFunc{fails(404, "", "", "Not Found")}, nil, 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil)
			addPull(r)
			for _, f := range c.faults {
				r.api.Fault("GET", path, f)
			}
			status, _, err := pullOf(t, r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"}))
			var e *github.Error
			if errors.As(err, &e) {
				status = e.Status
			} else if c.status == 0 && status == 200 {
				status = 0
			}
			if status != c.status || !slices.Equal(r.clock.waits, c.waits) {
				t.Errorf("it ended with %d (%v) after waits %v, want %d after %v", status, err, r.clock.waits, c.status, c.waits)
			}
		})
	}
}

// What may have been done is not done twice: a POST is not asked again after a 502.
func TestClient_PostOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.api.FaultAfter("POST", "/repos/octo/shop/issues/7/comments")
	c := r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"})
	_, err := c.Call(t.Context(), "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", json.RawMessage(`{"owner":"octo","repo":"shop","issue_number":7,"body":"hello"}`))
	if err == nil || len(r.api.Comments("octo/shop", 7)) != 1 {
		t.Errorf("there are %d comments, and the error is %v", len(r.api.Comments("octo/shop", 7)), err)
	}
}

// A route's params fill its path, and cannot lead to another one.
func TestClient_Route(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"})
	for _, k := range []struct{ route, params, want string }{
		{"GET /repos/{owner}/{repo}/pulls", `{"owner":"o","repo":"r","state":"open","per_page":5,"labels":["a","b"],"none":null}`, "GET /repos/o/r/pulls?labels=a%2Cb&per_page=5&state=open "},
		{"GET /repos/:owner/:repo/compare/{basehead}", `{"owner":"o","repo":"r","basehead":"a:main...b:x y"}`, "GET /repos/o/r/compare/a:main...b:x y "},
		{"/repos/o/r", `{}`, "GET /repos/o/r "},
		{"get /repos/o/r?x=1", ``, "GET /repos/o/r?x=1 "},
		{"PATCH /repos/{owner}/{repo}/issues/{issue_number}", `{"owner":"o","repo":"r","issue_number":3,"state":"closed","big":9007199254740993}`, `PATCH /repos/o/r/issues/3 {"big":9007199254740993,"state":"closed"}`},
		{"POST /markdown/raw", `{"data":"plain"}`, `POST /markdown/raw "plain"`},
		{"GET /repos/{owner}/{repo}/contents/{path}", `{"owner":"o","repo":"r","path":"../../../user"}`, "GET /repos/o/r/contents/../../../user "},
		{"GET /repos/{owner}/{repo}", `{"owner":"o","repo":".."}`, `repo cannot be ".."`},
		{"GET /repos/../user", `{}`, "a part that is no name"},
		{"GET /repos/%2e%2e/user", `{}`, "a part that is no name"},
		{"GET https://elsewhere.example/x", `{}`, "is no route of"},
		{"GET //elsewhere.example/x", `{}`, "is no route of"},
		{"GET /repos/{owner}/{repo}", `{"owner":"o"}`, "needs repo"},
		{"GET /repos/{owner}/{repo}", `{"owner":"o","repo":{"a":1}}`, "needs repo"},
		{"GET /x", `{"baseUrl":"https://elsewhere.example"}`, "baseUrl is a setting of the host"},
		{"GET /x", `{"headers":{"authorization":"token x"}}`, "the header Authorization is the host's own"},
		{"FETCH /x", `{}`, "is no route"},
		{"GET /x", `[]`, "params of a route are an object"},
	} {
		_, err := c.Call(t.Context(), k.route, json.RawMessage(k.params))
		got := ""
		if seen := r.api.Requests("", ""); len(seen) > 0 {
			q := seen[len(seen)-1]
			got = strings.TrimSuffix(q.Method+" "+q.Path+"?"+q.Query, "?") + " " + q.Body
		}
		if got != k.want && (err == nil || !strings.Contains(err.Error(), k.want)) {
			t.Errorf("%s %s asked %q and gave %v, want %q", k.route, k.params, got, err, k.want)
		}
	}
}

// "redacted errors": what GitHub, or somebody between, echoes of a secret is not shown.
func TestClient_Redacts(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.api.Fault("GET", "/repos", fails(404, "", "", "no such thing for token ghp_canary_0123456789abcdef"))
	_, _, err := pullOf(t, r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"}))
	if err == nil || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), "GET /repos/octo/shop/pulls/7") {
		t.Errorf("the error is %v", err)
	}
	c, err := github.NewClient(github.ClientOptions{Token: "ghp_canary_0123456789abcdef", APIURL: "http://127.0.0.1:1", Clock: r.clock})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = pullOf(t, c); err == nil || strings.Contains(err.Error(), "canary") || !strings.HasPrefix(err.Error(), "no answer from GitHub to GET /repos/octo/shop/pulls/7") {
		t.Errorf("the error is %v", err)
	}
}

// A redirect to another host does not take the token along.
func TestClient_Redirect(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	other := newRig(t, nil)
	r.api.Fault("GET", "/repos", func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, strings.Replace(other.api.URL, "127.0.0.1", "localhost", 1)+"/user", http.StatusFound)
	})
	_, _, err := pullOf(t, r.client(github.ClientOptions{Token: "ghp_canary_0123456789abcdef"}))
	if seen := other.api.Requests("GET", "/user"); err != nil || len(seen) != 1 || seen[0].Authorization != "" {
		t.Errorf("the other host saw %+v (%v)", seen, err)
	}
}

func TestNewClient_Refusals(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]github.ClientOptions{
		"exclude each other":         {Token: "a", AppID: "1"},
		"private key is missing":     {AppID: "1"},
		"id is missing":              {PrivateKey: "x"},
		"no RSA key in PEM":          {AppID: "1", PrivateKey: "canary"},
		"its number":                 {AppID: "my app", PrivateKey: "canary"},
		"white space":                {Token: "a b"},
		"the API's URL looks like":   {APIURL: "api.github.com"},
		"has no user, query or frag": {APIURL: "https://u:p@api.github.com"},
	} {
		if _, err := github.NewClient(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%+v gives %v, want %q", o, err, want)
		}
	}
}
