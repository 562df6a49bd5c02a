package project

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobdk/bdk/actors/agent"
	"github.com/gobdk/bdk/actors/github"
	"github.com/gobdk/bdk/actors/github/githubtest"
	"github.com/gobdk/bdk/events"
)

// A mailbox is Sessions that keep what they are sent.
type mailbox struct {
	texts []string
	sends []agent.SendOptions
}

func (m *mailbox) Send(_ context.Context, text string, o agent.SendOptions) (agent.Sent, error) {
	m.texts, m.sends = append(m.texts, text), append(m.sends, o)
	return agent.Sent{SessionID: "ses_1", ContinuationToken: o.ContinuationToken}, nil
}

func (m *mailbox) Find(context.Context, string) (agent.Sent, bool, error) {
	return agent.Sent{}, false, nil
}

func (m *mailbox) Wait(context.Context, agent.Sent) (agent.Completion, error) {
	return agent.Completion{}, errors.ErrUnsupported
}

const reviewChannel = `import { defaultGitHubAuth, githubChannel } from "@cursor/bdk/channels/github";
export default githubChannel({
  botName: "reviewer", webhookSecret: "hush", webhookEvents: ["pull_request", "issues"], deliverReplies: false, progress: { reactions: false },
  onPullRequest: (ctx, pr) => {
    if (pr.action !== "opened" || pr.draft) return null;
    return { auth: defaultGitHubAuth(ctx), title: "Review " + ctx.repository.fullName + "#" + pr.number, context: ["", "Review " + pr.url + "."] };
  },
  onIssue: (ctx, issue) => ({ [issue.title]: 1 }),
});`

// githubEvent brings an event to the only channel of an agent.
func githubEvent(t *testing.T, a *agent.Agent, m *mailbox, event, body string) error {
	t.Helper()
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set(github.HeaderEvent, event)
	h.Set(github.HeaderSignature, github.Sign("hush", []byte(body)))
	r, route := &agent.Request{Method: "POST", Header: h, Body: []byte(body)}, a.Channels[0].Routes[0]
	if res, err := route.Verify(t.Context(), r); res != nil || err != nil {
		t.Fatalf("the event is answered %+v, %v", res, err)
	}
	_, err := route.Handle(t.Context(), &agent.Call{Request: r, Sessions: m, Now: time.Now})
	return err
}

// "A handler returns null (ignore) or {auth, title?, context?: string[], message?}."
func TestGitHubChannel_Handlers(t *testing.T) {
	t.Parallel()
	server := githubtest.Start(t, "keeper")
	a := loadFiles(t, map[string]string{"bot/channels/github.ts": reviewChannel, ".env": "GITHUB_API_URL=" + server.URL + "\n"})
	m := &mailbox{}
	const body = `{"action":"%","repository":{"name":"shop","owner":{"login":"octo"}},"sender":{"login":"alice"},"pull_request":{"number":7,"html_url":"https://github.com/octo/shop/pull/7","title":"T"}}`
	for _, action := range []string{"closed", "opened"} {
		if err := githubEvent(t, a, m, "pull_request", strings.Replace(body, "%", action, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.sends) != 1 {
		t.Fatalf("%d messages were sent", len(m.sends))
	}
	o := m.sends[0]
	if o.ContinuationToken != "pr:octo/shop#7" || o.Title != "Review octo/shop#7" || o.Auth != (events.Principal{Kind: "github", ID: "alice", Tenant: "octo"}) {
		t.Errorf("the message goes to %+v", o)
	}
	if !strings.HasSuffix(m.texts[0], "\n\nReview https://github.com/octo/shop/pull/7.") {
		t.Errorf("the message is\n%s", m.texts[0])
	}
	err := githubEvent(t, a, m, "issues", `{"action":"opened","repository":{"name":"shop","owner":{"login":"octo"}},"sender":{"login":"alice"},"issue":{"number":7,"title":"auht"}}`)
	if err == nil || !strings.Contains(err.Error(), `onIssue returned what is no {auth, title?, context?: string[], message?}: json: unknown field "auht"`) {
		t.Errorf("a handler that returns something else gives %v", err)
	}
}

// "without a secret the channel does not start, except on loopback in --dev".
func TestGitHubChannel_Dev(t *testing.T) {
	t.Parallel()
	for _, dev := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "demo")
		writeFile(t, filepath.Join(dir, "bot/instructions.md"), []byte("Here."))
		writeFile(t, filepath.Join(dir, "bot/channels/github.ts"), []byte(strings.Replace(reviewChannel, `webhookSecret: "hush", `, "", 1)))
		agents, err := Load(context.Background(), dir, &Options{Dev: dev})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closeAll(agents) })
		if a := agents[0]; len(a.Channels) != len(a.Diagnostics)^1 || (len(a.Channels) == 1) != dev {
			t.Errorf("dev %t: there are %d channels and the diagnostics %+v", dev, len(a.Channels), a.Diagnostics)
		}
	}
}

// "ctx.host.github … served by Go", with a channel and without one, from the variables.
func TestGitHubHost(t *testing.T) {
	t.Parallel()
	server := githubtest.Start(t, "keeper")
	server.AddPull("octo/shop", 7, githubtest.Pull{Title: "Add a cart"})
	key := server.AddApp(t, "4711", "reviewer", 99, time.Now)
	const tool = `import { defineTool } from "@cursor/bdk/tools";
export default defineTool({ description: "Shows one.", inputSchema: { type: "object" }, async execute(_, ctx) {
  const octokit = await ctx.host.github.getOctokit();
  const { data } = await octokit.rest.pulls.get({ owner: "octo", repo: "shop", pull_number: 7 });
  const gone = await octokit.rest.pulls.get({ owner: "octo", repo: "shop", pull_number: 8 }).catch((e) => e.status);
  return { title: data.title, gone };
} });`
	for name, c := range map[string]struct{ env, used string }{
		"token":              {"GITHUB_TOKEN=ghp_canary\n", "Bearer ghp_canary"},
		"app":                {"GITHUB_APP_ID=4711\nGITHUB_APP_PRIVATE_KEY='" + key + "'\n", "Bearer ghs_installation_token_"},
		"app before a token": {"GITHUB_TOKEN=ghp_canary\nGITHUB_APP_ID=4711\nGITHUB_APP_PRIVATE_KEY='" + key + "'\n", "Bearer ghs_installation_token_"},
	} {
		a := loadFiles(t, map[string]string{"bot/tools/show.ts": tool, ".env": c.env + "GITHUB_API_URL=" + server.URL + "\n"})
		out, err := a.Tool("show").Execute(t.Context(), &agent.Call{ID: "call_1", Args: json.RawMessage("{}"), GitHub: a.GitHub})
		asked := server.Requests("GET", "/pulls/7")
		if err != nil || string(out.Output) != `{"title":"Add a cart","gone":404}` || !strings.HasPrefix(asked[len(asked)-1].Authorization, c.used) {
			t.Errorf("%s: %s, %v, authorized by %s", name, out.Output, err, asked[len(asked)-1].Authorization)
		}
	}
	dir := filepath.Join(t.TempDir(), "demo")
	writeFile(t, filepath.Join(dir, "bot/instructions.md"), []byte("Here."))
	writeFile(t, filepath.Join(dir, ".env"), []byte("GITHUB_API_URL="+server.URL+"\n"))
	agents, err := Load(t.Context(), dir, &Options{Env: []string{"GITHUB_TOKEN=ghp_of_the_machine"}})
	if err != nil || agents[0].GitHub != nil || len(agents[0].Diagnostics) != 1 || agents[0].Diagnostics[0].Rule != ruleGitHubCredentials {
		t.Errorf("a token of the machine goes where the project's file says (%v)", err)
	}
	if a := loadFiles(t, map[string]string{"bot/tools/show.ts": tool}); a.GitHub != nil {
		t.Error("without variables there is a client")
	}
}
