package projects

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/gobdk/bdk/transport"
)

// serve puts HTTP in front of a host and gives the address of a channel.
func (h *host) serve(t *testing.T, channel string) string {
	t.Helper()
	handler, err := transport.NewHandler(&transport.Options{Host: h.Host, Views: h.views, Mode: transport.ModeSingle})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1/channels/" + channel
}

// ask sends a request, a GET where there is no body, and gives "status body".
func ask(t *testing.T, url, body string, header ...string) string {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(res.Status[:4]) + " " + strings.TrimSpace(string(text))
}

var (
	instants = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)
	taskIDs  = regexp.MustCompile(`[0-9a-f]{32}`)
)

// "POST /v1/channels/a2a {method: "x"} → error −32601; {"jsonrpc":"1.0"} → −32600; tasks/get without id → −32602"
func TestTideDesk_RefusesByJSONRPC(t *testing.T) {
	t.Parallel()
	at := newHost(t, load(t, "tide-desk")).serve(t, "a2a")
	for _, c := range []struct{ body, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"x"}`, `"id":1,"error":{"code":-32601,`},
		{`{"jsonrpc":"2.0","id":1,"method":"toString"}`, `"code":-32601,`},
		{`{"jsonrpc":"1.0"}`, `"id":null,"error":{"code":-32600,`},
		{`[]`, `"code":-32600,`},
		{`{"jsonrpc":`, `"code":-32700,`},
		{`{"jsonrpc":"2.0","id":"a","method":"tasks/get"}`, `"id":"a","error":{"code":-32602,`},
		{`{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"none"}}`, `"code":-32001,`},
		{`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","parts":[]}}}`, `"code":-32602,`},
		{`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[{"text":"x"}]}}}`, `"code":-32602,`},
	} {
		if got := ask(t, at, c.body); !strings.HasPrefix(got, `200 {"jsonrpc":"2.0",`) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
	if got := ask(t, at, `{"jsonrpc":"2.0","id":1,"method":"GetTask"}`, "A2A-Version", "3.1"); !strings.Contains(got, `"code":-32009,`) {
		t.Error(got)
	}
	// "localDevStrict()": a proxy's mark makes the caller a stranger.
	if got := ask(t, at, `{}`, "X-Forwarded-For", ""); !strings.HasPrefix(got, `401 {"ok":false,"error":"unauthorized"`) {
		t.Error(got)
	}
	for _, path := range []string{"/agent-card.json", "/.well-known/agent-card.json"} {
		var card struct{ Name, URL string }
		got := ask(t, at+path, "")
		if err := json.Unmarshal([]byte(strings.TrimPrefix(got, "200 ")), &card); err != nil || card.Name != "Tide desk" || card.URL != at {
			t.Errorf("%s: %s %v", path, got, err)
		}
	}
}

var chunks = regexp.MustCompile(`data: (\{"jsonrpc":"2.0","id":4,"result":\{"artifactUpdate".*)\n\n`)

// grown puts the answer that the chunks of a stream make in their place.
func grown(t *testing.T, stream string) string {
	t.Helper()
	answer, last := "", false
	for _, c := range chunks.FindAllStringSubmatch(stream, -1) {
		var chunk struct {
			Result struct {
				ArtifactUpdate struct {
					Artifact          struct{ Parts []struct{ Text string } }
					Append, LastChunk bool
				}
			}
		}
		if err := json.Unmarshal([]byte(c[1]), &chunk); err != nil || last {
			t.Fatalf("%v, after the last: %v: %s", err, last, c[1])
		}
		u := chunk.Result.ArtifactUpdate
		if !u.Append {
			answer = ""
		}
		answer, last = answer+u.Artifact.Parts[0].Text, u.LastChunk
	}
	if !last {
		t.Errorf("no chunk is the last of\n%s", stream)
	}
	first := chunks.FindStringIndex(stream)
	return stream[:first[0]] + answer + "\n\n" + chunks.ReplaceAllString(stream[first[0]:], "")
}

// "A2A: an answer that streams": what the model says is sent when it says it.
func TestTideDesk_StreamsAsTheReplyGrows(t *testing.T) {
	t.Parallel()
	at := newHost(t, load(t, "tide-desk")).serve(t, "a2a")
	got := ask(t, at, `{"jsonrpc":"2.0","id":4,"method":"message/stream","params":{"message":{"messageId":"m","parts":[{"kind":"text","text":"slowly please"}]}}}`)
	for _, want := range []string{`"text":"Let me think. "}]},"append":false,"lastChunk":false`, `"text":"It is high at noon."}]},"append":false,"lastChunk":`, `"state":"completed"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// "tasks/cancel": of a task that is there -32002, and -32001 of another.
func TestTideDesk_CancelsNothing(t *testing.T) {
	t.Parallel()
	at := newHost(t, load(t, "tide-desk")).serve(t, "a2a")
	id := taskIDs.FindString(ask(t, at, `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","parts":[{"text":"again"}]}}}`))
	for _, method := range []string{"CancelTask", "tasks/cancel"} {
		for _, c := range []struct{ id, want string }{{id, `"code":-32002,`}, {"none", `"code":-32001,`}} {
			if got := ask(t, at, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"id":"`+c.id+`"}}`); c.id == "" || !strings.Contains(got, c.want) {
				t.Errorf("%s %q: %s", method, c.id, got)
			}
		}
	}
}

// "The same token is the same conversation"; "deliveryId makes it once: a redelivery gives the first handle again and
// starts nothing"; what an answer streams
func TestTideDesk_AnswersOverA2A(t *testing.T) {
	t.Parallel()
	h := newHost(t, load(t, "tide-desk"))
	at := h.serve(t, "a2a")
	const dover = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER","messageId":"m1","contextId":"c1","parts":[{"text":"High water at Dover?"}]}}}`
	const task = `{"id":"ID","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED","timestamp":"AT"},"artifacts":[{"artifactId":"answer","parts":[{"text":"High water at Dover is at 11:40, 6.1 m."}]}]}`
	first := ask(t, at, dover)
	id := taskIDs.FindString(first)
	tidy := func(s string) string { return taskIDs.ReplaceAllString(instants.ReplaceAllString(s, "AT"), "ID") }
	if got := tidy(first); got != `200 {"jsonrpc":"2.0","id":1,"result":{"task":`+task+`}}` {
		t.Error(got)
	}
	if again := ask(t, at, dover); again != first {
		t.Errorf("the message that comes again gives %s, and gave %s", again, first)
	}
	if got := tidy(ask(t, at, `{"jsonrpc":"2.0","id":2,"method":"GetTask","params":{"id":"`+id+`"}}`)); got != `200 {"jsonrpc":"2.0","id":2,"result":`+task+`}` {
		t.Error(got)
	}
	if got := ask(t, at, `{"jsonrpc":"2.0","id":3,"method":"message/send","params":{"message":{"messageId":"m2","contextId":"c1","parts":[{"kind":"text","text":"again"}]}}}`); !strings.Contains(got, `"kind":"task"`) || !strings.Contains(got, "As I said") {
		t.Error(got)
	}
	got := tidy(ask(t, at, `{"jsonrpc":"2.0","id":4,"method":"SendStreamingMessage","params":{"message":{"messageId":"m3","contextId":"c2","parts":[{"text":"High water at Rome?"}]}}}`))
	want := `200 data: {"jsonrpc":"2.0","id":4,"result":{"task":{"id":"ID","contextId":"c2","status":{"state":"TASK_STATE_WORKING","timestamp":"AT"}}}}

I know no port Rome; I know brest, dover, bergen, cuxhaven.

data: {"jsonrpc":"2.0","id":4,"result":{"statusUpdate":{"taskId":"ID","contextId":"c2","status":{"state":"TASK_STATE_COMPLETED","timestamp":"AT"}}}}`
	if got = grown(t, got); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Two contexts are two sessions, and a message that came again is in one of them once.
	var list struct {
		Sessions []struct {
			ChannelID string
			Turns     int
		}
	}
	all := strings.TrimPrefix(ask(t, strings.TrimSuffix(at, "/v1/channels/a2a")+"/v1/sessions", ""), "200 ")
	if err := json.Unmarshal([]byte(all), &list); err != nil || len(list.Sessions) != 2 || list.Sessions[0].Turns != 1 || list.Sessions[1].Turns != 2 || list.Sessions[0].ChannelID != "a2a" {
		t.Errorf("%v %s", err, all)
	}
}
