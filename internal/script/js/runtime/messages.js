// MessageChannel: two ports of one VM that send each other copies.
import { expose, soon } from "./primordials.js";

class MessageEvent extends Event {
  #init;
  constructor(type, init) {
    super(type, init);
    this.#init = init ?? {};
  }
  get data() { return this.#init.data ?? null; }
  get origin() { return this.#init.origin ?? ""; }
  get lastEventId() { return this.#init.lastEventId ?? ""; }
  get source() { return this.#init.source ?? null; }
  get ports() { return this.#init.ports ?? []; }
}

class MessagePort extends EventTarget {
  #other = null;
  #waiting = [];
  #started = false;
  #handler = null;

  static join(a, b) {
    a.#other = b;
    b.#other = a;
  }

  get onmessage() { return this.#handler; }
  set onmessage(f) {
    if (this.#handler) this.removeEventListener("message", this.#handler);
    this.#handler = f;
    if (typeof f === "function") this.addEventListener("message", f);
    this.start();
  }

  postMessage(value, options) {
    const data = structuredClone(value, Array.isArray(options) ? { transfer: options } : options), to = this.#other;
    if (to) soon(() => to.#take(data));
  }

  #take(data) {
    if (this.#started) this.dispatchEvent(new MessageEvent("message", { data }));
    else this.#waiting.push(data);
  }

  start() {
    if (this.#started) return;
    this.#started = true;
    for (const data of this.#waiting.splice(0)) soon(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }

  close() {
    if (this.#other) this.#other.#other = null;
    this.#other = null;
  }
  ref() {}
  unref() {}
}
const { join } = MessagePort;
delete MessagePort.join;

class MessageChannel {
  #one = new MessagePort();
  #two = new MessagePort();
  constructor() { join(this.#one, this.#two); }
  get port1() { return this.#one; }
  get port2() { return this.#two; }
}

expose({ MessageEvent, MessagePort, MessageChannel });
