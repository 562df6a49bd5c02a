// console: each line goes into the host's log with its level.
import { bdk, sync } from "./bridge.js";
import { format, inspect } from "./inspect.js";

bdk.format = format;
bdk.inspect = inspect;

const counts = new Map(), clocks = new Map();
let indent = "";
const write = (level, args) => sync("log.line", level, indent + format(args).replaceAll("\n", "\n" + indent));
const at = (level) => (...args) => write(level, args);

const console = {
  log: at("info"), info: at("info"), debug: at("debug"), warn: at("warn"), error: at("error"),
  trace: (...args) => write("debug", [...args, "\n" + new Error().stack]),
  dir: (x) => write("info", [inspect(x)]),
  dirxml: at("info"),
  table: (x) => write("info", [inspect(x)]),
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
