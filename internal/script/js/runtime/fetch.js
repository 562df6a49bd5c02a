// fetch. Go speaks HTTP; bodies go and come chunk by chunk.
import { async, fromWire, sync, toWire } from "./bridge.js";
import { chunkBytes, has, source } from "./body.js";
import { answer, given, noBody } from "./request.js";

// bodyOf streams what Go reads; whoever stops early closes it.
function bodyOf(handle, signal) {
  let controller;
  const stop = () => {
    sync("fetch.close", handle);
    controller.error(signal.reason);
  };
  return new ReadableStream({
    type: "bytes",
    start(c) {
      controller = c;
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    },
    async pull(c) {
      let chunk;
      try {
        chunk = await async(0, "fetch.read", handle);
      } catch (e) {
        signal?.removeEventListener("abort", stop);
        throw signal?.aborted ? signal.reason : e;
      }
      if (signal?.aborted) return;
      if (chunk !== "") return c.enqueue(fromWire(chunk));
      signal?.removeEventListener("abort", stop);
      c.close();
    },
    cancel() {
      signal?.removeEventListener("abort", stop);
      sync("fetch.close", handle);
    },
  }, { highWaterMark: 0 });
}

function dataURL(url) {
  const [, type, base64, data] = /^data:([^,]*?)(;\s*base64)?,(.*)$/is.exec(url.replace(/#.*$/s, "")) ?? [];
  if (data === undefined) throw new TypeError("fetch failed: the data URL is malformed");
  const bytes = new TextEncoder().encode(data), plain = [];
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x25 ? String.fromCharCode(bytes[i + 1], bytes[i + 2]) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) i += 2;
    plain.push(hex.length === 2 && bytes[i - 2] === 0x25 ? parseInt(hex, 16) : bytes[i]);
  }
  const body = Uint8Array.from(plain);
  const headers = { "content-type": type || "text/plain;charset=US-ASCII" };
  return answer(new Response(base64 ? Buffer.from(Buffer.from(body).toString("latin1"), "base64") : body, { headers }), { type: "basic", url });
}

// send hands a stream to Go, chunk by chunk, for as long as the other side reads;
// what fails in it ends the request.
async function send(number, stream) {
  try {
    for await (const chunk of stream) if (!await async(0, "fetch.write", number, toWire(chunkBytes(chunk)))) return;
    await async(0, "fetch.sent", number, "");
  } catch (e) {
    await async(0, "fetch.sent", number, String(e?.message ?? e) || "the stream failed");
    throw e;
  }
}

let numbers = 0;

async function fetch(input, init) {
  const request = new Request(input, init), signal = given(request);
  signal?.throwIfAborted();
  if (request.url.startsWith("data:")) return dataURL(request.url);
  if (!/^https?:/.test(request.url)) throw new TypeError(`fetch failed: ${new URL(request.url).protocol} is not supported`);
  const withBody = has(request), { bytes, stream } = source(request);
  const number = `fetch:${++numbers}`;
  const { promise: aborted, reject } = Promise.withResolvers();
  const abort = () => {
    sync("fetch.abort", number);
    if (stream && !stream.locked) stream.cancel(signal.reason).catch(() => {});
    reject(signal.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const ask = { url: request.url.replace(/#.*$/s, ""), method: request.method, headers: [...request.headers], redirect: request.redirect, body: stream ? "stream" : withBody ? "bytes" : "", own: signal !== undefined };
    const opened = async(0, "fetch.open", JSON.stringify(ask), bytes ? toWire(bytes) : "", number);
    // What the author's stream throws says more than the request that it ended.
    const failed = stream ? new Promise((_, no) => send(number, stream).catch(no)) : aborted;
    failed.catch(() => {});
    return responseOf(JSON.parse(await Promise.race([opened, aborted, failed])), request, signal);
  } catch (e) {
    throw signal?.aborted ? signal.reason : e;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function responseOf({ handle, status, statusText, url, redirected, headers }, request, signal) {
  const empty = noBody.has(status) || request.method === "HEAD";
  if (empty) sync("fetch.close", handle);
  const response = new Response(empty ? null : bodyOf(handle, signal), { statusText, headers });
  return answer(response, { status, url, redirected, type: "basic" });
}

Object.assign(globalThis, { fetch });
