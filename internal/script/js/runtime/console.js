// console: each line goes into the host's log with its level.
import { bdk, sync } from "./bridge.js";
import { String } from "./primordials.js";
import { format } from "./format.js";
import { defaults, inspect } from "./inspect.js";

bdk.format = format;
bdk.inspect = inspect;
bdk.inspectDefaults = defaults;

// A line of the log is one line, as long as it needs.
const flat = { breakLength: Infinity, compact: true, depth: 3 };

const counts = new Map(), clocks = new Map();
let indent = "";

// words writes arguments as a line. What cannot be written must not fail who logs it.
function words(args) {
  try {
    return String(format(args, flat));
  } catch {
    let text = "";
    for (let i = 0; i < args.length; i++) text += (i > 0 ? " " : "") + word(args[i]);
    return text;
  }
}

function word(x) {
  try {
    return String(x);
  } catch {
    return `[${typeof x}]`;
  }
}

// log makes ctx.log of a function that tells one line.
export function log(tell) {
  const at = (level) => (...args) => tell(level, words(args));
  const log = at("info");
  log.debug = at("debug");
  log.info = log;
  log.warn = at("warn");
  log.error = at("error");
  return log;
}

const indented = (text) => (indent === "" ? text : indent + text.replaceAll("\n", "\n" + indent));
const write = (level, args) => sync("log.line", level, indented(words(args)));
const at = (level) => (...args) => write(level, args);

const console = {
  log: at("info"), info: at("info"), debug: at("debug"), warn: at("warn"), error: at("error"),
  trace: (...args) => write("debug", [...args, "\n" + new Error().stack]),
  dir: (x) => write("info", [inspect(x, flat)]),
  dirxml: at("info"),
  table: (x) => write("info", [inspect(x, flat)]),
  assert: (ok, ...args) => { if (!ok) write("error", ["Assertion failed", ...args]); },
  count: (label = "default") => {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    write("info", [`${label}: ${counts.get(label)}`]);
  },
  countReset: (label = "default") => { counts.delete(label); },
  group: (...args) => { if (args.length) write("info", args); indent += "  "; },
  groupCollapsed: (...args) => console.group(...args),
  groupEnd: () => { indent = indent.slice(2); },
  time: (label = "default") => { clocks.set(label, Date.now()); },
  timeLog: (label = "default", ...args) => write("info", [`${label}: ${Date.now() - (clocks.get(label) ?? Date.now())}ms`, ...args]),
  timeEnd: (label = "default") => { console.timeLog(label); clocks.delete(label); },
};
globalThis.console = console;
