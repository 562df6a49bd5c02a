// node:stream/web over the global.
export const ReadableStream = globalThis.ReadableStream;
export default { ReadableStream };
