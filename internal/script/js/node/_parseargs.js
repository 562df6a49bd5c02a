// parseArgs reads options of a command line.
import { coded } from "./_errors.js";

const fault = (code, text) => coded(TypeError, "ERR_PARSE_ARGS_" + code, text);

export function parseArgs({ args = process.argv.slice(2), options = {}, allowPositionals, strict = true, allowNegative = false } = {}) {
  allowPositionals ??= !strict;
  const values = Object.create(null), positionals = [], rest = [...args];
  const put = (name, value) => {
    const o = options[name];
    if (o?.multiple) (values[name] ??= []).push(value);
    else values[name] = value;
  };

  // take notes an option; given is its value where it stands beside it.
  const take = (name, shown, given) => {
    let o = options[name], no = false;
    if (!o && allowNegative && name.startsWith("no-") && options[name.slice(3)]?.type === "boolean") [name, o, no] = [name.slice(3), options[name.slice(3)], true];
    if (!o) {
      if (strict) throw fault("UNKNOWN_OPTION", `Unknown option '${shown}'`);
      return put(name, given ?? true);
    }
    if (o.type !== "string") {
      if (given !== undefined && strict) throw fault("INVALID_OPTION_VALUE", `Option '${shown}' does not take an argument`);
      return put(name, !no);
    }
    if (given === undefined && rest.length && !rest[0].startsWith("-")) given = rest.shift();
    if (given === undefined && strict) {
      const dash = rest.length && rest[0].startsWith("-") ? ` is ambiguous. Did you forget to specify the option argument?` : " argument missing";
      throw fault("INVALID_OPTION_VALUE", `Option '${shown} <value>'${dash}`);
    }
    put(name, given ?? true);
  };

  const group = (letters) => {
    for (let i = 0; i < letters.length; i++) {
      const name = Object.keys(options).find((n) => options[n].short === letters[i]) ?? letters[i];
      const more = letters.slice(i + 1);
      if (options[name]?.type === "string" && more) return take(name, "-" + letters[i], more);
      take(name, "-" + letters[i]);
    }
  };

  while (rest.length) {
    const arg = rest.shift();
    if (arg === "--") positionals.push(...rest.splice(0));
    else if (arg.startsWith("--") && arg.length > 2) {
      const at = arg.indexOf("=");
      if (at < 0) take(arg.slice(2), arg);
      else take(arg.slice(2, at), arg.slice(0, at), arg.slice(at + 1));
    } else if (/^-[^-]/.test(arg)) group(arg.slice(1));
    else positionals.push(arg);
  }
  if (positionals.length && !allowPositionals) throw fault("UNEXPECTED_POSITIONAL", `Unexpected argument '${positionals[0]}'. This command does not take positional arguments`);
  for (const [name, o] of Object.entries(options)) if (o.default !== undefined && values[name] === undefined) values[name] = o.default;
  return { values, positionals };
}
