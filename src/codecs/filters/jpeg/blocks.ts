/**
 * Scans of sequential and progressive JPEG images: from bits to coefficients.
 *
 * @module
 */

import { BitReader, type HuffmanCode, wrong } from "./bits.ts";
import { type Component, type Frame, type Scan, type Tables, ZIGZAG } from "./markers.ts";

/** Takes the coefficients of each block when a scan has read it. */
export type TakeBlock = (
  component: number,
  row: number,
  column: number,
  block: Int32Array | Int16Array,
) => void;

/** Finds the table that a scan needs. */
function needed(tables: readonly (HuffmanCode | undefined)[], number: number, at: number): HuffmanCode {
  const code = tables[number];
  if (!code) throw wrong(`the Huffman table ${number} is missing`, at);
  return code;
}

/** Calls `block` for all blocks of a scan in their order; where the scan ends. */
function eachBlock(
  frame: Frame,
  { parts }: Scan,
  interval: number,
  bits: BitReader,
  block: (part: number, component: Component, row: number, column: number) => void,
  restart: () => void,
): number {
  const one = parts.length === 1 ? frame.components[parts[0]!.component]! : undefined;
  // a scan of one component has its blocks alone, without those that only fill up units
  const columns = one ? Math.ceil(one.width / 8) : Math.ceil(frame.width / (8 * frame.across));
  const rows = one ? Math.ceil(one.height / 8) : Math.ceil(frame.height / (8 * frame.down));
  for (let unit = 0; unit < columns * rows; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      bits.restart();
      restart();
    }
    const row = Math.floor(unit / columns), column = unit % columns;
    if (one) block(0, one, row, column);
    else {
      for (let p = 0; p < parts.length; p++) {
        const component = frame.components[parts[p]!.component]!;
        const { across, down } = component;
        for (let i = 0; i < across * down; i++) {
          block(p, component, row * down + Math.floor(i / across), column * across + i % across);
        }
      }
    }
    if (column === columns - 1) bits.check();
  }
  return bits.at;
}

/** A scan of a sequential image; where it ends. */
export function sequentialScan(
  bytes: Uint8Array,
  frame: Frame,
  scan: Scan,
  tables: Tables,
  take: TakeBlock,
): number {
  const bits = new BitReader(bytes, scan.at);
  const codes = scan.parts.map(({ dc, ac }) =>
    [needed(tables.dc, dc, scan.at), needed(tables.ac, ac, scan.at)] as const
  );
  const before = scan.parts.map(() => 0);
  const block = new Int32Array(64);
  return eachBlock(frame, scan, tables.interval, bits, (p, _, row, column) => {
    const [dc, ac] = codes[p]!;
    block.fill(0);
    block[0] = before[p] = before[p]! + bits.signed(sizeOf(bits.symbol(dc), bits));
    for (let k = 1; k < 64; k++) {
      const symbol = bits.symbol(ac), size = symbol & 15;
      k += symbol >> 4;
      if (size === 0) {
        if (symbol !== 0xf0) break;
      } else {
        if (k > 63) throw wrong("a block has too many coefficients", bits.at);
        block[ZIGZAG[k]!] = bits.signed(size);
      }
    }
    take(scan.parts[p]!.component, row, column, block);
  }, () => before.fill(0));
}

function sizeOf(size: number, bits: BitReader): number {
  if (size > 16) throw wrong(`a number of ${size} bits`, bits.at);
  return size;
}

/** A scan of a progressive image adds to the coefficients of its components; where it ends. */
export function progressiveScan(
  bytes: Uint8Array,
  frame: Frame,
  scan: Scan,
  tables: Tables,
  coefficients: readonly Int16Array[],
): number {
  const { parts, first, last, high, low, at } = scan;
  if (
    first > last || last > 63 || low > 13 || (high !== 0 && high !== low + 1) ||
    (first > 0 && parts.length > 1)
  ) {
    throw wrong(`a scan of coefficients ${first} to ${last}, bits ${high} to ${low}`, at);
  }
  if (first === 0 && last > 0) throw wrong("a scan mixes coefficients", at);
  const bits = new BitReader(bytes, at);
  const before = parts.map(() => 0);
  const codes = parts.map(({ dc, ac }) =>
    first > 0 ? needed(tables.ac, ac, at) : high === 0 ? needed(tables.dc, dc, at) : undefined
  );
  const run = { left: 0 }; // blocks that have no more coefficients in this scan
  return eachBlock(frame, scan, tables.interval, bits, (p, component, row, column) => {
    const start = 64 * (row * component.columns + column);
    const block = coefficients[parts[p]!.component]!.subarray(start, start + 64);
    const code = codes[p]!;
    if (first > 0) {
      if (high === 0) firstBits(bits, code, block, scan, run);
      else moreBits(bits, code, block, scan, run);
    } else if (high === 0) {
      before[p] = before[p]! + bits.signed(sizeOf(bits.symbol(code), bits));
      block[0] = before[p]! << low;
    } else block[0]! |= bits.take(1) << low;
  }, () => {
    before.fill(0);
    run.left = 0;
  });
}

/** The first bits of coefficients. */
function firstBits(
  bits: BitReader,
  code: HuffmanCode,
  block: Int16Array,
  { first, last, low }: Scan,
  run: { left: number },
): void {
  if (run.left > 0) {
    run.left--;
    return;
  }
  for (let k = first; k <= last; k++) {
    const symbol = bits.symbol(code), zeros = symbol >> 4, size = symbol & 15;
    if (size === 0 && zeros < 15) {
      run.left = (1 << zeros) - 1 + bits.take(zeros);
      return;
    }
    k += zeros;
    if (size === 0) continue;
    if (k > last) throw wrong("a block has too many coefficients", bits.at);
    block[ZIGZAG[k]!] = bits.signed(size) << low;
  }
}

/** One more bit of coefficients that are known, and the first bits of those that were 0 so far. */
function moreBits(
  bits: BitReader,
  code: HuffmanCode,
  block: Int16Array,
  { first, last, low }: Scan,
  run: { left: number },
): void {
  const bit = 1 << low;
  const refine = (place: number) => {
    const value = block[place]!;
    if (bits.take(1) && (value & bit) === 0) block[place] = value + (value > 0 ? bit : -bit);
  };
  let k = first;
  if (run.left === 0) {
    for (; k <= last; k++) {
      const symbol = bits.symbol(code), size = symbol & 15;
      let zeros = symbol >> 4;
      let value = 0;
      if (size > 1) throw wrong(`a coefficient gets ${size} more bits`, bits.at);
      if (size === 1) value = bits.take(1) ? bit : -bit;
      else if (zeros < 15) {
        run.left = (1 << zeros) + bits.take(zeros);
        break;
      }
      for (; k <= last; k++) {
        const place = ZIGZAG[k]!;
        if (block[place] !== 0) refine(place);
        else if (zeros-- === 0) break;
      }
      if (value === 0) continue;
      if (k > last) throw wrong("a block has too many coefficients", bits.at);
      block[ZIGZAG[k]!] = value;
    }
  }
  if (run.left > 0) {
    for (; k <= last; k++) if (block[ZIGZAG[k]!] !== 0) refine(ZIGZAG[k]!);
    run.left--;
  }
}
