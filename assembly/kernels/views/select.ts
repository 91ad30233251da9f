// select_rank: the sample of a rank among samples at any distances.
//
//   for i < n: out[i] = the sample with `rank` others below it, of data[i + offset 0], data[i + offset 1], …
//
// Four vectors of results at a time, or one, bit by bit from the highest: a bit is set if the sample of that rank is not less than what
// is known of it with that bit, that is, if at least `count − rank` samples are not less. Lines shorter than a vector are
// done sample by sample.

// @ts-ignore: decorator
@inline export function selectRank<T>(out: usize, data: usize, n: i32, offsets: usize, count: i32, rank: i32): void {
  const lanes = <i32>(16 / sizeof<T>()), least = count - rank;
  let x = 0;
  if (sizeof<T>() > 1 || count <= 255) {
    for (; x + 4 * lanes <= n; x += 4 * lanes) fourSelects<T>(out + <usize>x * sizeof<T>(), data + <usize>x * sizeof<T>(), offsets, count, least);
  }
  for (; x < n && n >= lanes; x += lanes) {
    const at = <usize>min(x, n - lanes) * sizeof<T>();
    v128.store(out + at, select<T>(data + at, offsets, count, least));
  }
  for (; x < n; x++) {
    const at = <usize>x * sizeof<T>();
    store<T>(out + at, selectOne<T>(data + at, offsets, count, least));
  }
}

/** As `select`, for four vectors that share their offsets; counts fit into lanes. */
// @ts-ignore: decorator
@inline function fourSelects<T>(out: usize, data: usize, offsets: usize, count: i32, least: i32): void {
  const first = isSigned<T>() ? v128.shl<T>(v128.splat<T>(<T>1), <i32>(8 * sizeof<T>() - 1)) : v128.splat<T>(<T>0);
  const end = offsets + (<usize>count << 2), all = v128.splat<T>(<T>least);
  let f0 = first, f1 = first, f2 = first, f3 = first;
  for (let bit = <i32>(8 * sizeof<T>() - 1); bit >= 0; bit--) {
    const one = v128.shl<T>(v128.splat<T>(<T>1), bit);
    const t0 = v128.xor(f0, one), t1 = v128.xor(f1, one), t2 = v128.xor(f2, one), t3 = v128.xor(f3, one);
    let s0 = v128.splat<T>(<T>0), s1 = s0, s2 = s0, s3 = s0;
    for (let o = offsets; o < end; o += 4) {
      const p = data + load<u32>(o);
      s0 = v128.sub<T>(s0, v128.ge<T>(v128.load(p), t0));
      s1 = v128.sub<T>(s1, v128.ge<T>(v128.load(p, 16), t1));
      s2 = v128.sub<T>(s2, v128.ge<T>(v128.load(p, 32), t2));
      s3 = v128.sub<T>(s3, v128.ge<T>(v128.load(p, 48), t3));
    }
    f0 = v128.bitselect(t0, f0, notLess<T>(s0, all));
    f1 = v128.bitselect(t1, f1, notLess<T>(s1, all));
    f2 = v128.bitselect(t2, f2, notLess<T>(s2, all));
    f3 = v128.bitselect(t3, f3, notLess<T>(s3, all));
  }
  v128.store(out, f0);
  v128.store(out, f1, 16);
  v128.store(out, f2, 32);
  v128.store(out, f3, 48);
}

/** Comparison of counts, which have no sign. */
// @ts-ignore: decorator
@inline function notLess<T>(count: v128, least: v128): v128 {
  if (sizeof<T>() == 1) return i8x16.ge_u(count, least);
  if (sizeof<T>() == 2) return i16x8.ge_u(count, least);
  return v128.ge<T>(count, least);
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
    return notLess<T>(sum, v128.splat<T>(<T>least));
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
