// Event, EventTarget, DOMException, AbortController and AbortSignal.
import { bindDOMException } from "./bridge.js";
import { apply, assign, Boolean, Date, defineProperty, Error, expose, Promise, push, RangeError, String, TypeError, upper } from "./primordials.js";

const { now } = Date, { replace } = String.prototype;

// names of a DOMException in the order of their old numbers.
const names = ["IndexSizeError", "", "HierarchyRequestError", "WrongDocumentError", "InvalidCharacterError", "", "NoModificationAllowedError", "NotFoundError", "NotSupportedError", "InUseAttributeError", "InvalidStateError", "SyntaxError", "InvalidModificationError", "NamespaceError", "InvalidAccessError", "", "TypeMismatchError", "SecurityError", "NetworkError", "AbortError", "URLMismatchError", "QuotaExceededError", "TimeoutError", "InvalidNodeTypeError", "DataCloneError"];
const codes = { __proto__: null };

class DOMException extends Error {
  #name;
  constructor(message = "", options = "Error") {
    super(message);
    this.#name = String(typeof options === "object" && options !== null ? options.name ?? "Error" : options);
    if (typeof options === "object" && options !== null && "cause" in options) this.cause = options.cause;
  }
  get name() { return this.#name; }
  get code() { return codes[this.#name] ?? 0; }
}
for (let i = 0; i < names.length; i++) {
  if (names[i] === "") continue;
  codes[names[i]] = i + 1;
  const constant = upper(apply(replace, names[i], [/(?<=[a-z])(?=[A-Z])/g, "_"])).replace(/_ERROR$/, "_ERR");
  for (const on of [DOMException, DOMException.prototype]) defineProperty(on, constant, { value: i + 1, enumerable: true });
}

const illegal = () => assign(new TypeError("Illegal constructor"), { code: "ERR_ILLEGAL_CONSTRUCTOR" });
const missing = (what) => assign(new TypeError(`The ${what} argument must be specified`), { code: "ERR_MISSING_ARGS" });
const invalid = (text) => assign(new TypeError(text), { code: "ERR_INVALID_ARG_TYPE" });

class Event {
  #type;
  #init;
  #prevented = false;
  #target = null;
  #current = null;
  #stopped = false;
  #time = now();

  constructor(type, init) {
    if (arguments.length === 0) throw missing('"type"');
    this.#type = String(type);
    this.#init = init ?? {};
  }

  static aim(event, target) {
    event.#target = target ?? event.#target;
    event.#current = target;
  }
  static stopped(event) { return event.#stopped; }
  static is(event) { return event !== null && typeof event === "object" && #type in event; }

  get type() { return this.#type; }
  get bubbles() { return Boolean(this.#init.bubbles); }
  get cancelable() { return Boolean(this.#init.cancelable); }
  get composed() { return Boolean(this.#init.composed); }
  get defaultPrevented() { return this.#prevented; }
  get returnValue() { return !this.#prevented; }
  get target() { return this.#target; }
  get srcElement() { return this.#target; }
  get currentTarget() { return this.#current; }
  get eventPhase() { return this.#current === null ? 0 : 2; }
  get isTrusted() { return false; }
  get timeStamp() { return this.#time; }
  composedPath() { return this.#current === null ? [] : [this.#current]; }
  preventDefault() { if (this.cancelable) this.#prevented = true; }
  stopPropagation() {}
  stopImmediatePropagation() { this.#stopped = true; }
}
const { aim, stopped, is: isEvent } = Event;
delete Event.aim;
delete Event.stopped;
delete Event.is;

class CustomEvent extends Event {
  #detail;
  constructor(type, init) {
    super(type, init);
    this.#detail = init?.detail ?? null;
  }
  get detail() { return this.#detail; }
}

class EventTarget {
  #listeners = [];

  addEventListener(type, listener, options) {
    if (!listener) return;
    const once = typeof options === "object" && options !== null && Boolean(options.once);
    if (options?.signal?.aborted) return;
    for (let i = 0; i < this.#listeners.length; i++) {
      if (same(this.#listeners[i], type, listener)) return;
    }
    push(this.#listeners, { type, listener, once });
    options?.signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type, listener) {
    const left = [];
    for (let i = 0; i < this.#listeners.length; i++) {
      if (!same(this.#listeners[i], type, listener)) push(left, this.#listeners[i]);
    }
    this.#listeners = left;
  }

  dispatchEvent(event) {
    if (!isEvent(event)) throw invalid('The "event" argument must be an instance of Event');
    aim(event, this);
    const all = this.#listeners, { length } = all; // those that are added meanwhile are not told
    for (let i = 0; i < length; i++) {
      const l = all[i];
      if (l.type !== event.type) continue;
      if (l.once) this.removeEventListener(l.type, l.listener);
      call(this, l.listener, event);
      if (stopped(event)) break;
    }
    aim(event, null);
    return !event.defaultPrevented;
  }
}

const same = (l, type, listener) => l.type === type && l.listener === listener;

// call runs a listener; one that throws is reported like an unhandled rejection.
function call(target, listener, event) {
  try {
    if (typeof listener === "function") apply(listener, target, [event]);
    else listener.handleEvent(event);
  } catch (e) {
    if (e?.name === "InternalError") throw e;
    new Promise((_, reject) => reject(e));
  }
}

// making lets nobody but an AbortController make a signal.
let making = false;

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  onabort = null;

  constructor() {
    if (!making) throw illegal();
    super();
  }

  static make() {
    making = true;
    try {
      return new AbortSignal();
    } finally {
      making = false;
    }
  }

  static end(signal, reason) {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    const event = new Event("abort");
    if (typeof signal.onabort === "function") call(signal, signal.onabort, event);
    signal.dispatchEvent(event);
  }

  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }

  throwIfAborted() { if (this.#aborted) throw this.#reason; }

  static abort(reason) {
    const c = new AbortController();
    c.abort(reason);
    return c.signal;
  }

  static timeout(ms) {
    if (!(ms >= 0 && ms <= 9007199254740991)) throw assign(new RangeError(`The value of "delay" is out of range. It must be >= 0 && <= 9007199254740991. Received ${String(ms)}`), { code: "ERR_OUT_OF_RANGE" });
    const c = new AbortController();
    setTimeout(() => c.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
    return c.signal;
  }

  static any(signals) {
    if (typeof signals?.[Symbol.iterator] !== "function") throw invalid('The "signals" argument must be an iterable of AbortSignal');
    const c = new AbortController();
    for (const s of signals) {
      if (!(s instanceof AbortSignal)) throw invalid('The "signals" argument must hold AbortSignals alone');
      if (s.aborted) {
        c.abort(s.reason);
        break;
      }
      s.addEventListener("abort", () => c.abort(s.reason), { once: true });
    }
    return c.signal;
  }
}

const { make, end } = AbortSignal;
delete AbortSignal.make;
delete AbortSignal.end;

class AbortController {
  #signal = make();
  get signal() { return this.#signal; }
  abort(reason) { end(this.#signal, reason); }
}

bindDOMException(DOMException);
expose({ DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController });
