// What the runtime itself uses of the language, taken before any code of a
// project runs: a project may replace JSON.stringify or Array.prototype.map for
// itself, and the calls of its other tools go on. Code that serves calls uses
// these names, loops by index, and no spread of arrays, which asks their iterator.
export const { Array, Boolean, Map, Proxy, Set, Date, Error, Number, Object, Promise, RangeError, String, SyntaxError, TypeError, Uint8Array, WeakMap, AggregateError, RegExp } = globalThis;
export const { parse, stringify, rawJSON } = JSON;
export const { apply, get: read, ownKeys } = Reflect;
export const { keys, assign, getOwnPropertyDescriptor: descriptor, defineProperty, freeze, getPrototypeOf, hasOwn } = Object;
export const objectPrototype = Object.prototype;
export const { isArray } = Array;
export const { isFinite, isInteger } = Number;

// uncurry makes a method a function that takes its object first.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);

export const push = uncurry(Array.prototype.push);
export const join = uncurry(Array.prototype.join);
export const split = uncurry(String.prototype.split);
export const trim = uncurry(String.prototype.trim);
export const contains = uncurry(String.prototype.includes);
export const find = uncurry(String.prototype.indexOf);
export const cut = uncurry(String.prototype.slice);
export const upper = uncurry(String.prototype.toUpperCase);
export const symbolText = uncurry(Symbol.prototype.toString);
export const objectText = uncurry(Object.prototype.toString);
export const toBase64 = uncurry(Uint8Array.prototype.toBase64);
const decodeBase64 = Uint8Array.fromBase64;
export const fromBase64 = (text) => apply(decodeBase64, Uint8Array, [text]);
export { uncurry };

const promiseThen = uncurry(Promise.prototype.then);
const promisePrototype = Promise.prototype;

// isThenable knows promises and whatever acts as one.
export const isThenable = (x) => x !== null && typeof x === "object" && (isPromise(x) || typeof x.then === "function");

// isPromise knows a promise of the language, which whenSettled serves.
export const isPromise = (x) => getPrototypeOf(x) === promisePrototype && !hasOwn(x, "then");
export const whenSettled = promiseThen;

// soon runs f as a promise job.
export const soon = (f) => { promiseThen(new Promise((done) => done()), f); };

// A Table is a Map with methods of its own, which no project reaches.
export class Table extends Map {}
const map = Map.prototype;
for (const name of ["get", "set", "has", "delete", "clear", "forEach", "keys"]) defineProperty(Table.prototype, name, { value: map[name] });
defineProperty(Table.prototype, "size", descriptor(map, "size"));
Object.setPrototypeOf(Table.prototype, null);

const nextKey = uncurry(getPrototypeOf(new Map().keys()).next);

// oldest gives the key that was set first.
export const oldest = (table) => nextKey(table.keys()).value;

// The same for a WeakMap.
export class WeakTable extends WeakMap {}
for (const name of ["get", "set", "has"]) defineProperty(WeakTable.prototype, name, { value: WeakMap.prototype[name] });
Object.setPrototypeOf(WeakTable.prototype, null);

// expose makes classes global, under the names that they are asked for by: the
// bundler may have given one that speaks of itself another.
export function expose(classes) {
  const names = keys(classes);
  for (let i = 0; i < names.length; i++) {
    const value = classes[names[i]];
    defineProperty(value, "name", { value: names[i], configurable: true });
    if (!hasOwn(value.prototype, Symbol.toStringTag)) defineProperty(value.prototype, Symbol.toStringTag, { value: names[i], configurable: true });
    defineProperty(globalThis, names[i], { value, writable: true, configurable: true });
  }
}
