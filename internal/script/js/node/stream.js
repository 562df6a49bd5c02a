// node:stream.
import "./_operators.js";
import { addAbortSignal, getDefaultHighWaterMark, setDefaultHighWaterMark, Stream } from "./_stream.js";
import { Readable } from "./_readable.js";
import { Writable } from "./_writable.js";
import { Duplex, PassThrough, Transform } from "./_duplex.js";
import { compose, finished, finishedPromise, pipeline, pipelinePromise } from "./_pipeline.js";

const promised = Symbol.for("nodejs.util.promisify.custom");
pipeline[promised] = pipelinePromise;
finished[promised] = finishedPromise;

export const promises = { pipeline: pipelinePromise, finished: finishedPromise };
export const isReadable = (s) => Boolean(s?.readable);
export const isErrored = (s) => Boolean(s?.errored);
export const isDisturbed = (s) => Boolean(s?.readableDidRead);

Object.assign(Stream, {
  Stream, Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline, compose, promises, addAbortSignal, isReadable, isErrored, isDisturbed,
  getDefaultHighWaterMark, setDefaultHighWaterMark,
});
export { Stream, Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline, compose, addAbortSignal, getDefaultHighWaterMark, setDefaultHighWaterMark };
export default Stream;
