// Bits of the entropy-coded part of a JPEG image, the highest first, as scans keep them between calls and within one.
//
//   state  i32: byte | bit of it that comes next | units to the next restart | blocks without further coefficients | 4 × DC
//   spare  u64 bits, the next one the highest | u32 valid ones | u32 zeros among them that are not in the image
//          | u32 next byte | u32 end | 80 × u8: twice the place of each coefficient, the last one seventeen times
//
// FF 00 stands for FF; FF and anything else is a marker, where the bits end. Beyond it come zeros; units that needed some of
// them are an error. What lies below the valid bits is what follows in the image, or zero: more bits are or'ed to it.

import { INPUT_ENDS, NO_CODE } from "../filters/unpacking";

/** A block has more than 64 coefficients. */
export const TOO_MANY: i32 = -8;
/** There is no restart marker where one must be. */
export const NO_MARKER: i32 = -9;

export const LEFT: usize = 8; // of `state`
export const RUN: usize = 12;
export const BEFORE: usize = 16;

export const BITS: usize = 0; // of `spare`
export const COUNT: usize = 8;
export const INVENTED: usize = 12;
export const NEXT: usize = 16;
export const END: usize = 20;
export const NATURAL: usize = 24;

export const QUICK: u64 = 10; // bits of one look-up
export const ENDS: usize = 4096; // of a code: `jpeg_codes` says what is there
export const OFFSETS: usize = ENDS + 72;
export const SYMBOLS: usize = OFFSETS + 72;

/** Begins where the last call ended. */
export function begin(spare: usize, state: usize, src: usize, length: i32): void {
  const at = min<u32>(load<u32>(state), length);
  store<u32>(spare, <u32>src + at, NEXT);
  store<u32>(spare, <u32>src + length, END);
  store<u64>(spare, 0, BITS);
  store<u64>(spare, 0, COUNT);
  const used = load<u32>(state, 4) & 7;
  if (used == 0) return;
  fill(spare);
  drop(spare, used);
}

/** Twice the places of coefficients in the order in which they are stored. */
export function natural(spare: usize): void {
  const to = spare + NATURAL;
  v128.store(to, i8x16(0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10));
  v128.store(to, i8x16(24, 38, 52, 66, 80, 96, 82, 68, 54, 40, 26, 12, 14, 28, 42, 56), 16);
  v128.store(to, i8x16(70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102), 32);
  v128.store(to, i8x16(116, 118, 104, 90, 76, 62, 78, 92, 106, 120, 122, 108, 94, 110, 124, 126), 48);
  v128.store(to, i8x16.splat(126), 64);
}

/** Makes more than 56 bits valid, byte by byte. */
export function fill(spare: usize): void {
  let bits = load<u64>(spare, BITS), count = load<u32>(spare, COUNT), p: usize = load<u32>(spare, NEXT);
  const end: usize = load<u32>(spare, END);
  while (count <= 56) {
    if (p < end && (load<u8>(p) != 0xff || (p + 1 < end && load<u8>(p, 1) == 0))) {
      const byte = <u64>load<u8>(p);
      bits |= byte << <u64>(56 - count);
      p += 1 + <usize>(byte == 0xff);
    } else store<u32>(spare, load<u32>(spare, INVENTED) + 8, INVENTED);
    count += 8;
  }
  store<u64>(spare, bits, BITS);
  store<u32>(spare, count, COUNT);
  store<u32>(spare, <u32>p, NEXT);
}

/** Takes `n` bits that are valid, fewer than 64. */
// @ts-ignore: decorator
@inline export function drop(spare: usize, n: u32): void {
  store<u64>(spare, load<u64>(spare, BITS) << <u64>n, BITS);
  store<u32>(spare, load<u32>(spare, COUNT) - n, COUNT);
}

/** The next `n` bits, 0 to 16. */
export function take(spare: usize, n: u32): i32 {
  if (n == 0) return 0;
  if (load<u32>(spare, COUNT) < n) fill(spare);
  const value = <i32>(load<u64>(spare, BITS) >> <u64>(64 - n));
  drop(spare, n);
  return value;
}

/** A signed number of `n` bits, 0 to 16: those that begin with 0 are negative. */
export function signed(spare: usize, n: u32): i32 {
  const value = take(spare, n);
  return n > 0 && value >> <i32>(n - 1) == 0 ? value - (1 << n) + 1 : value;
}

/** The next symbol of a code; -1: there is none. */
export function symbol(spare: usize, code: usize): i32 {
  if (load<u32>(spare, COUNT) < 16) fill(spare);
  const bits = load<u64>(spare, BITS), entry = load<u32>(code + (<usize>(bits >> (64 - QUICK)) << 2));
  if (entry != 0) {
    const found = entry >> 8 & 255;
    drop(spare, (entry & 255) - (entry >> 16 != 0 ? found & 15 : 0));
    return found;
  }
  const found = coded(code, bits);
  if (found != 0) drop(spare, found >> 8);
  return found == 0 ? -1 : found & 255;
}

/** Length and symbol, `length << 8 | symbol`, of the code that `bits` begin with; 0: there is none. */
export function coded(code: usize, bits: u64): u32 {
  const next = <u32>(bits >> 48);
  for (let length: u32 = 1; length <= 16; length++) {
    const at = code + <usize>length * 4;
    if (next < load<u32>(at, ENDS)) {
      return length << 8 | <u32>load<u8>(code + <usize>((next >> (16 - length)) + load<u32>(at, OFFSETS) & 255), SYMBOLS);
    }
  }
  return 0;
}

/** Whether bits were taken that are not in the image. */
// @ts-ignore: decorator
@inline export function isCut(spare: usize): bool {
  return load<u32>(spare, INVENTED) > load<u32>(spare, COUNT);
}

/** Where the next bit is, eight times its byte plus the bits of it that were taken, if `count` of those before byte `p` are left. */
export function place(p: usize, count: i32, src: usize): u64 {
  for (let whole = count + 7 >> 3; whole > 0 && p > src; whole--) {
    p -= 1 + <usize>(p > src + 1 && load<u8>(p - 1) == 0 && load<u8>(p - 2) == 0xff);
  }
  return <u64>(p - src) << 3 | <u64>(-count & 7);
}

/** Where the next bit is, as `place` gives it. */
export function here(spare: usize, src: usize): u64 {
  return place(load<u32>(spare, NEXT), <i32>(load<u32>(spare, COUNT) - load<u32>(spare, INVENTED)), src);
}

/** Keeps where the next call begins. */
export function keep(spare: usize, state: usize, src: usize): void {
  const at = here(spare, src);
  store<u32>(state, <u32>(at >> 3));
  store<u32>(state, <u32>at & 7, 4);
}

/** Goes on behind the next restart marker, and forgets what was before; 0, or an error. */
export function restart(spare: usize, state: usize, src: usize, interval: i32): i32 {
  if (isCut(spare)) return INPUT_ENDS;
  const at = here(spare, src), end: usize = load<u32>(spare, END);
  let p = src + <usize>(at >> 3);
  if ((at & 7) != 0) p += 1 + <usize>(load<u8>(p) == 0xff);
  while (p + 1 < end && (load<u8>(p) != 0xff || load<u8>(p, 1) == 0 || load<u8>(p, 1) == 0xff)) p++;
  if (p + 1 >= end || (load<u8>(p, 1) & 0xf8) != 0xd0) return NO_MARKER;
  store<u32>(spare, <u32>p + 2, NEXT);
  store<u64>(spare, 0, BITS);
  store<u64>(spare, 0, COUNT);
  store<i32>(state, interval, LEFT);
  store<i32>(state, 0, RUN);
  v128.store(state, i32x4.splat(0), BEFORE);
  return 0;
}

/** Ends with an error of the unit that began at `at`. */
export function failed(status: usize, code: i32, at: u64): void {
  store<i32>(status, code);
  store<i32>(status, <i32>(at >> 3), 4);
}

export { INPUT_ENDS, NO_CODE };
