// node:util/types.
import { types } from "./util.js";

export const {
  isPromise, isRegExp, isDate, isMap, isSet, isNativeError, isProxy, isTypedArray, isUint8Array, isArrayBuffer, isAnyArrayBuffer,
  isArrayBufferView, isDataView, isAsyncFunction, isGeneratorFunction, isGeneratorObject, isWeakMap, isWeakSet, isBoxedPrimitive,
} = types;
export default types;
