// Blocks of one scan of a progressive image, which adds to their coefficients `first` to `last`: their bits from `low` on if
// `high` is 0, otherwise bit `low`, which refines what is there. `plan` is that of `scan.ts`. It has no fast paths: such tiles are rare.

import {
  BEFORE, begin, failed, here, INPUT_ENDS, isCut, keep, LEFT, natural, NATURAL, NO_CODE, restart, RUN, signed, symbol, take, TOO_MANY,
} from "./bits";

// @ts-ignore: decorator
@inline export function jpegPass<T>(
  status: usize, state: usize, blocks: usize, src: usize, length: i32, codes: usize, plan: usize, parts: i32, units: i32, interval: i32,
  first: i32, last: i32, high: i32, low: i32, spare: usize,
): void {
  begin(spare, state, src, length);
  natural(spare);
  for (let unit = 0; unit < units; unit++) {
    let code = 0;
    const at = here(spare, src);
    if (interval > 0) {
      if (load<i32>(state, LEFT) == 0) code = restart(spare, state, src, interval);
      if (code != 0) { failed(status, code, at); return; }
      store<i32>(state, load<i32>(state, LEFT) - 1, LEFT);
    }
    const start = here(spare, src);
    for (let part = 0; part < parts; part++) {
      const item = plan + 24 * part;
      const across = load<i32>(item, 8), down = load<i32>(item, 12), row = load<i32>(item, 4);
      const dc = codes + load<i32>(item, 16), ac = codes + load<i32>(item, 20);
      for (let i = 0; i < across * down; i++) {
        const block = blocks + 128 * <usize>(load<i32>(item) + i / across * row + unit * across + i % across);
        if (first > 0) code = high == 0 ? firstBits(spare, state, block, ac, first, last, low) : moreBits(spare, state, block, ac, first, last, low);
        else if (high != 0) store<i16>(block, <i16>(load<i16>(block) | take(spare, 1) << low));
        else code = firstOf(spare, state + 4 * part, block, dc, low);
        if (code != 0) { failed(status, code, start); return; }
      }
    }
    if (isCut(spare)) { failed(status, INPUT_ENDS, start); return; }
  }
  keep(spare, state, src);
  store<i32>(status, 0);
  store<i32>(status, 0, 4);
}

/** The first coefficient. */
function firstOf(spare: usize, before: usize, block: usize, code: usize, low: i32): i32 {
  const size = symbol(spare, code);
  if (size < 0 || size > 16) return NO_CODE;
  const value = load<i32>(before, BEFORE) + signed(spare, size);
  store<i32>(before, value, BEFORE);
  store<i16>(block, <i16>(value << low));
  return 0;
}

/** The first bits of the others; a symbol may end this block and further ones. */
function firstBits(spare: usize, state: usize, block: usize, code: usize, first: i32, last: i32, low: i32): i32 {
  const run = load<i32>(state, RUN);
  if (run > 0) {
    store<i32>(state, run - 1, RUN);
    return 0;
  }
  for (let k = first; k <= last; k++) {
    const found = symbol(spare, code), zeros = found >> 4, size = found & 15;
    if (found < 0) return NO_CODE;
    if (size == 0 && zeros < 15) {
      store<i32>(state, (1 << zeros) - 1 + take(spare, zeros), RUN);
      return 0;
    }
    k += zeros;
    if (size == 0) continue;
    if (k > last) return TOO_MANY;
    store<i16>(placeOf(spare, block, k), <i16>(signed(spare, size) << low));
  }
  return 0;
}

/** One more bit of coefficients that are known, and the first bits of those that were 0 so far. */
function moreBits(spare: usize, state: usize, block: usize, code: usize, first: i32, last: i32, low: i32): i32 {
  const bit = 1 << low;
  let k = first;
  if (load<i32>(state, RUN) == 0) {
    for (; k <= last; k++) {
      const found = symbol(spare, code), size = found & 15;
      let zeros = found >> 4, value = 0;
      if (found < 0 || size > 1) return NO_CODE;
      if (size == 1) value = take(spare, 1) ? bit : -bit;
      else if (zeros < 15) {
        store<i32>(state, (1 << zeros) + take(spare, zeros), RUN);
        break;
      }
      for (; k <= last; k++) {
        const at = placeOf(spare, block, k);
        if (load<i16>(at) != 0) refine(spare, at, bit);
        else if (zeros-- == 0) break;
      }
      if (value == 0) continue;
      if (k > last) return TOO_MANY;
      store<i16>(placeOf(spare, block, k), <i16>value);
    }
  }
  const run = load<i32>(state, RUN);
  if (run > 0) {
    for (; k <= last; k++) {
      const at = placeOf(spare, block, k);
      if (load<i16>(at) != 0) refine(spare, at, bit);
    }
    store<i32>(state, run - 1, RUN);
  }
  return 0;
}

// @ts-ignore: decorator
@inline function placeOf(spare: usize, block: usize, k: i32): usize {
  return block + load<u8>(spare + k, NATURAL);
}

function refine(spare: usize, at: usize, bit: i32): void {
  const value = <i32>load<i16>(at);
  if (take(spare, 1) != 0 && (value & bit) == 0) store<i16>(at, <i16>(value > 0 ? value + bit : value - bit));
}
