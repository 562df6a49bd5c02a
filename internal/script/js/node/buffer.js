// node:buffer over the globals.
const { Buffer: B, Blob: Bl, File: F, atob: a, btoa: b } = globalThis;
export { B as Buffer, Bl as Blob, F as File, a as atob, b as btoa };
export const SlowBuffer = B;
export const kMaxLength = 2 ** 31 - 1;
export const kStringMaxLength = 2 ** 29 - 24;
export const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: kStringMaxLength };
export const isUtf8 = (bytes) => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};
export const isAscii = (bytes) => __bdk.asBytes(bytes).every((x) => x < 128);
export default { Buffer: B, Blob: Bl, File: F, atob: a, btoa: b, SlowBuffer, kMaxLength, kStringMaxLength, constants, isUtf8, isAscii };
