// ctx, the last argument of a tool, a hook and other functions of a project. Its parts cost nothing until they are used.
import { bindArtifacts } from "./artifacts.js";
import { sync } from "./bridge.js";
import { log as logger } from "./console.js";
import { bindFiles } from "./files.js";
import { bindGithub } from "./github.js";
import { bindKv } from "./kv.js";
import { bindMcp } from "./mcp.js";
import { bindOtel } from "./otel.js";
import { bindReminders } from "./reminders.js";
import { Date, descriptor, keys, ownKeys, parse, Proxy, push, read } from "./primordials.js";
import { bindSlack } from "./slack.js";

function bindHost(id) {
  return {
    kv: bindKv(id), files: bindFiles(id), otel: bindOtel(id), reminders: bindReminders(id),
    mcp: bindMcp(id), github: bindGithub(id), slack: bindSlack(id),
  };
}

const { AbortController } = globalThis;

// A Context belongs to one call.
export class Context {
  // One field holds everything: each more would cost every call.
  #own;

  constructor(id) { this.#own = { id }; }

  #about() {
    const own = this.#own;
    return (own.about ??= parse(sync("call.meta", own.id)));
  }

  get session() { return this.#about().session; }
  get agent() { return this.#about().agent; }
  get channel() { return this.#about().channel; }
  get toolCallId() { return this.#about().toolCallId; }
  get turnId() { return this.#about().turnId; }
  get stateRoot() { return this.#about().stateRoot; }
  get now() { const own = this.#own; return (own.now ??= () => new Date(sync("call.now", own.id))); }
  get workspaceDir() { return sync("call.workspace", this.#own.id); }
  get signal() { return (this.#own.aborter ??= new AbortController()).signal; }
  get host() { return (this.#own.host ??= bindHost(this.#own.id)); }
  get log() { return (this.#own.log ??= logger((level, text) => sync("call.log", this.#own.id, level, text))); }
  get artifacts() { return (this.#own.artifacts ??= bindArtifacts(this.#own.id)); }

  // toJSON is what can be told of a call as data.
  get toJSON() {
    return () => {
      const { session, agent, channel, toolCallId, turnId, stateRoot } = this.#about();
      return { session, agent, channel, toolCallId, turnId, stateRoot };
    };
  }

  // abort tells whoever holds the signal.
  static abort(context, reason) { (context.#own.aborter ??= new AbortController()).abort(reason); }
}

// parts are listed by Object.keys(ctx) and copied by {...ctx}. The workspace is
// not: to read it is to make it.
const parts = { __proto__: null, session: 1, agent: 1, channel: 1, toolCallId: 1, turnId: 1, stateRoot: 1, now: 1, signal: 1, host: 1, log: 1, artifacts: 1 };

const shown = {
  get: (context, key) => read(context, key, context),
  ownKeys(context) {
    const list = keys(parts), more = ownKeys(context);
    for (let i = 0; i < more.length; i++) push(list, more[i]);
    return list;
  },
  getOwnPropertyDescriptor(context, key) {
    if (parts[key] !== 1) return descriptor(context, key);
    return { get: () => context[key], set: undefined, enumerable: true, configurable: true };
  },
};

// show gives a context the way a tool sees it: its parts read like own fields.
export const show = (context) => new Proxy(context, shown);
