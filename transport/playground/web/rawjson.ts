// JSON as it was written: numbers, escapes and repeated keys stay what they are, which
// parsing would change. What it is given is valid JSON.

/** The text of a member's value in the text of an object: member(line, "data", "args"). */
export function member(json: string, ...names: string[]): string | undefined {
  let found: string | undefined = json.trim();
  for (const name of names) found = found === undefined ? undefined : one(found, name);
  return found;
}

function one(json: string, name: string): string | undefined {
  if (json[0] !== "{") return;
  for (let at = space(json, 1); json[at] === '"'; ) {
    const keyEnd = value(json, at), from = space(json, space(json, keyEnd) + 1), to = value(json, from);
    if (JSON.parse(json.slice(at, keyEnd)) === name) return json.slice(from, to);
    at = space(json, to);
    if (json[at] !== ",") return;
    at = space(json, at + 1);
  }
}

function space(json: string, at: number): number {
  while (at < json.length && " \t\r\n".includes(json[at])) at++;
  return at;
}

// value gives where the value that begins at a place ends.
function value(json: string, at: number): number {
  if (json[at] === '"') return quoted(json, at);
  if (json[at] !== "{" && json[at] !== "[") {
    while (at < json.length && !",}] \t\r\n".includes(json[at])) at++;
    return at;
  }
  for (let depth = 0; at < json.length; ) {
    const c = json[at];
    if (c === '"') {
      at = quoted(json, at);
      continue;
    }
    at++;
    if (c === "{" || c === "[") depth++;
    else if ((c === "}" || c === "]") && --depth === 0) break;
  }
  return at;
}

function quoted(json: string, at: number): number {
  for (at++; at < json.length && json[at] !== '"'; at++) if (json[at] === "\\") at++;
  return at + 1;
}

/** The same JSON over several lines, each token as it is. */
export function layout(json: string): string {
  let out = "", depth = 0;
  const line = () => "\n" + "  ".repeat(depth);
  for (let at = space(json, 0); at < json.length; at = space(json, at)) {
    const c = json[at];
    if (c === "{" || c === "[") {
      const next = space(json, at + 1), empty = json[next] === "}" || json[next] === "]";
      if (!empty) depth++;
      out += empty ? c + json[next] : c + line();
      at = empty ? next + 1 : at + 1;
    } else if (c === "}" || c === "]") {
      depth--;
      out += line() + c;
      at++;
    } else if (c === ",") {
      out += c + line();
      at++;
    } else if (c === ":") {
      out += ": ";
      at++;
    } else {
      const to = value(json, at);
      out += json.slice(at, to);
      at = Math.max(to, at + 1);
    }
  }
  return out;
}
