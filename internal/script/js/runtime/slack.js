// Slack: ctx.host.slack, and the thread of a message.
import { async, sync } from "./bridge.js";
import { closed } from "./closed.js";
import { encode } from "./json.js";
import { keys, parse, TypeError } from "./primordials.js";

// methods have names; all others are asked by apiCall.
const methods = {
  chat: ["postMessage", "postEphemeral", "update", "delete", "getPermalink"],
  reactions: ["add", "get", "remove"],
  conversations: ["history", "replies", "info", "list", "members", "open"],
  users: ["info", "list", "lookupByEmail"],
  files: ["getUploadURLExternal", "completeUploadExternal", "info"],
};

const ask = async (call, method, params) => {
  if (typeof method !== "string") throw new TypeError('apiCall needs a method, such as "chat.postMessage"');
  return parse(await async(call, "slack.call", method, encode(params ?? {}, "the params")));
};

export function bindSlack(call) {
  return {
    // getClient gives the methods: each resolves with Slack's answer, and rejects with an
    // error whose data is that answer.
    async getClient() {
      sync("slack.ready", call);
      return client(call);
    },
  };
}

const other = 'client.apiCall("group.method", {…})';

function client(call) {
  const out = { apiCall: (method, params) => ask(call, method, params) }, groups = keys(methods);
  for (let i = 0; i < groups.length; i++) {
    const name = groups[i], group = {}, names = methods[name];
    for (let j = 0; j < names.length; j++) group[names[j]] = (params) => ask(call, `${name}.${names[j]}`, params);
    out[name] = closed(group, `client.${name}`, other);
  }
  return closed(out, "client", other);
}

// bindThread gives the thread of a message: post writes in it.
export const bindThread = (call, thread) => ({
  ...thread,
  async post(text) {
    if (typeof text !== "string") throw new TypeError("thread.post needs a text");
    return ask(call, "chat.postMessage", { channel: thread.channel, thread_ts: thread.threadTs, text });
  },
});
