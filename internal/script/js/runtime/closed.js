// closed says of what an object does not have how to ask for it.
import { hasOwn, join, keys, Proxy, TypeError } from "./primordials.js";

export const closed = (object, shown, other) =>
  new Proxy(object, {
    get(target, key) {
      if (typeof key === "symbol" || key === "then" || key === "toJSON" || hasOwn(target, key)) return target[key];
      throw new TypeError(`${shown} has no ${key} here: it has ${join(keys(target), ", ")}; ask for others by ${other}`);
    },
  });
