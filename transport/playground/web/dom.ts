// Signals and elements: a value that is read inside of an element or an effect makes it
// follow the value. Text is always text: nothing here can write markup.

type Scope = (() => void)[];
type Effect = { run(): void; sources: Set<Set<Effect>> };

// tracker is the effect that follows what is read, owner what ends with it.
let tracker: Effect | undefined;
let owner: Scope | undefined;
let waiting: Set<Effect> | undefined;

export interface Signal<T> {
  (): T;
  set(value: T): void;
  /** Reads without following. */
  peek(): T;
}

export function signal<T>(value: T): Signal<T> {
  const followers = new Set<Effect>();
  const read = () => {
    if (tracker) {
      followers.add(tracker);
      tracker.sources.add(followers);
    }
    return value;
  };
  return Object.assign(read, {
    peek: () => value,
    set(next: T) {
      if (Object.is(next, value)) return;
      value = next;
      batch(() => followers.forEach((f) => waiting!.add(f)));
    },
  });
}

/** Runs what follows the signals that f sets once, after it. */
export function batch(f: () => void): void {
  if (waiting) return f();
  const all = (waiting = new Set());
  try {
    f();
  } finally {
    waiting = undefined;
    all.forEach((e) => e.run());
  }
}

function within<T>(scope: Scope | undefined, follows: Effect | undefined, f: () => T): T {
  const before = [owner, tracker] as const;
  [owner, tracker] = [scope, follows];
  try {
    return f();
  } finally {
    [owner, tracker] = before;
  }
}

const end = (scope: Scope) => scope.splice(0).forEach((f) => f());

/** Runs f now and again when what it read changes. It ends with what it was made in. */
export function effect(f: () => void): () => void {
  const scope: Scope = [];
  let ended = false; // an effect that ended may still be among those that wait to be run
  const self: Effect = {
    sources: new Set(),
    run() {
      if (ended) return;
      clear();
      within(scope, self, f);
    },
  };
  const clear = () => {
    self.sources.forEach((s) => s.delete(self));
    self.sources.clear();
    end(scope);
  };
  const finish = () => {
    ended = true;
    clear();
  };
  owner?.push(finish);
  self.run();
  return finish;
}

/** Runs f in a scope of its own, which ends when the function that it gets is called. */
export function root<T>(f: (end: () => void) => T): T {
  const scope: Scope = [];
  return within(scope, undefined, () => f(() => end(scope)));
}

/** Runs f when the effect that runs now is run again, or ends. */
export function cleanup(f: () => void): void {
  owner?.push(f);
}

export function computed<T>(f: () => T): () => T {
  const s = signal<T>(undefined as T);
  effect(() => s.set(f()));
  return s;
}

/** Runs f so that what it reads is not followed. */
export const untracked = <T>(f: () => T): T => within(owner, undefined, f);

/** Puts a thing into a set, or takes it out. */
export function flip<T>(all: Signal<ReadonlySet<T>>, x: T): void {
  const next = new Set(all.peek());
  if (!next.delete(x)) next.add(x);
  all.set(next);
}

export type Child = Node | string | number | false | null | undefined | Child[] | (() => Child);
type Value = string | number | boolean | null | undefined;
export type Props = { [name: string]: Value | (() => Value) | ((event: any) => void) };

/** Makes an element. Props that begin with "on" are listeners; others are attributes, or
 *  properties for value, checked and the like. A function is followed. */
export function h(tag: string, props?: Props | null, ...children: Child[]): HTMLElement {
  const svg = tag.startsWith("svg:") || tag === "svg";
  const el = (svg ? document.createElementNS("http://www.w3.org/2000/svg", tag.replace("svg:", "")) : document.createElement(tag)) as HTMLElement;
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) el.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
    else if (typeof value === "function") effect(() => put(el, name, (value as () => Value)()));
    else put(el, name, value);
  }
  append(el, children);
  return el;
}

const properties = new Set(["value", "checked", "disabled", "selected", "open", "scrollTop"]);

function put(el: HTMLElement, name: string, value: Value): void {
  if (properties.has(name)) (el as any)[name] = value ?? "";
  else if (value === false || value === null || value === undefined) el.removeAttribute(name);
  else if (name === "style") for (const part of String(value).split(";")) setStyle(el, part);
  else el.setAttribute(name, value === true ? "" : String(value));
}

// A style attribute is inline style, which the page's policy refuses; a property is not.
function setStyle(el: HTMLElement, part: string): void {
  const at = part.indexOf(":");
  if (at > 0) el.style.setProperty(part.slice(0, at).trim(), part.slice(at + 1).trim());
}

function append(parent: Node, children: Child[]): void {
  for (const c of children) {
    if (typeof c === "function") parent.appendChild(followed(c));
    else if (Array.isArray(c)) append(parent, c);
    else if (c !== null && c !== undefined && c !== false) parent.appendChild(c instanceof Node ? c : document.createTextNode(String(c)));
  }
}

// followed stands between two empty texts and is made anew when what it read changes.
function followed(f: () => Child): Node {
  const out = document.createDocumentFragment();
  const from = document.createTextNode(""), to = document.createTextNode("");
  out.append(from, to);
  effect(() => {
    const made = document.createDocumentFragment();
    append(made, [f()]);
    while (from.nextSibling && from.nextSibling !== to) from.nextSibling.remove();
    to.parentNode!.insertBefore(made, to);
  });
  return out;
}

/** Keeps the element of each key while its list changes; render gets a signal of its item,
 *  and must give one node. */
export function each<T>(items: () => T[], key: (item: T) => string, render: (item: () => T) => ChildNode): Node {
  const out = document.createDocumentFragment(), last = document.createTextNode("");
  out.append(last);
  const rows = new Map<string, { node: ChildNode; item: Signal<T>; end: () => void }>();
  const make = (x: T) => root((end) => {
    const item = signal(x);
    return { node: render(item), item, end };
  });
  const drop = (k: string) => {
    rows.get(k)!.end();
    rows.get(k)!.node.remove();
    rows.delete(k);
  };
  effect(() => {
    const list = items(), seen = new Set(list.map(key));
    for (const k of [...rows.keys()]) if (!seen.has(k)) drop(k);
    let before: ChildNode = last;
    for (let i = list.length - 1; i >= 0; i--) {
      const k = key(list[i]);
      let row = rows.get(k);
      if (!row) rows.set(k, (row = make(list[i])));
      else row.item.set(list[i]);
      if (row.node.nextSibling !== before) move(row.node, before);
      before = row.node;
    }
  });
  cleanup(() => [...rows.keys()].forEach(drop));
  return out;
}

// move puts a node before another; one that is in the page keeps the focus, where browsers can.
function move(node: ChildNode, before: ChildNode): void {
  const parent = before.parentNode as ParentNode & { moveBefore?(node: Node, before: Node): void };
  if (parent.moveBefore && node.parentNode === parent && parent.isConnected) parent.moveBefore(node, before);
  else before.before(node);
}

/** Joins names of classes; false ones are left out. */
export const cls = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
