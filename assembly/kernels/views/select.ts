// select_rank: the sample of a rank among samples at any distances.
//
//   for i < n: out[i] = the sample with `rank` others below it, of data[i + offset 0], data[i + offset 1], …
//
// A vector of results at a time, bit by bit from the highest: a bit is set if the sample of that rank is not less than what
// is known of it with that bit, that is, if at least `count − rank` samples are not less. Lines shorter than a vector are
// done sample by sample.

// @ts-ignore: decorator
@inline export function selectRank<T>(out: usize, data: usize, n: i32, offsets: usize, count: i32, rank: i32): void {
  const lanes = <i32>(16 / sizeof<T>()), least = count - rank;
  let x = 0;
  for (; x < n && n >= lanes; x += lanes) {
    const at = <usize>min(x, n - lanes) * sizeof<T>();
    v128.store(out + at, select<T>(data + at, offsets, count, least));
  }
  for (; x < n; x++) {
    const at = <usize>x * sizeof<T>();
    store<T>(out + at, selectOne<T>(data + at, offsets, count, least));
  }
}

/** Signed samples lie as far above their least one as unsigned ones lie above 0. */
// @ts-ignore: decorator
@inline function select<T>(data: usize, offsets: usize, count: i32, least: i32): v128 {
  let found = isSigned<T>() ? v128.shl<T>(v128.splat<T>(<T>1), <i32>(8 * sizeof<T>() - 1)) : v128.splat<T>(<T>0);
  for (let bit = <i32>(8 * sizeof<T>() - 1); bit >= 0; bit--) {
    const tried = v128.xor(found, v128.shl<T>(v128.splat<T>(<T>1), bit));
    found = v128.bitselect(tried, found, enough<T>(data, offsets, count, tried, least));
  }
  return found;
}

/** Where at least `least` samples are not less than what is tried. */
// @ts-ignore: decorator
@inline function enough<T>(data: usize, offsets: usize, count: i32, tried: v128, least: i32): v128 {
  if (sizeof<T>() > 1) {
    let sum = v128.splat<T>(<T>0);
    for (let k = 0; k < count; k++, offsets += 4) sum = v128.sub<T>(sum, v128.ge<T>(v128.load(data + load<u32>(offsets)), tried));
    if (sizeof<T>() == 2) return i16x8.ge_u(sum, i16x8.splat(<i16>least));
    return v128.ge<T>(sum, v128.splat<T>(<T>least));
  }
  let low = i16x8.splat(0), high = low;
  for (let k = 0; k < count;) { // counts of up to 255 in bytes
    let sum = i8x16.splat(0);
    for (const end = min(count, k + 255); k < end; k++, offsets += 4) {
      sum = i8x16.sub(sum, v128.ge<T>(v128.load(data + load<u32>(offsets)), tried));
    }
    low = i16x8.add(low, i16x8.extend_low_i8x16_u(sum));
    high = i16x8.add(high, i16x8.extend_high_i8x16_u(sum));
  }
  const all = i16x8.splat(<i16>least);
  return i8x16.narrow_i16x8_s(i16x8.ge_u(low, all), i16x8.ge_u(high, all));
}

// @ts-ignore: decorator
@inline function selectOne<T>(data: usize, offsets: usize, count: i32, least: i32): T {
  let found: T = isSigned<T>() ? <T>(<T>1 << <T>(8 * sizeof<T>() - 1)) : <T>0;
  for (let bit = <i32>(8 * sizeof<T>() - 1); bit >= 0; bit--) {
    const tried: T = <T>(found ^ <T>(<T>1 << <T>bit));
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const value: T = load<T>(data + load<u32>(offsets + (<usize>k << 2)));
      if (value >= tried) sum++;
    }
    if (sum >= least) found = tried;
  }
  return found;
}
