package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
)

// raw answers tools/list with what it is given, as no SDK would, and does not bear
// to be asked for anything before initialize.
func raw(list *atomic.Value) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		result := ""
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`
		case "tools/list":
			result = `{"tools":` + list.Load().(string) + `}`
		case "tools/call":
			result = `{"content":[{"type":"text","text":"ran"}],"structuredContent":{"n":12345678901234567890}}`
		default:
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	})
}

func rawConnection(t *testing.T, name, tools string) (*agent.Connection, *atomic.Value) {
	t.Helper()
	list := &atomic.Value{}
	list.Store(tools)
	c := remote(t, name, raw(list))
	c.Advertise = true
	return c, list
}

func rules(p *Pool) (list []string) {
	for _, d := range p.Findings() {
		list = append(list, d.Rule)
	}
	return list
}

const schemaText = `"inputSchema":{"type":"object"}`

// "Bad ones sanitised or skipped with a diagnostic; others work": `a.b/c`, 70 characters,
// empty, duplicate, emoji
func TestCatalog_BadTools(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", 70)
	c, _ := rawConnection(t, "bad", `[{"name":"a.b/c",`+schemaText+`},{"name":"`+long+`",`+schemaText+`},{"name":"",`+schemaText+`},{"name":5},null,
		{"name":"same","description":"one",`+schemaText+`},{"name":"same","description":"two",`+schemaText+`},{"name":"twice",`+schemaText+`},{"name":"twice",`+schemaText+`},
		{"name":"🚀",`+schemaText+`},{"name":"strange","inputSchema":{"type":"nonsense"}},{"name":"none"},{"name":"good","description":"`+strings.Repeat("d", 9000)+`",`+schemaText+`}]`)
	p, _ := newPool(t, nil, c)
	want := []string{modelName("bad", "a.b/c"), modelName("bad", long), modelName("bad", "🚀"), "bad__good", "bad__none", "bad__strange", "bad__twice"}
	slices.Sort(want)
	if got := names(t, p, false); got != strings.Join(want, " ") {
		t.Errorf("tools are %s, want %v", got, want)
	}
	if got := strings.Join(rules(p), " "); got != "connection/tool-definition connection/tool-definition connection/tool-name connection/tool-schema connection/tool-schema" {
		t.Errorf("findings are %s: %v", got, p.Findings())
	}
	for _, tool := range p.Known() {
		if len(tool.Description) > maxDescription+3 {
			t.Errorf("%s has a description of %d bytes", tool.Name, len(tool.Description))
		}
	}
	good := p.AgentTool(p.Advertised(modelName("bad", "a.b/c")))
	r, err := good.Execute(t.Context(), &agent.Call{Args: json.RawMessage(`{"x":1}`)})
	if err != nil || string(r.Output) != `{"content":[{"type":"text","text":"ran"}],"structuredContent":{"n":12345678901234567890}}` {
		t.Errorf("got %s, %v", r.Output, err)
	}
}

// "a clash is refused with a diagnostic", in whatever order the connections answer.
func TestCatalog_Clash(t *testing.T) {
	t.Parallel()
	odd := modelName("a", "x.y")
	one, _ := rawConnection(t, "a", `[{"name":"x.y",`+schemaText+`},{"name":"`+strings.TrimPrefix(odd, "a__")+`",`+schemaText+`},{"name":"ok",`+schemaText+`},{"name":"taken",`+schemaText+`}]`)
	p, _ := newPool(t, &Options{Taken: []string{"a__taken"}}, one)
	if got := names(t, p, false); got != "a__ok" {
		t.Errorf("tools are %s", got)
	}
	if got := rules(p); len(got) != 3 || got[0] != RuleName || p.Advertised(odd) != nil || p.Advertised("a__taken") != nil {
		t.Errorf("findings are %v", p.Findings())
	}
}

// A setting that names no tool of the server is said: a denied tool that is misspelt is not denied.
func TestCatalog_UnknownTools(t *testing.T) {
	t.Parallel()
	c, _ := rawConnection(t, "c", `[{"name":"close_issue",`+schemaText+`},{"name":"x",`+schemaText+`}]`)
	c.Deny, c.Allow = []string{"close-issue", "x"}, []string{"close_issue", "other"}
	c.NeedsApproval, c.Effect = map[string]bool{"*": false, "close_isue": true}, map[string]string{"close_issue": "write"}
	peer := &agent.Connection{Name: "peer", Agent: "other", Deny: []string{"chek"}}
	p, _ := newPool(t, &Options{Peers: &peers{}}, c, peer)
	names(t, p, true)
	var got []string
	for _, d := range p.Findings() {
		got = append(got, d.Rule+" "+d.Message+" "+d.Fix)
	}
	want := []string{
		`connection/unknown-tool connection c: needsApproval names "close_isue", which is no tool of the server, so it does nothing did you mean close_issue?`,
		`connection/unknown-tool connection c: tools.allow names "other", which is no tool of the server, so it does nothing its tools are close_issue, x`,
		`connection/unknown-tool connection c: tools.deny names "close-issue", which is no tool of the server, so it does nothing did you mean close_issue?`,
		`connection/unknown-tool connection peer: tools.deny names "chek", which is no tool of the server, so it does nothing did you mean check?`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// "A server that cannot list its tools is skipped and reported under connectionErrors";
// "an optional connection that cannot be reached is skipped"
func TestCatalog_Unreachable(t *testing.T) {
	t.Parallel()
	good, _ := rawConnection(t, "good", `[{"name":"x",`+schemaText+`}]`)
	down := &agent.Connection{Name: "down", URL: "http://127.0.0.1:1/", Advertise: true}
	maybe := &agent.Connection{Name: "maybe", Command: "/does/not/exist", Advertise: true, Optional: true}
	hidden := &agent.Connection{Name: "hidden", URL: "http://127.0.0.1:1/", HostOnly: true}
	p, log := newPool(t, nil, good, down, maybe, hidden)
	if got := names(t, p, false); got != "good__x" {
		t.Errorf("tools are %s", got)
	}
	f := p.Faults()
	if len(f) != 1 || f[0].Connection != "down" || !strings.Contains(f[0].Message, "connection down: it cannot be opened") {
		t.Errorf("faults are %v", f)
	}
	if got := rules(p); !slices.Equal(got, []string{RuleUnreachable}) || strings.Count(log.text(), `"level":"warn"`) != 1 {
		t.Errorf("findings are %v", p.Findings())
	}
	if _, err := calls(t, p, "down", "x", ""); err == nil || !strings.Contains(err.Error(), "connection down: ") {
		t.Errorf("a call gave %v", err)
	}
}

// "a slow server does not hold the turn": it is waited for once.
func TestCatalog_SlowServer(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c := remote(t, "slow", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer close(release)
	c.Advertise = true
	p, log := newPool(t, nil, c)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p.Learn(over, false)
	if !strings.Contains(log.text(), "in time") || len(p.Faults()) != 1 {
		t.Errorf("the log is %s", log.text())
	}
	done := make(chan struct{})
	go func() { defer close(done); p.Learn(context.Background(), false) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Error("it was waited for again")
	}
}

// "tools?: {allow?, deny?}"; "needsApproval?, effect? by tool name or for all; a server's
// readOnlyHint is the default for effect"
func TestCatalog_Settings(t *testing.T) {
	t.Parallel()
	read := `,"annotations":{"readOnlyHint":true}`
	c, _ := rawConnection(t, "s", `[{"name":"a",`+schemaText+read+`},{"name":"b",`+schemaText+`},{"name":"c",`+schemaText+`},{"name":"d",`+schemaText+read+`},{"name":"e",`+schemaText+`}]`)
	c.Allow, c.Deny = []string{"a", "b", "c", "d"}, []string{"c"}
	c.NeedsApproval = map[string]bool{"*": true, "a": false}
	c.Effect = map[string]string{"d": "write"}
	p, _ := newPool(t, nil, c)
	names(t, p, false)
	var got []string
	for _, tool := range p.Known() {
		x := p.AgentTool(tool)
		got = append(got, x.Name+" "+x.Effect+" "+x.NeedsApproval+" "+x.Source)
	}
	if text := strings.Join(got, ", "); text != "s__a read false mcp:s, s__b write true mcp:s, s__d write true mcp:s" {
		t.Errorf("got %s", text)
	}
}

// "Tool definitions are pinned by hash per agent: one that changes while serving is a
// diagnostic, and asks for approval again where it needed one."
func TestCatalog_Pins(t *testing.T) {
	t.Parallel()
	c, list := rawConnection(t, "s", `[{"name":"pay","description":"Pays.",`+schemaText+`}]`)
	c.NeedsApproval = map[string]bool{"pay": true}
	pins := newMemoryPins()
	p, log := newPool(t, &Options{Pins: pins}, c)
	names(t, p, false)
	tool := p.AgentTool(p.Advertised("s__pay"))
	asked := &agent.Call{ID: "call_1", Args: json.RawMessage(`{}`)}
	if got, err := tool.Prepare(t.Context(), asked); err != nil || !got.NeedsApproval {
		t.Fatalf("got %+v, %v", got, err)
	}
	list.Store(`[{` + schemaText + `,"description":"Pays.","name":"pay","_meta":{"x":1}}]`) // the same in other words
	if r, err := tool.Execute(t.Context(), asked); err != nil || r.IsError || len(rules(p)) > 0 {
		t.Errorf("got %v, %v, %v", r, err, p.Findings())
	}
	asked.ID = "call_2"
	if _, err := tool.Prepare(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	list.Store(`[{"name":"pay","description":"Pays somebody else.",` + schemaText + `}]`)
	if _, err := tool.Execute(t.Context(), asked); !errors.Is(err, errChanged) {
		t.Errorf("a tool that is another ran: %v", err)
	}
	if got := rules(p); !slices.Equal(got, []string{RuleChanged}) || !strings.Contains(log.text(), "has changed") {
		t.Errorf("findings are %v", p.Findings())
	}
	q, _ := newPool(t, &Options{Pins: pins}, c) // what was seen is known after a restart
	list.Store(`[{"name":"pay","description":"Pays a third.",` + schemaText + `}]`)
	names(t, q, false)
	if got := rules(q); !slices.Equal(got, []string{RuleChanged}) {
		t.Errorf("findings after a restart are %v", q.Findings())
	}
}

// "changes while serving": a server over stdio says so, of others it is asked now and then.
func TestCatalog_Refresh(t *testing.T) {
	t.Parallel()
	clock := newTime()
	c, list := rawConnection(t, "s", `[{"name":"a",`+schemaText+`}]`)
	p, _ := newPool(t, &Options{Clock: clock}, c)
	names(t, p, false)
	list.Store(`[{"name":"b",` + schemaText + `}]`)
	if got := names(t, p, false); got != "s__a" {
		t.Errorf("tools are %s", got)
	}
	clock.advance(p.o.FreshFor)
	until(t, "the new list", func() bool { return names(t, p, false) == "s__b" })
	list.Store(`[{"name":"c",` + schemaText + `}]`)
	if got := names(t, p, true); got != "s__c" {
		t.Errorf("tools are %s", got)
	}
}

// A server over stdio that says that its tools are others is asked again.
func TestCatalog_ServerSaysSo(t *testing.T) {
	t.Parallel()
	c := stdio("s", "grows")
	c.Advertise = true
	p, _ := newPool(t, nil, c)
	if got := names(t, p, false); got != "s__echo s__grow" {
		t.Errorf("tools are %s", got)
	}
	must(t, p, "s", "grow", "")
	until(t, "the new tool", func() bool { return names(t, p, false) == "s__echo s__grow s__grown" })
}

func TestGateway(t *testing.T) {
	t.Parallel()
	c := remote(t, "files", streamable(newServerOf(t1, t2)))
	c.Description = "Files of the team."
	c.NeedsApproval = map[string]bool{"fail": true}
	shown, _ := rawConnection(t, "shown", `[]`)
	p, _ := newPool(t, nil, c, shown, &agent.Connection{Name: "host", HostOnly: true, URL: "http://127.0.0.1:1"},
		&agent.Connection{Name: "lost", URL: "http://127.0.0.1:1", Optional: true})
	g := p.Gateway()
	if g == nil || !strings.Contains(g.Description, "- files: Files of the team.\n- lost") || strings.Contains(g.Description, "shown") {
		t.Fatalf("the tool is %+v", g)
	}
	call := func(args string) (agent.Prepared, agent.Result, error) {
		k := &agent.Call{ID: "call_x", Args: json.RawMessage(args)}
		got, err := g.Prepare(t.Context(), k)
		if err != nil {
			return got, agent.Result{}, err
		}
		r, err := g.Execute(t.Context(), k)
		return got, r, err
	}
	for args, want := range map[string]string{
		`{}`:                     `read false {"connections":[{"name":"files","description":"Files of the team.","tools":2}]}`,
		`{"connection":"files"}`: `read false {"connection":"files","tools":[{"name":"echo","description":"Echoes.","inputSchema":{`,
		`{"connection":"files","tool":"echo","args":{"n":1}}`: `read false {"content":[{`,
		`{"connection":"files","tool":"fail"}`:                `write true "no such file"`,
	} {
		got, r, err := call(args)
		if text := fmt.Sprintf("%s %v %s", got.Effect, got.NeedsApproval, r.Output); err != nil || !strings.HasPrefix(text, want) {
			t.Errorf("%s: got %s, %v", args, text, err)
		}
	}
	for args, want := range map[string]string{
		`{"tool":"echo"}`:                                       "connection: is required",
		`{"connection":"host"}`:                                 `connection: no connection is called "host"; there are: files, lost`,
		`{"connection":"files","tool":"ecko"}`:                  `tool: connection files has no tool called "ecko"; there are: echo, fail`,
		`{"connection":"files","tool":"echo","args":{"n":"x"}}`: "args.n: must be",
		`{"connection":"files","tool":"echo","arguments":{}}`:   "arguments: is not a known property; there are: connection, tool, args",
		`{"connection":5}`:                                      "they are not",
	} {
		_, _, err := call(args)
		var bad *agent.InputError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", args, err)
		}
	}
	if none, _ := newPool(t, nil, shown); none.Gateway() != nil {
		t.Error("a gateway leads nowhere")
	}
}

type peers struct{ asked []any }

func (p *peers) Ask(_ context.Context, a Ask) (PeerReply, error) {
	p.asked = append(p.asked, a)
	if a.Message == "fail" {
		return PeerReply{}, errors.New("no session is called ses_x")
	}
	return PeerReply{Status: "finished", SessionID: "ses_1", ContinuationToken: "t", Reply: "done"}, nil
}

func (p *peers) Check(_ context.Context, c Check) (PeerReply, error) {
	p.asked = append(p.asked, c)
	return PeerReply{Status: "running", SessionID: c.SessionID}, nil
}

// "agent: \"<slug>\": a peer agent on this host: exposes ask and check"
func TestPeer(t *testing.T) {
	t.Parallel()
	heard := &peers{}
	p, _ := newPool(t, &Options{Peers: heard}, &agent.Connection{Name: "helper", Agent: "help-desk", Advertise: true})
	if got := names(t, p, false); got != "helper__ask helper__check" {
		t.Errorf("tools are %s", got)
	}
	want := `{"content":[{"text":"{\"status\":\"finished\",\"sessionId\":\"ses_1\",\"continuationToken\":\"t\",\"reply\":\"done\"}","type":"text"}],"structuredContent":{"status":"finished","sessionId":"ses_1","continuationToken":"t","reply":"done"}}`
	if got := must(t, p, "helper", "ask", `{"message":"hi","waitSeconds":0}`); got != want {
		t.Errorf("got %s", got)
	}
	must(t, p, "helper", "ask", `{"message":"hi","sessionId":"ses_1","title":"T"}`)
	must(t, p, "helper", "check", `{"sessionId":"ses_1","waitSeconds":1.5}`)
	if got := must(t, p, "helper", "ask", `{"message":"fail"}`); got != `{"content":[{"text":"no session is called ses_x","type":"text"}],"isError":true}` {
		t.Errorf("got %s", got)
	}
	if got := fmt.Sprint(heard.asked[:3]); got != fmt.Sprint([]any{
		Ask{Agent: "help-desk", From: "tester", Message: "hi", Caller: alice},
		Ask{Agent: "help-desk", From: "tester", Message: "hi", SessionID: "ses_1", Title: "T", Caller: alice, Wait: time.Minute},
		Check{Agent: "help-desk", SessionID: "ses_1", Principal: alice.Principal, Wait: 1500 * time.Millisecond},
	}) {
		t.Errorf("heard %s", got)
	}
	var bad *agent.InputError
	if _, err := calls(t, p, "helper", "ask", `{"message":"hi","wait":1}`); !errors.As(err, &bad) {
		t.Errorf("got %v", err)
	}
	tool := p.AgentTool(p.Advertised("helper__ask"))
	if !p.IsPeer(tool, nil) || p.IsPeer(&agent.Tool{Source: "project"}, nil) || tool.Effect != agent.EffectWrite || tool.Timeout != maxWait+peerGrace {
		t.Errorf("the tool is %+v", tool)
	}
}
