// CRC-32 of any reversed polynomial, eight bytes a step: table k has the remainders of a byte that k others follow.
// WebAssembly has no instruction for it, and a module of kernels no data: the tables are made in each call (2 µs).
//
// A step waits for the one before it. Long data are two halves, which do not wait for each other: the sum of both is that of
// the first one, multiplied by x to the power of the bits of the second, and that of the second.

/** Bytes for which two halves pay. */
const MANY: i32 = 4096;

// @ts-ignore: decorator
@inline export function crc<T>(out: usize, data: usize, n: i32, polynomial: u32, tables: usize): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest >> 1 ^ (polynomial & (0 - (rest & 1)));
    store<u32>(tables + (<usize>byte << 2), rest);
  }
  for (let at: usize = 1024; at < 8192; at += 4) {
    const before = load<u32>(tables + at - 1024);
    store<u32>(tables + at, load<u32>(tables + ((before & 255) << 2)) ^ before >> 8);
  }
  let sum: u32 = 0xffffffff, p = data;
  const end = data + n, body = data + (n & ~7);
  if (n >= MANY) {
    const half = <usize>(n >> 4 << 3), middle = data + half;
    let other: u32 = 0;
    for (; p < middle; p += 8) {
      sum = step(tables, p, sum);
      other = step(tables, p + half, other);
    }
    sum = product(sum, power(half, polynomial), polynomial) ^ other;
    p += half;
  }
  for (; p < body; p += 8) sum = step(tables, p, sum);
  for (; p < end; p++) sum = restOf(tables, 0, sum ^ load<u8>(p)) ^ sum >> 8;
  store<u32>(out, ~sum);
}

// @ts-ignore: decorator
@inline function restOf(tables: usize, table: usize, byte: u32): u32 {
  return load<u32>(tables + (table << 10) + <usize>((byte & 255) << 2));
}

/** The sum after eight more bytes. */
// @ts-ignore: decorator
@inline function step(tables: usize, p: usize, sum: u32): u32 {
  const a = load<u32>(p) ^ sum, b = load<u32>(p, 4);
  return restOf(tables, 7, a) ^ restOf(tables, 6, a >> 8) ^ restOf(tables, 5, a >> 16) ^ restOf(tables, 4, a >> 24) ^
    restOf(tables, 3, b) ^ restOf(tables, 2, b >> 8) ^ restOf(tables, 1, b >> 16) ^ restOf(tables, 0, b >> 24);
}

/** The product of two polynomials; the highest bit is that of x⁰. */
function product(a: u32, b: u32, polynomial: u32): u32 {
  let sum: u32 = 0;
  for (; a != 0; a <<= 1) {
    if (a & 0x80000000) sum ^= b;
    b = b >> 1 ^ (polynomial & (0 - (b & 1)));
  }
  return sum;
}

/** x to the power of the bits of `n` bytes. */
function power(n: usize, polynomial: u32): u32 {
  let all: u32 = 0x80000000, square: u32 = 0x00800000;
  for (; n != 0; n >>= 1) {
    if (n & 1) all = product(all, square, polynomial);
    square = product(square, square, polynomial);
  }
  return all;
}
