// What t.send takes, and stubs from wherever they are written.
import { kindOf } from "./show.js";

const { seedFiles, encode } = __bdk.evals;

const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);

const known = {
  workspaceFiles: { wants: "an object of relative paths, each with a text, bytes, or {base64}", fits: isObject },
  workspaceDir: { wants: "the absolute path of a folder", fits: (x) => typeof x === "string" && /^(?:[\\/]|[A-Za-z]:[\\/])/.test(x) },
  stubs: { wants: "an object of tools, each with a value or a function of the input", fits: isObject },
};

// optionsOf gives what the host is told: head and files are JSON, functions the stubs
// that it asks for by the name of their tool.
export function optionsOf(given, stubs, later) {
  checkShape(given);
  const { workspaceFiles, workspaceDir, stubs: own } = given ?? {};
  const names = Object.keys(given ?? {}).filter((name) => given[name] !== undefined);
  if (later && names.length > 0) throw new Error(`t.send: ${names.join(" and ")} shape the session, so they go with the first message`);
  if (workspaceDir !== undefined && Object.keys(workspaceFiles ?? {}).length > 0) throw new Error("t.send: workspaceFiles and workspaceDir exclude each other: nothing is laid into a folder that is not the session's own");
  for (const path of Object.keys(workspaceFiles ?? {})) checkPath(path);
  const functions = new Map(), list = [];
  for (const [tool, value] of Object.entries(nearest(later ? [] : [...stubs, own]))) {
    if (typeof value === "function") functions.set(tool, value);
    list.push(typeof value === "function" ? { tool } : { tool, value: JSON.parse(encode(value, `the stub of ${tool}`)) });
  }
  return { head: JSON.stringify({ workspaceDir, stubs: list }), files: seedFiles(workspaceFiles, "t.send"), functions };
}

function checkShape(given) {
  if (given === undefined || given === null) return;
  if (!isObject(given)) throw new TypeError(`t.send takes a message and options, an object, not ${kindOf(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) throw new TypeError(`t.send has no option ${JSON.stringify(name)}: its options are ${Object.keys(known).join(", ")}`);
    if (value !== undefined && !known[name].fits(value)) throw new TypeError(`${name} of t.send must be ${known[name].wants}, not ${kindOf(value)}`);
  }
}

function checkPath(path) {
  if (path === "" || /^[\\/]|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) throw new Error(`workspaceFiles of t.send: ${JSON.stringify(path)} is no relative path inside the workspace`);
}

// nearest gives the stub of each tool, of the last level that has one.
function nearest(levels) {
  const out = {};
  for (const level of levels) {
    for (const [tool, value] of Object.entries(level ?? {})) if (value !== undefined) out[tool] = value;
  }
  return out;
}
