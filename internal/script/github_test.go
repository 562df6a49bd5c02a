package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// An octoAPI keeps what it is asked, and answers with it.
type octoAPI struct{ asked []string }

type octoAnswer struct{ status int }

func (a *octoAnswer) Error() string   { return fmt.Sprintf("GitHub answered %d", a.status) }
func (a *octoAnswer) HTTPStatus() int { return a.status }

func (a *octoAPI) Call(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	a.asked = append(a.asked, method+" "+string(params))
	switch {
	case strings.Contains(method, "/missing"):
		return nil, fmt.Errorf("asking: %w", &octoAnswer{404})
	case strings.Contains(method, "/down"):
		return nil, errors.New("no answer")
	}
	return json.RawMessage(`{"status":200,"headers":{"etag":"x"},"data":{"number":9007199254740991}}`), nil
}

// "ctx.host.github.getOctokit() → an object with the REST calls that real projects use … and request(route, params)".
func TestGitHub_Octokit(t *testing.T) {
	t.Parallel()
	in := `{ owner: "o", repo: "r", pull_number: 1, issue_number: 2, none: undefined }`
	const fields = ` {"owner":"o","repo":"r","pull_number":1,"issue_number":2}`
	for call, want := range map[string]string{
		`rest.pulls.get`:                "GET /repos/{owner}/{repo}/pulls/{pull_number}",
		`rest.pulls.list`:               "GET /repos/{owner}/{repo}/pulls",
		`rest.pulls.listFiles`:          "GET /repos/{owner}/{repo}/pulls/{pull_number}/files",
		`rest.pulls.createReview`:       "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
		`rest.pulls.create`:             "POST /repos/{owner}/{repo}/pulls",
		`rest.issues.get`:               "GET /repos/{owner}/{repo}/issues/{issue_number}",
		`rest.issues.list`:              "GET /repos/{owner}/{repo}/issues",
		`rest.issues.createComment`:     "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
		`rest.issues.update`:            "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
		`rest.repos.getContent`:         "GET /repos/{owner}/{repo}/contents/{path}",
		`rest.repos.createCommitStatus`: "POST /repos/{owner}/{repo}/statuses/{sha}",
	} {
		a := &octoAPI{}
		out, err := tool(t, `const octokit = await ctx.host.github.getOctokit(); const { data, status, headers } = await octokit.`+call+`(`+in+`); return [status, headers.etag, data.number]`, func(c *agent.Call) { c.GitHub = a })
		if err != nil || out != `[200,"x",9007199254740991]` || strings.Join(a.asked, "|") != want+fields {
			t.Errorf("%s asked %q and gave %s, %v", call, a.asked, out, err)
		}
	}
	a := &octoAPI{}
	_, err := tool(t, `const octokit = await ctx.host.github.getOctokit();
		await octokit.rest.issues.list(); await octokit.request("GET /user"); await octokit.request({ method: "PUT", url: "/x", a: [1] }); await octokit.request("DELETE /y", { b: 1n })`,
		func(c *agent.Call) { c.GitHub = a })
	if want := `GET /issues {}|GET /user {}|PUT /x {"a":[1]}|DELETE /y {"b":1}`; err != nil || strings.Join(a.asked, "|") != want {
		t.Errorf("it asked %q, %v", a.asked, err)
	}
}

func TestGitHub_Errors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`try { await octokit.request("GET /missing") } catch (e: any) { return [e.status, e.name, e.message, e instanceof Error] }`: `[404,"HttpError","asking: GitHub answered 404",true]`,
		`try { await octokit.request("GET /down") } catch (e: any) { return [e.status ?? 0, e.name, e.message] }`:                   `[0,"Error","no answer"]`,
		`return octokit.rest.pulls.lock`:               "octokit.rest.pulls has no lock here: it has get, list, ",
		`return octokit.paginate("GET /x")`:            "octokit has no paginate here: it has rest, request; ask for others by octokit.request(",
		`return octokit.rest.gists`:                    "octokit.rest has no gists here: it has pulls, issues, repos",
		`return octokit.request(7)`:                    `request needs a route, such as "GET /repos/{owner}/{repo}"`,
		`return octokit.request("GET /x", { a: NaN })`: "the params holds NaN at a",
		`return JSON.stringify(octokit).length > 0`:    `true`,
	} {
		out, err := tool(t, `const octokit = await ctx.host.github.getOctokit(); `+body, func(c *agent.Call) { c.GitHub = &octoAPI{} })
		if out != want && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s gives %s, %v, want %s", body, out, err, want)
		}
	}
	if _, err := tool(t, `await ctx.host.github.getOctokit()`); err == nil || !strings.HasPrefix(err.Error(), "ctx.host.github is not available: set GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY") {
		t.Errorf("without a client: %v", err)
	}
}

// "defaultGitHubAuth(ctx), parseGitHubPrContinuationKey(token)"; "a handler returns null
// (ignore) or {auth, title?, context?, message?}".
func TestGitHub_Handlers(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/github.ts": `
		import { defaultGitHubAuth, githubChannel, parseGitHubPrContinuationKey } from "@cursor/bdk/channels/github";
		export default githubChannel({
			botName: "reviewer",
			onPullRequest: (ctx, pr) => pr.draft ? null : { auth: defaultGitHubAuth(ctx), title: ctx.repository.fullName + "#" + pr.number, context: ["", pr.url] },
			async onComment(ctx) { ctx.log.info("seen"); return { message: [typeof ctx.host.kv.get, typeof ctx.now, this.botName].join() } },
			onIssue: () => {},
			onCheckRun: () => ["pr:o/r.x#7", "pr:o/..#7", "pr:o/r#07", "issue:o/r#7", undefined].map(parseGitHubPrContinuationKey),
			onWorkflowRun: () => { throw new Error("boom") },
		});`})
	wake := func(name, subject string) (string, error) {
		event := fmt.Sprintf(`{"ctx":{"repository":{"owner":"o","fullName":"o/r"},"sender":{"login":"alice"}},"subject":%s}`, subject)
		out, err := p.rt.CallWake(t.Context(), "slots/github", name, json.RawMessage(event), &agent.Call{})
		return string(out), err
	}
	for name, c := range map[string][2]string{
		"onPullRequest": {`{"number":7,"url":"u","draft":false}`, `{"auth":{"kind":"github","id":"alice","tenant":"o"},"title":"o/r#7","context":["","u"]}`},
		"onComment":     {`{}`, `{"message":"function,function,reviewer"}`},
		"onIssue":       {`{}`, `null`},
		"onCheckRun":    {`{}`, `[{"owner":"o","repo":"r.x","number":7},null,null,null,null]`},
	} {
		if got, err := wake(name, c[0]); err != nil || got != c[1] {
			t.Errorf("%s gives %s, %v, want %s", name, got, err, c[1])
		}
	}
	if got, err := wake("onPullRequest", `{"draft":true}`); err != nil || got != "null" {
		t.Errorf("a draft gives %s, %v", got, err)
	}
	var thrown *Error
	if _, err := wake("onWorkflowRun", `{}`); !errors.As(err, &thrown) || thrown.Message != "boom" {
		t.Errorf("a handler that throws gives %v", err)
	}
}
