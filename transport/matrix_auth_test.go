package transport

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/gobdk/bdk/actors"
	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/events"
)

const hostToken = "token-of-the-command-line"

// Who calls channels in the matrix, and what they send. All but the one on this machine
// come by a Host that is not ours.
var senders = map[string][]string{
	"local": nil, "ann": {"Host", "evil.test", "Authorization", "Bearer " + annsToken}, "bob": {"Host", "evil.test", "Authorization", "Bearer " + bobsToken},
	"host": {"Host", "evil.test", "Authorization", "Bearer " + hostToken}, "judged": {"Host", "evil.test", "X-Who", "me"}, "nobody": {"Host", "evil.test"},
	"proxied": {"X-Forwarded-For", "127.0.0.1"},
}

// byDefault is whom the command line admits, by its flags.
const byDefault = "by default"

// admits has a row for every channel of the tests: who is admitted, as whom. The rows of
// authored auth hold whatever the flags are.
var admits = map[string]map[string]string{
	"closed": {}, "default": {byDefault: ""}, "odd": {byDefault: ""},
	"desk":   {"ann": "bearer ann", "bob": "bearer bob"},
	"judged": {"judged": "local local"}, "ns__open": {"local": "anonymous anonymous", "proxied": "anonymous anonymous"},
}

// flagSets are the command lines, with whom they admit.
var flagSets = map[string]struct {
	change func(*Options)
	admits map[string]string
}{
	"no flag":           {func(*Options) {}, map[string]string{"local": "local local"}},
	"--dev":             {func(o *Options) { o.Dev = true }, map[string]string{"local": "local local"}},
	"--bearer-token":    {func(o *Options) { o.BearerToken = hostToken }, map[string]string{"host": "bearer bearer"}},
	"--allow-anonymous": {func(o *Options) { o.AllowAnonymous = true }, map[string]string{"local": "anonymous anonymous", "proxied": "anonymous anonymous"}},
}

// patient makes a handler hold nobody up: many of the matrix have wrong secrets.
func patient(h *handler) *handler {
	h.chain.guesses.free = 1 << 30
	return h
}

// "Generated matrix: every route × 3 principals" (P44), for the routes of channels, under
// each command line: "`--bearer-token` and `--allow-anonymous` replace `localDevStrict()`
// wherever it is the default; authored `auth` stays" (S06).
func TestMatrix_Channels(t *testing.T) {
	t.Parallel()
	w := newChannelWorld(t)
	for flags, set := range flagSets {
		c := w.serveHandler(patient(w.handler(set.change)))
		for _, a := range w.host.Agents() {
			for _, ch := range a.Channels {
				row, ok := admits[ch.ID]
				if !ok {
					t.Errorf("channel %s has no row in the matrix: decide who may call it", ch.ID)
					continue
				}
				if _, follows := row[byDefault]; follows {
					row = set.admits
				}
				for _, r := range ch.Routes {
					for who, headers := range senders {
						t.Run(strings.Join([]string{flags, a.Slug, ch.ID, r.Method, r.Path, who}, " "), func(t *testing.T) {
							v := visit{client: c, channel: ch, route: r, at: "/" + a.Slug + "/v1/channels/" + ch.ID}
							v.check(t, row[who], headers)
						})
					}
				}
			}
		}
	}
}

// A visit is one caller at one route of a channel.
type visit struct {
	*client
	channel *agent.Channel
	route   *agent.Route
	at      string
}

func (v *visit) check(t *testing.T, as string, headers []string) {
	t.Helper()
	path := v.at + strings.NewReplacer(":id", "7", ":x", "7", ":y", "8").Replace(strings.TrimSuffix(v.route.Path, "/"))
	body := ""
	if v.route.BodySchema != nil {
		body = `{"subject":"x"}`
	}
	own := strings.HasPrefix(v.route.Path, "/unauthorized") // answers 401 by itself
	methods := []string{v.route.Method}
	if v.route.Method == "GET" {
		methods = append(methods, "HEAD")
	}
	for _, method := range methods {
		a := v.do(method, path, body, headers...)
		if (a.status == 401) != (as == "" || own) {
			t.Errorf("%s: %d %s", method, a.status, a.body)
		}
		if as == "" && method != "HEAD" {
			v.refused(t, a)
		}
		var reply struct{ Principal *events.Principal }
		if json.Unmarshal([]byte(a.body), &reply); reply.Principal != nil && reply.Principal.Kind+" "+reply.Principal.ID != as {
			t.Errorf("%s: came as %+v, want %s", method, reply.Principal, as)
		}
	}
	if v.route.Method != "GET" {
		v.do(v.route.Method, path, body, append([]string{"Origin", "https://page.test"}, headers...)...).want(t, 403, "cross_origin")
	}
	for _, method := range []string{"OPTIONS", "TRACE", "BREW"} {
		a := v.do(method, path, "", headers...)
		if a.status != 405 || !strings.Contains(a.header.Get("Allow"), v.route.Method) {
			t.Errorf("%s: %d, Allow %q", method, a.status, a.header.Get("Allow"))
		}
	}
}

// refused is the one answer to whoever is not admitted, whatever was wrong.
func (v *visit) refused(t *testing.T, a answer) {
	t.Helper()
	const body = `{"ok":false,"error":"unauthorized","message":"no policy of this host admits this request"}` + "\n"
	if a.body != body {
		t.Errorf("401 with %s", a.body)
	}
	if got := a.header.Get("WWW-Authenticate"); v.channel.Auth != nil && (got == "Bearer") != (v.channel.ID == "desk") {
		t.Errorf("WWW-Authenticate: %q", got)
	}
}

// The built-in routes of an agent with auth of its own: three principals, those of
// another origin, and this machine, which only the command line's routes admit.
func TestMatrix_AgentWithItsOwnAuth(t *testing.T) {
	t.Parallel()
	w := newChannelWorld(t)
	ann := events.Principal{Kind: "bearer", ID: "ann"}
	for flags, set := range flagSets {
		c := w.serveHandler(patient(w.handler(func(o *Options) { set.change(o); measured(o) })))
		for _, rt := range slices.Concat(agentRoutes(), evalRoutes()) {
			want, ok := decisions[rt.method+" "+rt.path]
			if !ok {
				t.Errorf("%s %s has no row in the matrix: decide who may call it", rt.method, rt.path)
				continue
			}
			for who, headers := range senders {
				m := cell{world: w, client: c, route: &rt, agent: "own", id: w.owned(t, ann)}
				code := 401
				switch {
				case rt.access == public, rt.access == byHost && set.admits[who] != "":
					code = want[0]
				case rt.access == byAgent && who == "ann":
					code = want[0]
				case rt.access == byAgent && who == "bob":
					code = want[1]
				}
				t.Run(strings.Join([]string{flags, rt.method, rt.path, who}, " "), func(t *testing.T) { m.checkAs(t, who, code, headers...) })
			}
			m := cell{world: w, client: c, route: &rt, agent: "own", id: w.owned(t, ann)}
			if rt.access == byAgent {
				m.checkAs(t, foreignPage, want[4], append([]string{"Origin", "https://page.test"}, senders["ann"]...)...)
			}
		}
	}
}

// owned opens a session of the agent "own" for a principal.
func (w *world) owned(t *testing.T, p events.Principal) string {
	t.Helper()
	a, err := w.host.StartSession(t.Context(), actors.NewSession{Agent: "own", Principal: p, Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	w.settled(a.SessionID)
	return a.SessionID
}

// Who acts on everybody's sessions is decided by the policy, not by the name: a function
// that calls somebody local makes no operator.
func TestOperator_IsNotAName(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, nil, func(w *world) []*agent.Agent {
		asLocal := agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) { return &localPrincipal, nil })
		asAnonymous := agent.AuthFunc(func(context.Context, *agent.Request) (*events.Principal, error) { return &anonymousPrincipal, nil })
		return []*agent.Agent{
			{Slug: "bot", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{asLocal}}, {Slug: "other", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{asAnonymous}},
			{Slug: "third", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{agent.LocalDevStrict()}}, {Slug: "open", Model: agent.Model{ID: "scripted"}, Auth: []agent.AuthPolicy{agent.AllowAll()}},
		}
	})
	dev, anonymous, plain := w.serve(func(o *Options) { o.Dev = true }), w.serve(func(o *Options) { o.AllowAnonymous = true }), w.serve(nil)
	for _, tc := range []struct {
		agent string
		on    *client
		want  int
	}{{"bot", dev, 403}, {"other", anonymous, 403}, {"third", dev, 200}, {"third", plain, 403}, {"open", anonymous, 200}, {"open", plain, 403}} {
		id := w.foreign(tc.agent, "theirs")
		if a := tc.on.do("GET", "/"+tc.agent+"/v1/session/"+id, ""); a.status != tc.want {
			t.Errorf("%s: %d, want %d", tc.agent, a.status, tc.want)
		}
		if a := tc.on.do("GET", "/"+tc.agent+"/v1/sessions", ""); strings.Contains(a.body, id) != (tc.want == 200) {
			t.Errorf("%s: %s", tc.agent, a.body)
		}
	}
}

// S12 for channels: "every route without credentials and with a 10 MB body returns 401
// quickly and reads < 64 KB".
func TestChannel_AuthBeforeTheBody(t *testing.T) {
	t.Parallel()
	w := newChannelWorld(t)
	for _, channel := range []string{"default", "desk", "judged", "ns__open", "closed"} {
		for _, framing := range []string{"Content-Length: 10000000", "Transfer-Encoding: chunked"} {
			if got := w.refuseLarge("POST /bot/v1/channels/"+channel+"/reports", framing); got > 64<<10 {
				t.Errorf("%s: %d bytes were read", channel, got)
			}
		}
	}
}

// Policies that cannot be used admit nobody, whatever the others of their chain say.
func TestMounts_PoliciesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	policies := newPolicyMaker(zerolog.Nop())
	m := newMounts(policies, policies.closed())
	broken := []agent.AuthPolicy{agent.AllowAll(), {Kind: "magic"}}
	r := httptest.NewRequest("GET", "/", nil)
	for where, c := range map[string]*chain{
		"an agent":  m.agent(&agent.Agent{Slug: "bot", Auth: broken}).chain,
		"a channel": m.channel("bot", &agent.Channel{ID: "c", Auth: broken}).chain,
	} {
		if who, err := c.admit(r); err == nil {
			t.Errorf("%s admits %+v", where, who)
		}
	}
	err := m.check([]*agent.Agent{{Slug: "bot", Auth: broken, Channels: []*agent.Channel{{ID: "c", Auth: broken}}}})
	if err == nil || strings.Count(err.Error(), "policy 2") != 2 {
		t.Errorf("the edge is made all the same: %v", err)
	}
}

// A policy that looks at no secret does not clear the record of wrong ones: who guesses
// would only have to ask such a channel in between.
func TestGuesses_OpenPoliciesForgiveNothing(t *testing.T) {
	t.Parallel()
	m := newPolicyMaker(zerolog.Nop())
	open, err := m.chain([]agent.AuthPolicy{agent.BearerAuth("0123456789abcdef"), agent.AllowAll()})
	if err != nil {
		t.Fatal(err)
	}
	closed, err := m.chain([]agent.AuthPolicy{agent.BearerAuth("0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer wrong")
	if _, err := closed.admit(r); err == nil {
		t.Fatal("a wrong secret is admitted")
	}
	if a, err := open.admit(r); err != nil || a.who != anonymousPrincipal {
		t.Fatal(a, err)
	}
	if p := m.guesses.peers[peerOf(r.RemoteAddr)]; p == nil || p.wrong != 1 {
		t.Errorf("the record is %+v", p)
	}
}
