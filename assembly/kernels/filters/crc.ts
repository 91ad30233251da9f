// CRC-32 of any reversed polynomial, eight bytes a step: table k has the remainders of a byte that k others follow.
// WebAssembly has no instruction for it, and a module of kernels no data: the tables are made in each call (2 µs).

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
  for (; p < body; p += 8) {
    const a = load<u32>(p) ^ sum, b = load<u32>(p, 4);
    sum = restOf(tables, 7, a) ^ restOf(tables, 6, a >> 8) ^ restOf(tables, 5, a >> 16) ^ restOf(tables, 4, a >> 24) ^
      restOf(tables, 3, b) ^ restOf(tables, 2, b >> 8) ^ restOf(tables, 1, b >> 16) ^ restOf(tables, 0, b >> 24);
  }
  for (; p < end; p++) sum = restOf(tables, 0, sum ^ load<u8>(p)) ^ sum >> 8;
  store<u32>(out, ~sum);
}

// @ts-ignore: decorator
@inline function restOf(tables: usize, table: usize, byte: u32): u32 {
  return load<u32>(tables + (table << 10) + <usize>((byte & 255) << 2));
}
