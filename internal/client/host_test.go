package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// routes answers these paths and gives the API's 404 for all others.
func routes(replies map[string]string) *Options {
	return &Options{Transport: InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, ok := replies[r.URL.Path]
		switch {
		case !ok:
			w.WriteHeader(http.StatusNotFound)
			reply = `{"ok":false,"error":"not_found"}`
		case reply == "unknown_agent":
			w.WriteHeader(http.StatusNotFound)
			reply = `{"ok":false,"error":"unknown_agent"}`
		case reply == "401":
			w.WriteHeader(http.StatusUnauthorized)
			reply = `{"ok":false,"error":"unauthorized"}`
		}
		_, _ = io.WriteString(w, reply)
	}))}
}

func TestDiscover_FindsAgents(t *testing.T) {
	t.Parallel()
	two := map[string]string{"/v1/agents": `{"agents":[{"slug":"a"},{"slug":"b"}]}`, "/a/v1/info": `{}`, "/b/v1/info": "401"}
	for name, tc := range map[string]struct {
		replies   map[string]string
		url, slug string
		want      string
	}{
		"a single host is its agent":      {map[string]string{"/v1/info": `{}`}, "http://h", "", "http://h"},
		"a URL of an agent":               {two, "http://h/a/", "", "http://h/a"},
		"a token is wanted":               {two, "http://h/b", "", "http://h/b"},
		"a slug narrows":                  {two, "http://h", "b", "http://h/b"},
		"all agents of a host":            {two, "http://h", "", "http://h/a http://h/b"},
		"one agent in multi mode":         {map[string]string{"/v1/agents": `{"agents":[{"slug":"a"}]}`, "/a/v1/info": `{}`}, "http://h", "", "http://h/a"},
		"an unknown slug names the known": {two, "http://h", "c", `the host at http://h has no agent "c": it has a, b`},
		"no index and no slug":            {map[string]string{"/a/v1/info": `{}`}, "http://h", "", "the host at http://h does not list its agents: choose one with --slug"},
		"a slug that is the URL's":        {map[string]string{"/a/v1/info": `{"agent":{"slug":"a"}}`}, "http://h/a", "a", "http://h/a"},
		"a slug that is another's":        {map[string]string{"/a/v1/info": `{"agent":{"slug":"a"}}`}, "http://h/a", "b", `the agent at http://h/a is "a", and not "b": leave out --slug, or name the host alone`},
		"a URL of no agent":               {map[string]string{"/c/v1/info": "unknown_agent"}, "http://h/c", "", "there is no agent at http://h/c: name one that the host serves, or the host alone"},
		"not a URL":                       {nil, "h:3000", "", `"h:3000" is not the URL of a host: it looks like http://127.0.0.1:3000`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clients, err := Discover(context.Background(), tc.url, tc.slug, routes(tc.replies))
			var got []string
			for _, c := range clients {
				got = append(got, c.Base())
			}
			if err != nil {
				got = []string{err.Error()}
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("found %s", got)
			}
		})
	}
}

func TestOne_SeveralAgentsNeedAChoice(t *testing.T) {
	t.Parallel()
	_, err := One([]*Client{New("http://h/a", nil), New("http://h/b", nil)})
	var choice *ChoiceError
	if !errors.As(err, &choice) || err.Error() != "the host at http://h has several agents: choose one with --slug: a, b" {
		t.Errorf("error %v", err)
	}
	if c, err := One([]*Client{New("http://h/a", nil)}); err != nil || c.Base() != "http://h/a" {
		t.Errorf("one gave %v, %v", c, err)
	}
}
