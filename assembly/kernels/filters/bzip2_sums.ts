// The checksum of bzip2: CRC-32 with its highest bit first (polynomial 04c11db7), eight bytes at a time.
//
// `sums` has eight tables of 256: table k has the sum of a byte that k zero bytes follow.

/** Bytes of the tables. */
export const SUM_BYTES: usize = 8192;

export function makeSums(sums: usize): void {
  for (let i: u32 = 0; i < 256; i++) {
    let sum = i << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum << 1 ^ (sum >> 31) * 0x04c11db7;
    store<u32>(sums + (<usize>i << 2), sum);
  }
  for (let p = sums, end = sums + SUM_BYTES - 1024; p < end; p += 4) {
    const sum = load<u32>(p);
    store<u32>(p, sum << 8 ^ entry(sums, sum >> 24), 1024);
  }
}

// @ts-ignore: decorator
@inline function entry(table: usize, byte: u32): u32 {
  return load<u32>(table + (<usize>byte << 2));
}

/** The sum of the bytes from `p` to `end`. */
export function sumOf(sums: usize, p: usize, end: usize): u32 {
  let sum: u32 = 0xffffffff;
  for (; p + 8 <= end; p += 8) {
    const a = load<u32>(p) ^ bswap<u32>(sum), b = load<u32>(p, 4);
    sum = entry(sums + 7168, a & 255) ^ entry(sums + 6144, a >> 8 & 255) ^ entry(sums + 5120, a >> 16 & 255) ^
      entry(sums + 4096, a >> 24) ^ entry(sums + 3072, b & 255) ^ entry(sums + 2048, b >> 8 & 255) ^
      entry(sums + 1024, b >> 16 & 255) ^ entry(sums, b >> 24);
  }
  for (; p < end; p++) sum = sum << 8 ^ entry(sums, sum >> 24 ^ <u32>load<u8>(p));
  return ~sum;
}
