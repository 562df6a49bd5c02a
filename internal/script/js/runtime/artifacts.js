// ctx.artifacts: what the session made, or the agent outside of one. A tag is on
// disk, and in the log, before its promise resolves.
import { async, asBytes, toWire } from "./bridge.js";
import { encode } from "./json.js";
import { checked } from "./kv.js";
import { isInteger, keys, parse, stringify, TypeError, uncurry } from "./primordials.js";

const { TextEncoder } = globalThis;
const toBytes = uncurry(TextEncoder.prototype.encode);

const isText = (x) => typeof x === "string";
const text = { wants: "a string", fits: isText };
const listOptions = { kind: text, sessionId: text, limit: { wants: "a whole number above 0", fits: (x) => isInteger(x) && x > 0 } };

// described are the fields of an artifact; data and contents go their own way.
const apart = { wants: "", fits: () => true };
const described = { kind: text, key: text, title: text, data: apart, contents: apart, contentType: text, fileName: text };

export function bindArtifacts(call) {
  return {
    // tag takes {kind?, key, title?, data?, contents?, contentType?, fileName?} and gives the record.
    async tag(artifact) {
      if (artifact === null || typeof artifact !== "object") throw new TypeError("artifacts.tag needs an object with key, and what there is of kind, title, data, contents, contentType, fileName");
      const { data, contents, ...rest } = artifact;
      const has = contents !== undefined && contents !== null;
      const meta = checked("artifacts.tag", present(rest), described);
      const json = data === undefined ? "" : encode(data, "the artifact's data");
      return parse(await async(call, "artifacts.tag", meta, json, has, has ? wire(contents) : ""));
    },
    // list takes {kind?, sessionId?, limit?} and gives records, the newest-updated first.
    async list(options) { return parse(await async(call, "artifacts.list", checked("artifacts.list", options, listOptions))); },
  };
}

// present leaves out what is null, which JSON has where TypeScript has nothing.
function present(fields) {
  const out = {}, names = keys(fields);
  for (let i = 0; i < names.length; i++) if (fields[names[i]] !== null) out[names[i]] = fields[names[i]];
  return out;
}

function wire(contents) {
  const bytes = isText(contents) ? toBytes(new TextEncoder(), contents) : asBytes(contents);
  if (!bytes) throw new TypeError(`an artifact's contents are text or bytes, not ${typeof contents === "object" ? "another object" : stringify(contents)}`);
  return toWire(bytes);
}
