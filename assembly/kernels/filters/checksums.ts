// Checksums of two sums: Fletcher-32 over 16-bit big-endian words, modulo 65535, and Adler-32 over bytes, modulo 65521.
//
// The second sum adds up the first after every word: word i of n counts n − i times. Vectors keep, per lane, the words
// seen (`seen`) and the sum of `seen` before each vector (`before`): second = L · Σ before + Σ (L − lane) · seen.

// @ts-ignore: decorator
@inline export function fletcher32<T>(out: usize, data: usize, n: i32): void {
  let one: u64 = 0, two: u64 = 0;
  let p = data, left = n;
  const order = i8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  while (left >= 16) {
    const vectors = min(left >> 4, 256); // 256² / 2 · 65535 fits 32 bits
    let seenA = i32x4.splat(0), seenB = seenA, beforeA = seenA, beforeB = seenA;
    for (let i = 0; i < vectors; i++, p += 16) {
      const words = i8x16.swizzle(v128.load(p), order);
      beforeA = i32x4.add(beforeA, seenA); beforeB = i32x4.add(beforeB, seenB);
      seenA = i32x4.add(seenA, i32x4.extend_low_i16x8_u(words)); seenB = i32x4.add(seenB, i32x4.extend_high_i16x8_u(words));
    }
    two += one * (8 * <u64>vectors) + 8 * (total(beforeA) + total(beforeB));
    two += weighted(seenA, 8) + weighted(seenB, 4);
    one = (one + total(seenA) + total(seenB)) % 65535;
    two %= 65535;
    left -= vectors << 4;
  }
  for (; left > 0; left -= 2, p += 2) {
    one += (<u64>load<u8>(p) << 8) + (left > 1 ? <u64>load<u8>(p, 1) : 0);
    two += one;
  }
  store<u32>(out, <u32>((two % 65535) << 16 | (one % 65535)));
}

// @ts-ignore: decorator
@inline function total(v: v128): u64 {
  return <u64><u32>i32x4.extract_lane(v, 0) + <u64><u32>i32x4.extract_lane(v, 1) + <u64><u32>i32x4.extract_lane(v, 2) +
    <u64><u32>i32x4.extract_lane(v, 3);
}

/** Lanes times first, first − 1, … */
// @ts-ignore: decorator
@inline function weighted(v: v128, first: u64): u64 {
  return <u64><u32>i32x4.extract_lane(v, 0) * first + <u64><u32>i32x4.extract_lane(v, 1) * (first - 1) +
    <u64><u32>i32x4.extract_lane(v, 2) * (first - 2) + <u64><u32>i32x4.extract_lane(v, 3) * (first - 3);
}

/**
 * 16 vectors at a time, in 16 bits: sums of pairs of bytes (`pairs`), of those before each vector (`earlier`), of the first
 * of each pair (`firsts`). In a vector the bytes count 16, 15, …: a pair counts as its second byte does, the first once more.
 */
// @ts-ignore: decorator
@inline export function adler32<T>(out: usize, data: usize, n: i32): void {
  let one: u64 = 1, two: u64 = 0;
  let p = data, left = n;
  const seconds = i16x8(15, 13, 11, 9, 7, 5, 3, 1), first = i16x8.splat(0xff), once = i16x8.splat(1);
  while (left >= 256) {
    const blocks = min(left >> 8, 256); // 256² / 2 · 64 · 255 fits 32 bits
    let seen = i32x4.splat(0), before = seen, inside = seen;
    for (let b = 0; b < blocks; b++) {
      let pairs = i16x8.splat(0), earlier = pairs, firsts = pairs;
      for (const stop = p + 256; p < stop; p += 32) {
        const v = v128.load(p), w = v128.load(p, 16);
        earlier = i16x8.add(earlier, pairs);
        pairs = i16x8.add(pairs, i16x8.extadd_pairwise_i8x16_u(v));
        earlier = i16x8.add(earlier, pairs);
        pairs = i16x8.add(pairs, i16x8.extadd_pairwise_i8x16_u(w));
        firsts = i16x8.add(firsts, i16x8.add(v128.and(v, first), v128.and(w, first)));
      }
      before = i32x4.add(before, seen);
      seen = i32x4.add(seen, i32x4.extadd_pairwise_i16x8_u(pairs));
      inside = i32x4.add(inside, i32x4.shl(i32x4.extadd_pairwise_i16x8_u(earlier), 4));
      inside = i32x4.add(inside, i32x4.add(i32x4.dot_i16x8_s(pairs, seconds), i32x4.dot_i16x8_s(firsts, once)));
    }
    two = (two + one * (256 * <u64>blocks) + 256 * total(before) + total(inside)) % 65521;
    one = (one + total(seen)) % 65521;
    left -= blocks << 8;
  }
  for (; left > 0; left--, p++) {
    one += load<u8>(p);
    two += one;
  }
  store<u32>(out, <u32>((two % 65521) << 16 | (one % 65521)));
}
