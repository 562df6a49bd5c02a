// ctx.host.reminders: those of the session that the call belongs to.
import { async } from "./bridge.js";
import { encode } from "./json.js";
import { checked } from "./kv.js";
import { isArray, isFinite, objectText, parse, stringify, trim, TypeError } from "./primordials.js";

const isText = (x) => typeof x === "string" && trim(x) !== "";
const isDate = (x) => objectText(x) === "[object Date]";
const text = { wants: "a string with text in it", fits: isText };

const known = {
  at: { wants: 'an instant: a Date, or an ISO 8601 text with a zone such as "2027-01-31T09:00:00Z"', fits: (x) => isText(x) || isDate(x) },
  in: { wants: 'how long from now: milliseconds, or a text such as "90s", "2h" or "1d12h"', fits: (x) => isText(x) || (typeof x === "number" && isFinite(x) && x > 0) },
  cron: { wants: 'five fields, such as "0 9 * * 1"', fits: isText },
  timeZone: { wants: "an IANA name, such as Europe/Berlin", fits: isText },
  message: text,
  key: text,
  data: { wants: "a value that JSON has", fits: () => true },
};

export function bindReminders(call) {
  return {
    // set takes {at | in | cron, timeZone?, message, key?, data?} and gives {id}.
    async set(reminder) {
      if (reminder === null || typeof reminder !== "object" || isArray(reminder)) throw new TypeError("reminders.set needs {at | in | cron, timeZone?, message, key?, data?}");
      checked("reminders.set", { ...reminder, data: undefined }, known);
      const { data, ...rest } = reminder;
      return { id: await async(call, "reminders.set", stringify(rest), data === undefined ? "" : encode(data, "the data")) };
    },
    async list() { return parse(await async(call, "reminders.list")); },
    async cancel(idOrKey) {
      if (!isText(idOrKey)) throw new TypeError("reminders.cancel needs the id or the key of a reminder");
      return await async(call, "reminders.cancel", idOrKey);
    },
  };
}
