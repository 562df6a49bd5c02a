// send and getSession: conversations of a channel.
import { async, asBytes, toWire } from "./bridge.js";
import { checked } from "./kv.js";
import { isArray, keys, parse, push, stringify, trim, TypeError } from "./primordials.js";
import { isPrincipal, principalFault, principalForm } from "./principal.js";

const text = { wants: "a string with text in it", fits: (x) => typeof x === "string" && trim(x) !== "" };
const oneOf = (...values) => {
  const known = { __proto__: null };
  for (const value of values) known[value] = true;
  return { wants: '"' + values.join('", "') + '"', fits: (x) => typeof x === "string" && known[x] === true };
};

const sendOptions = {
  continuationToken: text,
  title: text,
  auth: { wants: principalForm, fits: isPrincipal, fault: principalFault },
  admission: oneOf("queue", "interrupt", "coalesce", "reject"),
  workspaceFiles: { wants: "an object of paths, each with a text, bytes, or {base64}", fits: (x) => x !== null && typeof x === "object" && !isArray(x) },
  mode: oneOf("chat", "task"),
  deliveryId: text,
};
for (const name in sendOptions) {
  const { fits } = sendOptions[name];
  sendOptions[name].fits = (x) => x === null || fits(x); // null is as good as left out
}

// handleOf gives what a call, that may ask the host by a name, has of a session.
export const handleOf = (call, wait, sent) => ({
  id: sent.id,
  continuationToken: sent.continuationToken,
  // waitForCompletion gives {status, result?, errorMessage?} when the turn has ended or is parked.
  async waitForCompletion() { return parse(await async(call, wait, stringify(sent))); },
});

export function bindSessions(call) {
  const handle = (sent) => handleOf(call, "sessions.wait", sent);
  return {
    async send(message, options) {
      if (!text.fits(message)) throw new TypeError("send needs a message, " + text.wants);
      checked("send", options, sendOptions);
      const { workspaceFiles, ...rest } = options ?? {};
      return handle(parse(await async(call, "sessions.send", message, stringify(rest), seedFiles(workspaceFiles))));
    },
    async getSession(id) {
      if (typeof id !== "string") throw new TypeError("getSession needs a session's id, a string");
      const found = await async(call, "sessions.find", id);
      return found === "" ? undefined : handle(parse(found));
    },
  };
}

// seedFiles gives workspaceFiles as JSON: [{path, text}] or [{path, base64}].
export function seedFiles(given, name = "send") {
  const out = [], paths = keys(given ?? {});
  for (let i = 0; i < paths.length; i++) push(out, file(name, paths[i], given[paths[i]]));
  return stringify(out);
}

function file(name, path, content) {
  if (typeof content === "string") return { path, text: content };
  const bytes = asBytes(content);
  if (bytes) return { path, base64: toWire(bytes) };
  if (content !== null && typeof content === "object" && typeof content.base64 === "string") return { path, base64: content.base64 };
  throw new TypeError(`workspaceFiles of ${name}: ${stringify(path)} must be a text, bytes, or {base64}`);
}
