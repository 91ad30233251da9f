// block_min, block_max, block_sum, block_mean: `factor` samples become one; at the end, fewer are left.
//
//   for i < ceil(n / factor): out[i] = least of data[i factor], … data[min(n, (i + 1) factor) − 1]
//
// A block over several dimensions is this along the last one, after sums or extremes of rows along the others. NaN is less
// and greater than everything, and −0 is less than 0, as in Math.min and Math.max. Sums are added from the first sample.

export function blockMin<T>(out: usize, data: usize, n: i32, factor: i32): void {
  extreme<T>(out, data, n, factor, true);
}

export function blockMax<T>(out: usize, data: usize, n: i32, factor: i32): void {
  extreme<T>(out, data, n, factor, false);
}

// @ts-ignore: decorator
@inline function extreme<T>(out: usize, data: usize, n: i32, factor: i32, least: bool): void {
  for (let i = 0; i < n; i += factor, out += sizeof<T>()) {
    let best = load<T>(data + <usize>i * sizeof<T>());
    const end = min(n, i + factor);
    for (let k = i + 1; k < end; k++) {
      const value = load<T>(data + <usize>k * sizeof<T>());
      best = least ? min<T>(best, value) : max<T>(best, value);
    }
    store<T>(out, best);
  }
}

export function blockSum<T>(out: usize, data: usize, n: i32, factor: i32): void {
  for (let i = 0; i < n; i += factor, out += 8) store<f64>(out, sumOf<T>(data, i, min(n, i + factor)));
}

export function blockMeanF32<T>(out: usize, data: usize, n: i32, factor: i32, rows: i32): void {
  blockMean<T, f32>(out, data, n, factor, rows);
}

export function blockMeanF64<T>(out: usize, data: usize, n: i32, factor: i32, rows: i32): void {
  blockMean<T, f64>(out, data, n, factor, rows);
}

// @ts-ignore: decorator
@inline function blockMean<T, R>(out: usize, data: usize, n: i32, factor: i32, rows: i32): void {
  for (let i = 0; i < n; i += factor, out += sizeof<R>()) {
    const end = min(n, i + factor);
    store<R>(out, <R>(sumOf<T>(data, i, end) / (<f64>(end - i) * <f64>rows)));
  }
}

// @ts-ignore: decorator
@inline function sumOf<T>(data: usize, from: i32, end: i32): f64 {
  let sum: f64 = 0;
  for (let k = from; k < end; k++) sum += <f64>load<T>(data + <usize>k * sizeof<T>());
  return sum;
}
