// ctx.host.files: durable files of the session, or of the deployment with {scope: "deployment"}.
import { async, asBytes, fromWire, toWire } from "./bridge.js";
import { parse, String, stringify, TypeError, uncurry } from "./primordials.js";

const { TextDecoder, TextEncoder } = globalThis;
const decode = uncurry(TextDecoder.prototype.decode), encode = uncurry(TextEncoder.prototype.encode);

export function bindFiles(call) {
  const ask = (name, options, a, b) => {
    const scope = options?.scope ?? "session";
    if (scope !== "session" && scope !== "deployment") throw new TypeError(`scope is "session" or "deployment", not ${stringify(scope)}`);
    return async(call, name, scope, a, b);
  };
  const read = async (path, options) => fromWire(await ask("files.read", options, String(path)));
  return {
    async write(path, content, options) { await ask("files.write", options, String(path), wire(content)); },
    async append(path, text, options) { await ask("files.append", options, String(path), wire(text)); },
    read,
    async readText(path, options) { return decode(new TextDecoder(), await read(path, options)); },
    async exists(path, options) { return await ask("files.exists", options, String(path)); },
    async delete(path, options) { return await ask("files.delete", options, String(path)); },
    async list(prefix, options) {
      if (prefix !== null && typeof prefix === "object") {
        options = prefix;
        prefix = undefined;
      }
      return parse(await ask("files.list", options, prefix ?? ""));
    },
  };
}

function wire(content) {
  const bytes = typeof content === "string" ? encode(new TextEncoder(), content) : asBytes(content);
  if (!bytes) throw new TypeError("a file's content is text or bytes");
  return toWire(bytes);
}
