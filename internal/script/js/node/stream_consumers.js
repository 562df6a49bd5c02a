// node:stream/consumers: a whole stream as one value.
async function bytes(stream) {
  const parts = [];
  for await (const chunk of stream) parts.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(parts);
}

export const buffer = (stream) => bytes(stream);
export const text = async (stream) => new TextDecoder().decode(await bytes(stream));
export const json = async (stream) => JSON.parse(await text(stream));
export const arrayBuffer = async (stream) => new Uint8Array(await bytes(stream)).buffer;
export const blob = async (stream) => new Blob([await bytes(stream)]);
export default { buffer, text, json, arrayBuffer, blob };
