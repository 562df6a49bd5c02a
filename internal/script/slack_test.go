package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gobdk/bdk/actors/agent"
)

// A slackAPI answers as Slack does, and keeps what it was asked.
type slackAPI struct{ asked []string }

type slackAnswer struct{ code string }

func (a *slackAnswer) Error() string   { return "Slack answered " + a.code }
func (a *slackAnswer) HTTPStatus() int { return 200 }
func (a *slackAnswer) AnswerData() json.RawMessage {
	return json.RawMessage(`{"ok":false,"error":"` + a.code + `"}`)
}

func (a *slackAPI) Call(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	a.asked = append(a.asked, method+" "+string(params))
	if method == "chat.delete" {
		return nil, fmt.Errorf("asking: %w", &slackAnswer{"message_not_found"})
	}
	return json.RawMessage(`{"ok":true,"ts":"1.1"}`), nil
}

// "ctx.host.slack.getClient() → chat.postMessage/update/delete, reactions.add/get/remove,
// conversations.history/replies/info, users.info, files.…, apiCall(method, params)".
func TestSlack_Client(t *testing.T) {
	t.Parallel()
	for _, method := range []string{
		"chat.postMessage", "chat.update", "reactions.add", "reactions.get", "reactions.remove", "conversations.history", "conversations.replies",
		"conversations.info", "users.info", "files.getUploadURLExternal", "files.completeUploadExternal",
	} {
		a := &slackAPI{}
		out, err := tool(t, `const client = await ctx.host.slack.getClient(); return (await client.`+method+`({ channel: "C1", none: undefined })).ts`, func(c *agent.Call) { c.Slack = a })
		if err != nil || out != `"1.1"` || strings.Join(a.asked, "|") != method+` {"channel":"C1"}` {
			t.Errorf("%s asked %q and gave %s, %v", method, a.asked, out, err)
		}
	}
	a := &slackAPI{}
	_, err := tool(t, `const client = await ctx.host.slack.getClient(); await client.apiCall("team.info"); await client.apiCall("views.open", { view: { type: "modal" } })`, func(c *agent.Call) { c.Slack = a })
	if err != nil || strings.Join(a.asked, "|") != `team.info {}|views.open {"view":{"type":"modal"}}` {
		t.Errorf("it asked %q, %v", a.asked, err)
	}
}

// "errors carry .data.error".
func TestSlack_Errors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`try { await client.chat.delete({}) } catch (e: any) { return [e.data.error, e.data.ok, e.message, e instanceof Error] }`: `["message_not_found",false,"asking: Slack answered message_not_found",true]`,
		`try { client.chat.say({}) } catch (e: any) { return e.message }`:                                                         `"client.chat has no say here: it has postMessage, postEphemeral, update, delete, getPermalink; ask for others by client.apiCall(\"group.method\", {…})"`,
		`return await client.apiCall(1 as any).catch((e: any) => e.message)`:                                                      `"apiCall needs a method, such as \"chat.postMessage\""`,
		`return [await client.then, JSON.stringify(client.chat)]`:                                                                 `[null,"{}"]`,
	} {
		out, err := tool(t, `const client = await ctx.host.slack.getClient(); `+body, func(c *agent.Call) { c.Slack = &slackAPI{} })
		if err != nil || out != want {
			t.Errorf("%s gave %s, %v", body, out, err)
		}
	}
	if _, err := tool(t, `await ctx.host.slack.getClient()`); err == nil || !strings.HasPrefix(err.Error(), "ctx.host.slack is not available: set SLACK_BOT_TOKEN") {
		t.Errorf("without a token it says %v", err)
	}
}

// "ctx.thread.post(text)", "defaultSlackAuth(message, ctx)": handlers take (ctx, message).
func TestSlack_Handlers(t *testing.T) {
	t.Parallel()
	p := load(t, map[string]string{"slots/slack.ts": `
		import { defaultSlackAuth, slackChannel, type SlackMessageHandler } from "@cursor/bdk/channels/slack";
		const onAppMention: SlackMessageHandler = async (ctx, message) => {
			await ctx.thread.post("On it, " + message.author.name);
			return message.author.isBot ? null : { auth: defaultSlackAuth(message, ctx), title: message.text, context: [ctx.kind + " " + ctx.thread.threadTs + " " + (await (await ctx.host.slack.getClient()).users.info({})).ts] };
		};
		export default slackChannel({ onAppMention, onChannelPost: () => undefined });`})
	a := &slackAPI{}
	event := `{"ctx":{"kind":"mention","team":"T1","thread":{"channel":"C1","threadTs":"1.2"}},"subject":{"text":"hi","body":"hi","team":"T1","channel":"C1","author":{"id":"U1","name":"Ann","isBot":false,"team":"T2"}}}`
	out, err := p.rt.CallWake(t.Context(), "slots/slack", "onAppMention", json.RawMessage(event), &agent.Call{Slack: a})
	if err != nil || string(out) != `{"auth":{"kind":"slack","tenant":"T2","id":"U1"},"title":"hi","context":["mention 1.2 1.1"]}` {
		t.Errorf("the handler gives %s, %v", out, err)
	}
	if a.asked[0] != `chat.postMessage {"channel":"C1","thread_ts":"1.2","text":"On it, Ann"}` {
		t.Errorf("it asked %q", a.asked)
	}
	if out, err := p.rt.CallWake(t.Context(), "slots/slack", "onChannelPost", json.RawMessage(event), &agent.Call{}); err != nil || string(out) != "null" {
		t.Errorf("nothing gives %s, %v", out, err)
	}
}
