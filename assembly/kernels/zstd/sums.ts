// XXH64 with seed 0, of which a frame has the lower half behind it.

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

// @ts-ignore: decorator
@inline function round(sum: u64, eight: u64): u64 {
  return rotl<u64>(sum + eight * P2, 31) * P1;
}

// @ts-ignore: decorator
@inline function merge(hash: u64, sum: u64): u64 {
  return (hash ^ round(0, sum)) * P1 + P4;
}

/** The hash of the bytes from `p` to `end`. */
export function xxh64(p: usize, end: usize): u64 {
  const length = <u64>(end - p);
  let hash = P5;
  if (length >= 32) {
    let a = P1 + P2, b = P2, c: u64 = 0, d: u64 = 0 - P1;
    for (const wide = end - 32; p <= wide; p += 32) {
      a = round(a, load<u64>(p));
      b = round(b, load<u64>(p, 8));
      c = round(c, load<u64>(p, 16));
      d = round(d, load<u64>(p, 24));
    }
    hash = rotl<u64>(a, 1) + rotl<u64>(b, 7) + rotl<u64>(c, 12) + rotl<u64>(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += length;
  for (; p + 8 <= end; p += 8) hash = rotl<u64>(hash ^ round(0, load<u64>(p)), 27) * P1 + P4;
  if (p + 4 <= end) {
    hash = rotl<u64>(hash ^ <u64>load<u32>(p) * P1, 23) * P2 + P3;
    p += 4;
  }
  for (; p < end; p++) hash = rotl<u64>(hash ^ <u64>load<u8>(p) * P5, 11) * P1;
  hash = (hash ^ hash >> 33) * P2;
  hash = (hash ^ hash >> 29) * P3;
  return hash ^ hash >> 32;
}
