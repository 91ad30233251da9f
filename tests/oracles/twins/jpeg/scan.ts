/**
 * Reference kernels for scans of sequential and progressive JPEG images: from bits to coefficients.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { type Bits, NATURAL, readBits, Stop } from "./bits.ts";
import { STOPPED } from "../../../../src/kernels/families/jpeg_stops.ts";

/** A block, and what its part has. */
interface Block {
  readonly coefficients: DataView;
  readonly part: number;
  readonly dc: DataView;
  readonly ac: DataView;
}

/** Sequential images. */
export function jpegScan(memory: WebAssembly.Memory): KernelFamilies["jpeg_scan"] {
  return (status, state, blocks, src, length, codes, plan, parts, units, interval, _spare) =>
    readBits(memory, [status, state, src, length], (bits, place) => {
      const each = blocksOf(memory, blocks, codes, plan, parts);
      for (let unit = 0; unit < units; unit++) {
        place(bits.place);
        bits.unit(interval);
        place(bits.place);
        for (const block of each(unit)) sequential(bits, block);
        if (bits.isCut) throw new Stop(STOPPED.inputEnds);
      }
    });
}

/** The blocks of a unit. */
function blocksOf(memory: WebAssembly.Memory, blocks: number, codes: number, plan: number, parts: number) {
  const view = new DataView(memory.buffer);
  return function* (unit: number): Generator<Block> {
    for (let part = 0; part < parts; part++) {
      const [first = 0, row = 0, across = 0, down = 0, dc = 0, ac = 0] = Array.from(
        { length: 6 },
        (_, i) => view.getInt32(plan + 24 * part + 4 * i, true),
      );
      for (let i = 0; i < across * down; i++) {
        const n = first + Math.floor(i / across) * row + unit * across + i % across;
        yield {
          coefficients: new DataView(memory.buffer, blocks + 128 * n, 128),
          part,
          dc: new DataView(memory.buffer, codes + dc),
          ac: new DataView(memory.buffer, codes + ac),
        };
      }
    }
  };
}

function sequential(bits: Bits, { coefficients, part, dc, ac }: Block): void {
  for (let k = 0; k < 64; k++) coefficients.setInt16(2 * k, 0, true);
  coefficients.setInt16(0, firstOf(bits, part, dc), true);
  for (let k = 1; k < 64; k++) {
    const symbol = bits.symbol(ac), size = symbol & 15;
    if (symbol !== 0xf0 && size === 0) return;
    k += symbol >> 4;
    if (size === 0) continue;
    coefficients.setInt16(2 * NATURAL[k]!, bits.signed(size), true);
    if (k > 63) throw new Stop(STOPPED.tooMany);
  }
}

/** The first coefficient: the last one of its part, and a difference. */
function firstOf(bits: Bits, part: number, code: DataView): number {
  const size = bits.symbol(code);
  if (size > 16) throw new Stop(STOPPED.noCode);
  return bits.state[4 + part]! += bits.signed(size);
}

/** The coefficients of a pass. */
interface Range {
  readonly first: number;
  readonly last: number;
  readonly low: number;
}

/** Progressive images. */
export function jpegPass(memory: WebAssembly.Memory): KernelFamilies["jpeg_pass"] {
  return (
    status,
    state,
    blocks,
    src,
    length,
    codes,
    plan,
    parts,
    units,
    interval,
    first,
    last,
    high,
    low,
    _spare,
  ) =>
    readBits(memory, [status, state, src, length], (bits, place) => {
      const each = blocksOf(memory, blocks, codes, plan, parts);
      for (let unit = 0; unit < units; unit++) {
        place(bits.place);
        bits.unit(interval);
        place(bits.place);
        for (const { coefficients, part, dc, ac } of each(unit)) {
          if (first > 0) (high === 0 ? firstBits : moreBits)(bits, ac, coefficients, { first, last, low });
          else {
            const value = high === 0
              ? firstOf(bits, part, dc) << low
              : coefficients.getInt16(0, true) | bits.next() << low;
            coefficients.setInt16(0, value, true);
          }
        }
        if (bits.isCut) throw new Stop(STOPPED.inputEnds);
      }
    });
}

/** The first bits of coefficients; a symbol may end this block and further ones. */
function firstBits(bits: Bits, code: DataView, block: DataView, { first, last, low }: Range): void {
  const { state } = bits;
  if (state[3]! > 0) {
    state[3]!--;
    return;
  }
  for (let k = first; k <= last; k++) {
    const symbol = bits.symbol(code), zeros = symbol >> 4, size = symbol & 15;
    if (size === 0 && zeros < 15) {
      state[3] = (1 << zeros) - 1 + bits.take(zeros);
      return;
    }
    k += zeros;
    if (size === 0) continue;
    if (k > last) throw new Stop(STOPPED.tooMany);
    block.setInt16(2 * NATURAL[k]!, bits.signed(size) << low, true);
  }
}

/** One more bit of coefficients that are known, and the first bits of those that were 0 so far. */
function moreBits(bits: Bits, code: DataView, block: DataView, { first, last, low }: Range): void {
  const { state } = bits, bit = 1 << low;
  const at = (k: number) => block.getInt16(2 * NATURAL[k]!, true);
  const refine = (k: number) => {
    const value = at(k);
    if (bits.next() && (value & bit) === 0) {
      block.setInt16(2 * NATURAL[k]!, value > 0 ? value + bit : value - bit, true);
    }
  };
  let k = first;
  if (state[3] === 0) {
    for (; k <= last; k++) {
      const symbol = bits.symbol(code), size = symbol & 15;
      let zeros = symbol >> 4, value = 0;
      if (size > 1) throw new Stop(STOPPED.noCode);
      if (size === 1) value = bits.next() ? bit : -bit;
      else if (zeros < 15) {
        state[3] = (1 << zeros) + bits.take(zeros);
        break;
      }
      for (; k <= last; k++) {
        if (at(k) !== 0) refine(k);
        else if (zeros-- === 0) break;
      }
      if (value === 0) continue;
      if (k > last) throw new Stop(STOPPED.tooMany);
      block.setInt16(2 * NATURAL[k]!, value, true);
    }
  }
  if (state[3]! > 0) {
    for (; k <= last; k++) if (at(k) !== 0) refine(k);
    state[3]!--;
  }
}
