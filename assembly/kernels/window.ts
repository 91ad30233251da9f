// window_min, window_max: the least and the greatest of samples that lie `step` bytes apart.
//
//   for i < n: out[i] = least of data[i], data[i + step], … data[i + (count − 1) step]
//
// A window over several dimensions is this along one after the other. NaN is less and greater than everything, and −0 is
// less than 0, as in Math.min and Math.max.

// @ts-ignore: decorator
@inline export function windowMin<T>(out: usize, data: usize, n: i32, step: usize, count: i32): void {
  extreme<T>(out, data, n, step, count, true);
}

// @ts-ignore: decorator
@inline export function windowMax<T>(out: usize, data: usize, n: i32, step: usize, count: i32): void {
  extreme<T>(out, data, n, step, count, false);
}

/** Two vectors at a time, then one, then what is left, sample by sample. `least` is a constant, so that its branch folds away. */
// @ts-ignore: decorator
@inline function extreme<T>(out: usize, data: usize, n: i32, step: usize, count: i32, least: bool): void {
  const end = out + <usize>n * sizeof<T>();
  for (; out + 32 <= end; out += 32, data += 32) {
    let a = v128.load(data), b = v128.load(data, 16), from = data;
    for (let k = 1; k < count; k++) {
      from += step;
      a = vector<T>(a, v128.load(from), least);
      b = vector<T>(b, v128.load(from, 16), least);
    }
    v128.store(out, a);
    v128.store(out, b, 16);
  }
  for (; out + 16 <= end; out += 16, data += 16) {
    let a = v128.load(data), from = data;
    for (let k = 1; k < count; k++) {
      from += step;
      a = vector<T>(a, v128.load(from), least);
    }
    v128.store(out, a);
  }
  for (; out < end; out += sizeof<T>(), data += sizeof<T>()) {
    let a = load<T>(data), from = data;
    for (let k = 1; k < count; k++) {
      from += step;
      a = least ? min<T>(a, load<T>(from)) : max<T>(a, load<T>(from));
    }
    store<T>(out, a);
  }
}

// @ts-ignore: decorator
@inline function vector<T>(a: v128, b: v128, least: bool): v128 {
  return least ? v128.min<T>(a, b) : v128.max<T>(a, b);
}
