// ctx.host.files: durable files of the session, or of the deployment with {scope: "deployment"}.
import { async, asBytes, fromWire, toWire } from "./bridge.js";

export function bindFiles(call) {
  const ask = (name, options, ...args) => {
    const scope = options?.scope ?? "session";
    if (scope !== "session" && scope !== "deployment") throw new TypeError(`scope is "session" or "deployment", not ${JSON.stringify(scope)}`);
    return async(call, name, scope, ...args);
  };
  return {
    async write(path, content, options) { await ask("files.write", options, String(path), wire(content)); },
    async append(path, text, options) { await ask("files.append", options, String(path), wire(text)); },
    async read(path, options) { return fromWire(await ask("files.read", options, String(path))); },
    async readText(path, options) { return new TextDecoder().decode(await this.read(path, options)); },
    async exists(path, options) { return ask("files.exists", options, String(path)); },
    async delete(path, options) { return ask("files.delete", options, String(path)); },
    async list(prefix, options) {
      if (prefix !== null && typeof prefix === "object") [prefix, options] = [undefined, prefix];
      return JSON.parse(await ask("files.list", options, prefix ?? ""));
    },
  };
}

function wire(content) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : asBytes(content);
  if (!bytes) throw new TypeError("a file's content is text or bytes");
  return toWire(bytes);
}
