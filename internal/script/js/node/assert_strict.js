// node:assert/strict.
import { strict } from "./assert.js";

export const { ok, equal, notEqual, strictEqual, notStrictEqual, deepEqual, deepStrictEqual, notDeepEqual, notDeepStrictEqual, match, doesNotMatch, throws, rejects, doesNotThrow, doesNotReject, ifError, fail, AssertionError } = strict;
export default strict;
