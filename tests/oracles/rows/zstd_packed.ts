/**
 * Frames of Zstandard for the row of its kernel: raw, repeated and packed blocks, written by a few plain lines with the
 * tables that need no description; every third call is damaged. Real encoders are met in tests and fuzz runs.
 *
 * @module
 */

import type { Sizes } from "./common/describe.ts";
import { TABLES } from "../twins/filters/zstd_blocks.ts";
import { xxh64 } from "../twins/filters/xxh64.ts";
import { maybeDamaged, once, type Packed, randomOf, type Step, stepsOf } from "./common/packed.ts";

/** Steps per block. */
const MOST_STEPS = 300;

/** A frame, and often another one before it. */
export const zstdPacked: (sizes: Sizes) => Packed = once((sizes) => {
  const random = randomOf(sizes.seed);
  const steps = stepsOf(sizes, 600).map((step) => sizes.seed % 4 < 2 ? coarse(step) : step);
  const own = frameOf(steps, sizes.seed);
  const raw = Array.from({ length: random(9) }, () => random(256));
  const before = sizes.seed % 5 === 0 ? rawFrame(raw) : sizes.seed % 5 === 1 ? skippedFrame(raw) : [];
  const bytes = plainOf(steps).length + (sizes.seed % 5 === 0 ? raw.length : 0);
  return { bytes, packed: maybeDamaged([...before, ...own], sizes) };
});

/** Few different literals, so that they can have a Huffman code. */
function coarse({ literals, ...match }: Step): Step {
  return { ...match, literals: literals.map((byte) => byte % 3 ? 0 : 1 + byte % 64) };
}

const little = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const blockOf = (kind: number, size: number, bytes: readonly number[], isLast: boolean) => [
  ...little((isLast ? 1 : 0) + 2 * kind + 8 * size, 3),
  ...bytes,
];

const skippedFrame = (
  bytes: readonly number[],
) => [0x5a, 0x2a, 0x4d, 0x18, ...little(bytes.length, 4), ...bytes];

/** A raw block, then a byte that is repeated no times. */
const rawFrame = (bytes: readonly number[]) => [
  ...MAGIC,
  0x20,
  bytes.length,
  ...blockOf(0, bytes.length, bytes, false),
  ...blockOf(1, 0, [7], true),
];

function plainOf(steps: readonly Step[]): number[] {
  const bytes: number[] = [];
  for (const { literals, offset, length } of steps) {
    bytes.push(...literals);
    for (let i = 0; i < length; i++) bytes.push(bytes.at(-offset)!);
  }
  return bytes;
}

/** Says its size, and has a checksum, in some calls. */
function frameOf(steps: readonly Step[], seed: number): number[] {
  const plain = Uint8Array.from(plainOf(steps));
  const [isSized, hasSum] = [seed % 2 === 0, seed % 3 === 0];
  const head = [(isSized ? 0xa0 : 0) + (hasSum ? 4 : 0), ...(isSized ? little(plain.length, 4) : [0x58])];
  const blocks: number[] = [];
  for (let at = 0; at === 0 || at < steps.length; at += MOST_STEPS) {
    const packed = packedBlock(steps.slice(at, at + MOST_STEPS), seed);
    blocks.push(...blockOf(2, packed.length, packed, at + MOST_STEPS >= steps.length));
  }
  const sum = hasSum ? little(Number(xxh64(plain) & 0xffffffffn), 4) : [];
  return [...MAGIC, ...head, ...blocks, ...sum];
}

function packedBlock(steps: readonly Step[], seed: number): number[] {
  const literals = steps.flatMap(({ literals }) => literals);
  const count = steps.length < 128 ? [steps.length] : [128 + (steps.length >> 8), steps.length & 255];
  const body = steps.length === 0 ? [] : [0, ...sequencesOf(steps)];
  return [...(seed % 4 < 2 ? wordsOf(literals, seed) : rawLiterals(literals)), ...count, ...body];
}

const rawLiterals = (bytes: readonly number[]) => [...little(0x0c + 16 * bytes.length, 3), ...bytes];

/** Byte 0 has a word of one bit, 1 to 64 have words of seven bits; in one stream or four. */
function wordsOf(bytes: readonly number[], seed: number): number[] {
  const weights = [127 + 64, 0x71, ...new Array<number>(31).fill(0x11)];
  const stream = (part: readonly number[]) => {
    const fields = part.map((byte) => byte === 0 ? [1, 1] as const : [byte - 1, 7] as const);
    return backward(fields);
  };
  const quarter = Math.ceil(bytes.length / 4);
  const isWhole = seed % 8 < 4 || 3 * quarter > bytes.length;
  const parts = isWhole ? [bytes] : [0, 1, 2, 3].map((i) => bytes.slice(i * quarter, (i + 1) * quarter));
  const streams = parts.map(stream);
  const sizes = streams.slice(0, -1).flatMap(({ length }) => little(length, 2));
  const packed = [...weights, ...sizes, ...streams.flat()];
  if (isWhole && Math.max(bytes.length, packed.length) > 1023) return rawLiterals(bytes); // one stream has no more
  const [form, width, head] = isWhole ? [0, 10, 3] : [3, 18, 5];
  return [...little(2 + 4 * form + 16 * bytes.length + 2 ** (4 + width) * packed.length, head), ...packed];
}

/** Bits that are read from the end: the first field is the last one written, and a 1 is behind it. */
function backward(fields: readonly (readonly [value: number, bits: number])[]): number[] {
  const bits = fields.toReversed().flatMap(([value, count]) =>
    Array.from({ length: count }, (_, i) => Math.floor(value / 2 ** i) % 2)
  );
  bits.push(1);
  const bytes = new Array<number>(Math.ceil(bits.length / 8)).fill(0);
  for (const [i, bit] of bits.entries()) bytes[i >> 3]! += bit << (i & 7);
  return bytes;
}

/** States and extra bits of all steps; states are found from the last step to the first. */
function sequencesOf(steps: readonly Step[]): number[] {
  const coded = steps.map(({ literals, offset, length }) => {
    return [literals.length, offset + 3, length].map((value, table) => {
      const { codes } = TABLES[table]!;
      const symbol = codes.findLastIndex(({ least }) => least <= value);
      return { symbol, extra: [value - codes[symbol]!.least, codes[symbol]!.bits] as const };
    });
  });
  const states = [0, 1, 2].map((table) => statesOf(coded.map((step) => step[table]!.symbol), table));
  const fields = [0, 1, 2].map((table) => [states[table]![0]!.state, TABLES[table]!.known.log] as const);
  for (const [i, step] of coded.entries()) {
    fields.push(...[1, 2, 0].map((table) => step[table]!.extra));
    if (i < coded.length - 1) fields.push(...[0, 2, 1].map((table) => states[table]![i]!.step));
  }
  return backward(fields);
}

/** The state of each symbol, and the bits that lead to the next one. */
function statesOf(symbols: readonly number[], table: number) {
  const { states } = TABLES[table]!.known;
  let after: number | undefined;
  return symbols.toReversed().map((symbol) => {
    const state = states.findIndex(({ symbol: own, next, bits }) =>
      own === symbol && (after === undefined || (next <= after && after < next + 2 ** bits))
    );
    const { next, bits } = states[state]!;
    const step = [after === undefined ? 0 : after - next, bits] as const;
    after = state;
    return { state, step };
  }).toReversed();
}
