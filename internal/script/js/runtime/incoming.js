// The Request of a call that came over HTTP.
import { fromWire, sync } from "./bridge.js";
import { find, cut } from "./primordials.js";

const { Request } = globalThis;

// requestOf makes it of what Go tells: {url, method, headers, hasBody}. The bytes of
// the body are asked for apart.
export function requestOf(call, { url, method, headers, hasBody }, signal = undefined) {
  const init = { method, headers, signal };
  if (hasBody) init.body = fromWire(sync("request.body", call));
  try {
    return new Request(url, init);
  } catch (e) {
    if (URL.canParse(url)) throw e;
    return new Request("http://invalid" + pathOf(url), init); // a Host that no URL can have
  }
}

function pathOf(url) {
  const i = find(url, "/", find(url, "://") + 3);
  return i < 0 ? "/" : cut(url, i);
}
