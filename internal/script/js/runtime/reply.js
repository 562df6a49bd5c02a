// What a route answers with: a Response, told to Go as JSON. Its stream goes there
// chunk by chunk, each when Go asks for it.
import { listen, sync, toWire, unlisten } from "./bridge.js";
import { chunkBytes, source } from "./body.js";
import { describe } from "./errors.js";
import { push, stringify, TypeError } from "./primordials.js";

const { Response } = globalThis;

// ofConnection are the headers that belong to one connection; ofPacking those of a
// body that fetch has unpacked.
const ofConnection = { __proto__: null, connection: 1, "keep-alive": 1, "transfer-encoding": 1, upgrade: 1 };
const ofPacking = { __proto__: null, "content-encoding": 1, "content-length": 1 };

export function reply(call, response) {
  if (!(response instanceof Response)) throw new TypeError(`the handler answered with ${shown(response)}, and not with a Response`);
  if (response.type === "error") throw new TypeError("the handler answered with Response.error()");
  const { bytes, stream } = source(response), headers = headersOf(response);
  if (stream) return stringify({ status: response.status, headers, stream: send(call.id, stream) });
  return stringify({ status: response.status, headers, body: bytes ? toWire(bytes) : undefined });
}

const shown = (x) => (x === null || x === undefined ? String(x) : typeof x === "object" ? "another object" : `a ${typeof x}`);

function headersOf(response) {
  const list = [], fetched = response.type === "basic";
  for (const [name, value] of response.headers) {
    if (ofConnection[name] === 1 || (fetched && ofPacking[name] === 1)) continue;
    push(list, [name, value]);
  }
  return list;
}

// send serves Go's reading of a stream; it gives the number that Go knows it by.
function send(call, stream) {
  const reader = stream.getReader(), leave = (e) => { reader.cancel(e).catch(() => {}); };
  let number;
  try {
    number = sync("reply.stream", call);
  } catch (e) {
    leave(e); // nobody reads it
    throw e;
  }
  const end = (error) => {
    unlisten(number);
    sync("reply.end", number, error);
  };
  const failed = (e) => {
    leave(e);
    end(describe(e));
  };
  const chunk = ({ done, value }) => {
    if (done) return end("");
    sync("reply.chunk", number, toWire(chunkBytes(value)));
  };
  const stop = () => {
    unlisten(number);
    leave(new DOMException("the caller has gone", "AbortError"));
  };
  listen(number, (what) => {
    if (what === "pull") reader.read().then(chunk).catch(failed);
    else stop();
  });
  return number;
}
