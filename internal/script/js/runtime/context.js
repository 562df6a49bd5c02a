// ctx, the second argument of a tool. Its parts cost nothing until they are used.
import { sync } from "./bridge.js";
import { bindFiles } from "./files.js";
import { bindKv } from "./kv.js";

// unbound stands for what this host does not offer: any use throws the sentence.
function unbound(name, why) {
  const refuse = () => { throw new Error(`ctx.${name} is not available: ${why}`); };
  return new Proxy(function () {}, {
    get: (_, key) => (typeof key === "symbol" || key === "then" || key === "toJSON" ? undefined : refuse()),
    has: () => false,
    apply: refuse,
    construct: refuse,
  });
}

const unboundHosts = {
  otel: "this host has no telemetry for tools",
  mcp: "the project has no MCP connections bound to this call",
  github: "the GitHub pack is not bound to this call",
  slack: "the Slack pack is not bound to this call",
  reminders: "this call has no session that could be reminded",
};

function bindHost(id) {
  const host = { kv: bindKv(id), files: bindFiles(id) };
  for (const name of Object.keys(unboundHosts)) host[name] = unbound("host." + name, unboundHosts[name]);
  return host;
}

function bindLog(id) {
  const log = (...args) => log.info(...args);
  for (const level of ["debug", "info", "warn", "error"]) {
    log[level] = (...args) => sync("call.log", id, level, globalThis.__bdk.format(args));
  }
  return log;
}

// A Context belongs to one call.
export class Context {
  // One field holds everything: each more would cost every call.
  #own;

  constructor(id) { this.#own = { id }; }

  #about() {
    const own = this.#own;
    return (own.about ??= JSON.parse(sync("call.meta", own.id)));
  }

  get session() { return this.#about().session; }
  get agent() { return this.#about().agent; }
  get channel() { return this.#about().channel; }
  get toolCallId() { return this.#about().toolCallId; }
  get turnId() { return this.#about().turnId; }
  get stateRoot() { return this.#about().stateRoot; }
  now() { return new Date(sync("call.now", this.#own.id)); }
  get workspaceDir() { return sync("call.workspace", this.#own.id); }
  get signal() { return (this.#own.aborter ??= new AbortController()).signal; }
  get host() { return (this.#own.host ??= bindHost(this.#own.id)); }
  get log() { return (this.#own.log ??= bindLog(this.#own.id)); }
  get artifacts() { return (this.#own.artifacts ??= unbound("artifacts", "this host does not keep artifacts")); }

  // abort is the host's; it tells whoever holds the signal.
  abort(reason) { (this.#own.aborter ??= new AbortController()).abort(reason); }
}

// The parts read like own fields, so that {...ctx} and Object.keys(ctx) see them.
for (const key of ["session", "agent", "channel", "toolCallId", "turnId", "stateRoot", "now", "signal", "host", "log", "artifacts", "workspaceDir"]) {
  const d = Object.getOwnPropertyDescriptor(Context.prototype, key);
  Object.defineProperty(Context.prototype, key, { ...d, enumerable: true });
}
