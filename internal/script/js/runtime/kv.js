// ctx.host.kv: one space per agent, synced before a promise resolves.
import { async } from "./bridge.js";
import { encode } from "./json.js";

const retries = 20;

export function bindKv(call) {
  const read = async (key) => JSON.parse(await ask("kv.get", String(key)));
  const ask = (name, ...args) => async(call, name, ...args);
  return {
    // get gives the value, undefined when there is none.
    async get(key) { return (await read(key)).value; },
    // put takes {ttlSeconds?, ifVersion?} and gives {version}.
    async put(key, value, options = {}) {
      if (value === undefined) throw new TypeError("kv.put needs a value; use kv.delete to remove a key");
      return JSON.parse(await ask("kv.put", String(key), encode(value), JSON.stringify(options ?? {})));
    },
    async delete(key) { return ask("kv.delete", String(key)); },
    // list takes {prefix?, limit?, cursor?} and gives {entries, cursor?}.
    async list(options = {}) { return JSON.parse(await ask("kv.list", JSON.stringify(options ?? {}))); },
    // update reads, changes and puts back, again when somebody else was faster.
    async update(key, change) {
      for (let i = 0; ; i++) {
        const { value, version = 0 } = await read(key);
        const next = await change(value);
        try {
          await this.put(key, next, { ifVersion: version });
          return next;
        } catch (e) {
          if (e?.code !== "version_conflict" || i >= retries) throw e;
        }
      }
    },
  };
}
