// compare_visibilities, sample by sample of each row: residual = observed - model, sums[row] = sum of weight |residual|^2.
//
//   flagged: model = residual = 0, and nothing is added          weight 0: nothing is added
//
// The sums are in f64: squares of real parts and of imaginary parts are added one after another, then both sums.

// @ts-ignore: decorator
@inline export function compareVisibilities<T>(
  model: usize, observed: usize, flags: usize, weights: usize, residual: usize, sums: usize, rows: i32, count: i32,
): void {
  for (let r = 0; r < rows; r++, sums += 8) {
    let sum = f64x2.splat(0.0);
    for (let k = 0; k < count; k++, model += 2 * sizeof<T>()) {
      const flagged = flags != 0 && load<u8>(flags) != 0, weight = weights ? <f64>load<T>(weights) : 1.0;
      const off = flagged ? i64x2.splat(0) : difference<T>(observed, model);
      if (flagged) put<T>(model, off);
      else if (weight != 0.0) sum = f64x2.add(sum, weighted<T>(weight, off));
      put<T>(residual, off);
      residual += 2 * sizeof<T>();
      observed += 2 * sizeof<T>();
      if (flags) flags++;
      if (weights) weights += sizeof<T>();
    }
    store<f64>(sums, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  }
}

// @ts-ignore: decorator
@inline function difference<T>(a: usize, b: usize): v128 {
  if (sizeof<T>() == 8) return f64x2.sub(v128.load(a), v128.load(b));
  return f32x4.sub(v128.load64_zero(a), v128.load64_zero(b));
}

// @ts-ignore: decorator
@inline function put<T>(at: usize, pair: v128): void {
  if (sizeof<T>() == 8) v128.store(at, pair);
  else v128.store64_lane(at, pair, 0);
}

// @ts-ignore: decorator
@inline function weighted<T>(weight: f64, off: v128): v128 {
  const wide = sizeof<T>() == 8 ? off : f64x2.promote_low_f32x4(off);
  return f64x2.mul(f64x2.splat(weight), f64x2.mul(wide, wide));
}
