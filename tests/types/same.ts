/** `true` where two types are the same one, also in what is readonly and optional. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** Takes what is true for the compiler; there is nothing to run. */
export function holds<_T extends true>(): void {}
