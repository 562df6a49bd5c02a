package cli

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/slack"
)

// "bdk slack replay --fixture f.json (signed event to a running host)".
func TestSlackReplay_Signs(t *testing.T) {
	t.Parallel()
	to, got := hookHost(t, 200, "")
	for _, c := range []struct {
		file, want string
		args       []string
		holds      string
	}{
		{`{ "type": "event_callback", "event_id": "Ev1", "event": {"text":"é 😊"} }`, "200 OK (delivery Ev1)\n", nil, `{ "type": "event_callback", "event_id": "Ev1", "event": {"text":"é 😊"} }`},
		{`{"type":"event_callback","event_id":"Ev1"}`, "200 OK (delivery Ev2)\n", []string{"--delivery", "Ev2"}, `"event_id":"Ev2"`},
		{`{"type":"app_mention","channel":"C1"}`, "200 OK (delivery Ev3)\n", []string{"--delivery", "Ev3", "--team", "T9"}, `"team_id":"T9"`},
		{`{"command":"/ask","text":"a b","trigger_id":"tr1"}`, "200 OK (delivery tr1)\n", nil, "command=%2Fask&team_id=T0123456789&text=a+b&trigger_id=tr1"},
		{`{"type":"block_actions","trigger_id":"tr2"}`, "200 OK (delivery tr2)\n", nil, "payload=" + url.QueryEscape(`{"type":"block_actions","trigger_id":"tr2"}`)},
	} {
		b := newBench(t, append([]string{"slack", "replay", "--fixture", "e.json", "--url", to, "--env-prefix", "OPS"}, c.args...)...)
		b.Environ = append(b.Environ, "OPS_SLACK_SIGNING_SECRET=hush-hush")
		put(t, b, "e.json", c.file)
		b.want(t, ExitOK, c.want, "")
		h := got()
		if h.path != "/v1/channels/slack" || !strings.Contains(h.body, c.holds) || h.header.Get(slack.HeaderSignature) != slack.Sign("hush-hush", h.header.Get(slack.HeaderTimestamp), []byte(h.body)) {
			t.Errorf("%s: the host got %+v", c.file, h)
		}
	}
}

func TestSlack_Refusals(t *testing.T) {
	t.Parallel()
	denied, _ := hookHost(t, 401, `{"ok":false,"error":"unauthorized"}`)
	for _, c := range []struct {
		in, want string
		code     int
		args     []string
	}{
		{"[]", "it is no JSON object", ExitUsage, []string{"replay", "--fixture", "-"}},
		{"{}", "it is no event, command or click", ExitUsage, []string{"replay", "--fixture", "-"}},
		{`{"type":1}`, "are texts", ExitUsage, []string{"replay", "--fixture", "-"}},
		{`{"command":"/x","text":1}`, "text of a command is a text", ExitUsage, []string{"replay", "--fixture", "-"}},
		{"", "--fixture is missing", ExitUsage, []string{"replay"}},
		{`{"type":"x"}`, "there is no signing secret: set SLACK_SIGNING_SECRET", ExitUsage, []string{"replay", "--fixture", "-", "--url", denied}},
		{`{"type":"x"}`, "the host did not take the signature: SLACK_SIGNING_SECRET", ExitFailed, []string{"replay", "--fixture", "-", "--url", denied, "--secret", "another"}},
		{"", `bdk slack has no command "say": it has create, manifest, replay`, ExitUsage, []string{"say"}},
		{"", "Slack sends to a public URL", ExitUsage, []string{"manifest", "--dir", "demo", "--url", "http://x.example"}},
		{"", "the project has no such Slack channel", ExitFailed, []string{"manifest", "--dir", "demo", "--channel", "other"}},
		{"", "the project has 2 Slack channels", ExitUsage, []string{"manifest", "--dir", "two"}},
	} {
		b := newBench(t, append([]string{"slack"}, c.args...)...)
		b.Stdin = strings.NewReader(c.in)
		slackProject(t, b)
		b.want(t, c.code, "", c.want)
	}
}

func slackProject(t *testing.T, b *bench) {
	t.Helper()
	const channel = "import { slackChannel } from \"@cursor/bdk/channels/slack\";\nexport default slackChannel({ "
	put(t, b, "demo/bot/instructions.md", "Here.")
	put(t, b, "demo/bot/channels/ops.ts", channel+`engagement: { channelPosts: { allow: ["C1"] } }, suggestedPrompts: [{ title: "a", message: "b" }] });`)
	put(t, b, "two/bot/instructions.md", "Here.")
	put(t, b, "two/bot/channels/a.ts", channel+"});")
	put(t, b, "two/bot/channels/b.ts", channel+"});")
}

// "bdk slack manifest (prints an app manifest: scopes, events, request URL from --url)",
// before there is an app, so without its secrets; "bdk slack create … names the way".
func TestSlackManifest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dir, url, request, events string }{
		{"demo", "https://bots.example.com/helper/", "https://bots.example.com/helper/v1/channels/ops", "app_mention assistant_thread_started message.channels message.groups message.im"},
		{"two", "", "", "app_mention message.im"},
	} {
		b := newBench(t, "slack", "manifest", "--dir", c.dir, "--url", c.url, "--channel", map[string]string{"demo": "ops", "two": "a"}[c.dir])
		slackProject(t, b)
		b.want(t, ExitOK, "", "")
		var m struct {
			Settings struct {
				Events struct {
					URL  string   `json:"request_url"`
					List []string `json:"bot_events"`
				} `json:"event_subscriptions"`
				Interactivity struct {
					URL string `json:"request_url"`
				} `json:"interactivity"`
				Socket bool `json:"socket_mode_enabled"`
			} `json:"settings"`
			OAuth struct {
				Scopes struct{ Bot []string } `json:"scopes"`
			} `json:"oauth_config"`
		}
		if err := json.Unmarshal([]byte(b.out.String()), &m); err != nil {
			t.Fatal(err)
		}
		s := m.Settings
		if s.Events.URL != c.request || s.Interactivity.URL != c.request || strings.Join(s.Events.List, " ") != c.events || s.Socket != (c.url == "") || !strings.Contains(strings.Join(m.OAuth.Scopes.Bot, " "), "chat:write") {
			t.Errorf("the manifest of %s is %+v", c.dir, m)
		}
	}
	newBench(t, "slack", "create").want(t, ExitOK, "Open https://api.slack.com/apps?new_app=1", "")
}
