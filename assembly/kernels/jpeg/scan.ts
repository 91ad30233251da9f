// Blocks of a sequential scan: per block the difference of its first coefficient, then pairs of zeros and a coefficient.
//
//   plan  per part of a unit 6 × i32: its first block | blocks per row | across | down | where its DC code lies | its AC code
//
// The bits stay in variables: 64 at most, at least 32 when a code begins, so that it and the number behind it (16 + 16) are
// there. Eight bytes without an FF are taken at once; others, about one in 32, byte by byte. Most codes are found together
// with their number in one look-up.

import {
  BEFORE, begin, BITS, coded, COUNT, END, failed, fill, INPUT_ENDS, INVENTED, isCut, keep, LEFT, natural, NATURAL, NEXT, NO_CODE, place,
  QUICK, restart, TOO_MANY,
} from "./bits";

const ONES: u64 = 0x0101010101010101, HIGHS: u64 = 0x8080808080808080;

// @ts-ignore: decorator
@inline export function jpegScan<T>(
  status: usize, state: usize, blocks: usize, src: usize, length: i32, codes: usize, plan: usize, parts: i32, units: i32, interval: i32, spare: usize,
): void {
  begin(spare, state, src, length);
  natural(spare);
  const end = src + length;
  let bits = load<u64>(spare, BITS), count = <u64>load<u32>(spare, COUNT), p: usize = load<u32>(spare, NEXT);
  for (let unit = 0; unit < units; unit++) {
    if (interval > 0) {
      if (load<i32>(state, LEFT) == 0) {
        store<u64>(spare, bits, BITS);
        store<u32>(spare, <u32>count, COUNT);
        store<u32>(spare, <u32>p, NEXT);
        const code = restart(spare, state, src, interval);
        if (code != 0) { failed(status, code, place(p, <i32>count - load<i32>(spare, INVENTED), src)); return; }
        bits = count = 0;
        p = load<u32>(spare, NEXT);
      }
      store<i32>(state, load<i32>(state, LEFT) - 1, LEFT);
    }
    const first = p, rest = <i32>count - load<i32>(spare, INVENTED); // where this unit begins
    for (let part = 0; part < parts; part++) {
      const item = plan + 24 * part;
      const across = load<i32>(item, 8), down = load<i32>(item, 12), row = load<i32>(item, 4);
      const dc = codes + load<i32>(item, 16), ac = codes + load<i32>(item, 20), before = state + 4 * part;
      for (let i = 0; i < across * down; i++) {
        const block = blocks + 128 * <usize>(load<i32>(item) + i / across * row + unit * across + i % across);
        for (let at: usize = 0; at < 128; at += 32) {
          v128.store(block + at, i32x4.splat(0));
          v128.store(block + at, i32x4.splat(0), 16);
        }
        let k: usize = 0, table = dc, symbol: u64 = 0;
        do {
          if (count < 32) {
            const next = p + 8 <= end ? load<u64>(p) : ~(<u64>0);
            if ((~next - ONES & next & HIGHS) == 0) {
              bits |= bswap<u64>(next) >> count;
              const more = 63 - count >> 3;
              p += <usize>more;
              count += more << 3;
            } else {
              store<u64>(spare, bits, BITS);
              store<u32>(spare, <u32>count, COUNT);
              store<u32>(spare, <u32>p, NEXT);
              fill(spare);
              bits = load<u64>(spare, BITS);
              count = load<u32>(spare, COUNT);
              p = load<u32>(spare, NEXT);
            }
          }
          const entry = <u64>load<u32>(table + (<usize>(bits >> (64 - QUICK)) << 2));
          let value: i32;
          if (entry >> 16 != 0) {
            bits <<= entry & 63;
            count -= entry & 255;
            symbol = entry >> 8 & 255;
            value = <i32>entry >> 16;
            if (k > 0) {
              k += <usize>(symbol >> 4);
              store<i16>(block + load<u8>(spare + k, NATURAL), <i16>value);
              k++;
              continue;
            }
          } else {
            const found = entry != 0 ? (entry & 255) << 8 | entry >> 8 : <u64>coded(table, bits);
            if (found == 0) { failed(status, NO_CODE, place(first, rest, src)); return; }
            bits <<= found >> 8;
            count -= found >> 8;
            symbol = found & 255;
            let size = symbol & 15;
            if (k == 0) size = symbol;
            else if (size == 0) {
              if (symbol != 0xf0) break;
              k = min<usize>(64, k + 16);
              continue;
            } else k += <usize>(symbol >> 4);
            if (size > 16) { failed(status, NO_CODE, place(first, rest, src)); return; }
            value = 0;
            if (size > 0) {
              const isLow = <i32>(<i64>bits >> 63) + 1; // begins with 0
              value = <i32>(bits >> (64 - size)) - isLow * ((1 << <i32>size) - 1);
              bits <<= size;
              count -= size;
            }
            if (k > 0) {
              store<i16>(block + load<u8>(spare + k, NATURAL), <i16>value);
              k++;
              continue;
            }
          }
          if (symbol > 16) { failed(status, NO_CODE, place(first, rest, src)); return; }
          value += load<i32>(before, BEFORE);
          store<i32>(before, value, BEFORE);
          store<i16>(block, <i16>value);
          k = 1;
          table = ac;
        } while (k < 64);
        if (k > 64) { failed(status, TOO_MANY, place(first, rest, src)); return; }
      }
    }
    if (load<u32>(spare, INVENTED) > <u32>count) { failed(status, INPUT_ENDS, place(first, rest, src)); return; }
  }
  store<u64>(spare, bits, BITS);
  store<u32>(spare, <u32>count, COUNT);
  store<u32>(spare, <u32>p, NEXT);
  keep(spare, state, src);
  store<i32>(status, 0);
  store<i32>(status, 0, 4);
}
