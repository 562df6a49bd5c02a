// node:diagnostics_channel: messages between modules of one VM.
const channels = new Map();

export class Channel {
  #listeners = [];
  constructor(name) { this.name = name; }
  get hasSubscribers() { return this.#listeners.length > 0; }
  subscribe(f) { this.#listeners.push(f); }
  unsubscribe(f) {
    const had = this.#listeners.length;
    this.#listeners = this.#listeners.filter((l) => l !== f);
    return this.#listeners.length < had;
  }
  publish(message) { for (const f of this.#listeners) f(message, this.name); }
  bindStore() {}
  unbindStore() {}
  runStores(_, f, self, ...args) { return f.apply(self, args); }
}

export function channel(name) {
  if (!channels.has(name)) channels.set(name, new Channel(name));
  return channels.get(name);
}
export const hasSubscribers = (name) => channel(name).hasSubscribers;
export const subscribe = (name, f) => channel(name).subscribe(f);
export const unsubscribe = (name, f) => channel(name).unsubscribe(f);

export function tracingChannel(name) {
  const parts = Object.fromEntries(["start", "end", "asyncStart", "asyncEnd", "error"].map((n) => [n, channel(`tracing:${name}:${n}`)]));
  const all = (f) => (handlers) => { for (const [n, h] of Object.entries(handlers)) f(parts[n], h); };
  return {
    ...parts, subscribe: all((c, h) => c?.subscribe(h)), unsubscribe: all((c, h) => c?.unsubscribe(h)),
    traceSync: (f, _, self, ...args) => f.apply(self, args), tracePromise: (f, _, self, ...args) => f.apply(self, args), traceCallback: (f, _, __, self, ...args) => f.apply(self, args),
    get hasSubscribers() { return Object.values(parts).some((c) => c.hasSubscribers); },
  };
}
export default { Channel, channel, hasSubscribers, subscribe, unsubscribe, tracingChannel };
