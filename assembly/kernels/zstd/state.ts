// Where everything lies at `tables`, and bits that are read from the end of a stream to its beginning.
//
//   stream    … bits, lowest first, then a 1 and zeros up to a whole byte; read from that 1 on, downwards
//   place     the number of bits that are left; the next ones lie below it
//
// Seven bytes before a stream are read as well: the input always has them, because a frame begins with nine bytes at least.

export const WEIGHTS: usize = 0; // u8[256], of the Huffman code
export const COUNTS: usize = 256; // i16[64], of the states of each symbol
export const NEXT: usize = 384; // u16[64]
export const MEANINGS: usize = 512; // u64[64], of symbols
export const WEIGHT_STATES: usize = 1024; // u64[64]
export const LITERALS: usize = 1536; // u16[2048], the Huffman code
export const LENGTHS: usize = 5632; // u64[512], states of lengths of literals
export const OFFSETS: usize = 9728; // u64[256]
export const MATCHES: usize = 11776; // u64[512]
export const LOG: usize = 15872; // u32, of the table that was read last
export const LOGS: usize = 15876; // u32[3]: lengths, offsets, matches; with HAS_TABLE if they may be repeated
export const HAS_CODE: usize = 15888; // u32, whether LITERALS may be repeated
export const REPEATS: usize = 15892; // u32[3], the last offsets
export const LITERALS_AT: usize = 15904; // u32, where the literals of a block lie
export const LITERALS_END: usize = 15908; // u32
export const TO: usize = 15912; // u32, where the output ends so far
export const MASKS: usize = 15920; // u32[32], as many ones
export const PAIRS: usize = 16384; // u32[2048], one or two bytes at a time

/** A bit of LOGS: there is a table. */
export const HAS_TABLE: u32 = 256;

/** The next bits, highest first: 56 of them at least, if so many are left. */
// @ts-ignore: decorator
@inline export function bitsAt(stream: usize, place: i32): u64 {
  return load<u64>(stream + (place >> 3) - 7) << <u64>(8 - (place & 7));
}

/** The first `n` of `bits`, 0 to 63; only the lowest six bits of `n` count, as in all shifts of 64 bits. */
// @ts-ignore: decorator
@inline export function first(bits: u64, n: u64): u32 {
  return <u32>(bits >> 1 >> ~n);
}

/** The number of bits of a stream; negative if the last byte has no 1. */
export function lengthOfStream(stream: usize, end: usize): i32 {
  if (end <= stream) return -1;
  const last = <u32>load<u8>(end - 1);
  return last == 0 ? -1 : <i32>((end - stream) << 3) - <i32>clz(last) + 23;
}
