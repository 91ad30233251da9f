// Samples of a lossless scan: each as the difference from a prediction.
//
//   c b    1: a   2: b   3: c   4: a + b - c   5: a + (b - c >> 1)   6: b + (a - c >> 1)   7: a + b >> 1
//   a x    In the first row, and after a restart, samples are predicted from their left; the first of a row from above.
//
//   plan  per part of a scan 2 × i32: the component | where its code lies

import {
  begin, BITS, coded, COUNT, END, failed, fill, INPUT_ENDS, INVENTED, keep, LEFT, NEXT, NO_CODE, place, QUICK, restart,
} from "./bits";

const ONES: u64 = 0x0101010101010101, HIGHS: u64 = 0x8080808080808080;

// @ts-ignore: decorator
@inline export function jpegLossless<T>(
  status: usize, state: usize, out: usize, src: usize, length: i32, codes: usize, plan: usize, parts: i32, rows: i32, width: i32, count: i32,
  interval: i32, predictor: i32, bits: i32, spare: usize,
): void {
  begin(spare, state, src, length);
  const end = src + length, step = <usize>count * sizeof<T>(), stride = step * width, middle = <i32>1 << bits - 1;
  let buffer = load<u64>(spare, BITS), valid = <u64>load<u32>(spare, COUNT), p: usize = load<u32>(spare, NEXT);
  let isFirst = true, to = out;
  for (let row = 0; row < rows; row++) {
    const first = p, rest = <i32>valid - load<i32>(spare, INVENTED); // where this row begins
    for (let x = 0; x < width; x++, to += step) {
      if (interval > 0) {
        if (load<i32>(state, LEFT) == 0) {
          store<u64>(spare, buffer, BITS);
          store<u32>(spare, <u32>valid, COUNT);
          store<u32>(spare, <u32>p, NEXT);
          const code = restart(spare, state, src, interval);
          if (code != 0) { failed(status, code, place(first, rest, src)); return; }
          buffer = valid = 0;
          p = load<u32>(spare, NEXT);
          isFirst = true;
        }
        store<i32>(state, load<i32>(state, LEFT) - 1, LEFT);
      }
      for (let part = 0; part < parts; part++) {
        const item = plan + 8 * part, at = to + <usize>load<i32>(item) * sizeof<T>(), table = codes + load<i32>(item, 4);
        if (valid < 32) {
          const next = p + 8 <= end ? load<u64>(p) : ~(<u64>0);
          if ((~next - ONES & next & HIGHS) == 0) {
            buffer |= bswap<u64>(next) >> valid;
            const more = 63 - valid >> 3;
            p += <usize>more;
            valid += more << 3;
          } else {
            store<u64>(spare, buffer, BITS);
            store<u32>(spare, <u32>valid, COUNT);
            store<u32>(spare, <u32>p, NEXT);
            fill(spare);
            buffer = load<u64>(spare, BITS);
            valid = load<u32>(spare, COUNT);
            p = load<u32>(spare, NEXT);
          }
        }
        const entry = <u64>load<u32>(table + (<usize>(buffer >> (64 - QUICK)) << 2));
        let value: i32 = 0, size: u64 = 0;
        if (entry >> 16 != 0) {
          buffer <<= entry & 63;
          valid -= entry & 255;
          size = entry >> 8 & 255;
          value = <i32>entry >> 16;
        } else {
          const found = entry != 0 ? (entry & 255) << 8 | entry >> 8 : <u64>coded(table, buffer);
          size = found & 255;
          if (found == 0) size = 17;
          buffer <<= found >> 8;
          valid -= found >> 8;
          if (size == 16) value = 32768;
          else if (size > 0 && size < 16) {
            const isLow = <i32>(<i64>buffer >> 63) + 1; // begins with 0
            value = <i32>(buffer >> (64 - size)) - isLow * ((1 << <i32>size) - 1);
            buffer <<= size;
            valid -= size;
          }
        }
        if (size > 16) { failed(status, NO_CODE, place(first, rest, src)); return; }
        if (isFirst) value += x == 0 ? middle : <i32>load<T>(at - step);
        else if (x == 0) value += <i32>load<T>(at - stride);
        else if (predictor == 1) value += <i32>load<T>(at - step);
        else value += predicted(predictor, <i32>load<T>(at - step), <i32>load<T>(at - stride), <i32>load<T>(at - stride - step));
        store<T>(at, <T>value);
      }
    }
    isFirst = false;
    if (load<u32>(spare, INVENTED) > <u32>valid) { failed(status, INPUT_ENDS, place(first, rest, src)); return; }
  }
  store<u64>(spare, buffer, BITS);
  store<u32>(spare, <u32>valid, COUNT);
  store<u32>(spare, <u32>p, NEXT);
  keep(spare, state, src);
  store<i32>(status, 0);
  store<i32>(status, 0, 4);
}

// @ts-ignore: decorator
@inline function predicted(predictor: i32, a: i32, b: i32, c: i32): i32 {
  switch (predictor) {
    case 1: return a;
    case 2: return b;
    case 3: return c;
    case 4: return a + b - c;
    case 5: return a + (b - c >> 1);
    case 6: return b + (a - c >> 1);
    case 7: return a + b >> 1;
    default: return 0;
  }
}
