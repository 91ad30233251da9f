// Planes: what the kernels of predicted visibilities read. A plane holds one vector of channels (2 of f64, 4 of f32) of every
// row and source: `[vector][row][source]`, each a vector of real and one of imaginary parts. The sums over sources then run
// through memory from front to back. Lanes behind the last channel have frequency 0.

/** Channels of a vector. */
// @ts-ignore: decorator
@inline export function lanes<T>(): i32 {
  return 16 / sizeof<T>();
}

/** Vectors that hold `channels`. */
// @ts-ignore: decorator
@inline export function vectorsOf<T>(channels: i32): i32 {
  return (channels + lanes<T>() - 1) / lanes<T>();
}

/** The one or two f64 at `p`, of which there are `left`; 0 where there are none. */
// @ts-ignore: decorator
@inline export function pairOf(p: usize, left: i32): v128 {
  return left >= 2 ? v128.load(p) : left == 1 ? v128.load64_zero(p) : f64x2.splat(0);
}
