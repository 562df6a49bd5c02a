// same<A, B>() compiles where A and B are the same type.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export function same<A, B>(..._: Same<A, B> extends true ? [] : [never]): void {}
