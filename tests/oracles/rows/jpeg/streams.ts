/**
 * Codes and bits for the rows of kernels that undo JPEG: nearly every word of a random code stands for something, so that random
 * bits are a scan; some are damaged.
 *
 * @module
 */

import type { Sizes } from "../common/describe.ts";
import { CODE } from "../../twins/jpeg/bits.ts";
import { jpegCodes } from "../../twins/jpeg/codes.ts";
import { maybeDamaged, type Random, randomOf } from "../common/packed.ts";

/** Numbers of codes of 1 to 16 bits, and symbols. */
export interface StoredCode {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

/** A code for `symbols`, the first ones with short words; `isFull`: for all words. */
export function codeFor(symbols: readonly number[], random: Random, isFull: boolean): StoredCode {
  const lengths = [1, 1];
  while (lengths.length < symbols.length) {
    const open = lengths.flatMap((length, i) => length < 16 ? [i] : []);
    const which = random(3)
      ? open[random(open.length)]!
      : open.reduce((a, b) => lengths[b]! > lengths[a]! ? b : a);
    lengths[which]!++;
    lengths.push(lengths[which]!);
  }
  lengths.sort((a, b) => a - b);
  if (!isFull) lengths.pop();
  const counts = Array.from({ length: 16 }, (_, i) => lengths.filter((length) => length === i + 1).length);
  return { counts, symbols: symbols.slice(0, lengths.length) };
}

const memory = new WebAssembly.Memory({ initial: 1 });
const makeTables = jpegCodes(memory);

/** The tables of a code. */
function tablesOf({ counts, symbols }: StoredCode): number[] {
  const bytes = new Uint8Array(memory.buffer);
  bytes.set([...counts, ...symbols], 64);
  makeTables(0, 1024, 64, 80, symbols.length);
  return [...bytes.subarray(1024, 1024 + CODE.bytes)];
}

/** The kinds of scans. */
export type Kind = "sequential" | "pass" | "lossless";

/** Everything that a call reads. */
export interface Stream {
  readonly state: readonly number[];
  readonly src: readonly number[];
  readonly codes: readonly number[];
  readonly plan: readonly number[];
  readonly parts: number;
  readonly units: number;
  /** Blocks of all units. */
  readonly blocks: number;
  readonly interval: number;
  readonly first: number;
  readonly last: number;
  readonly high: number;
  readonly low: number;
}

const SIZES = [0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const PAIRS = [
  0,
  0x01,
  0x02,
  0x03,
  0x11,
  0x04,
  0x21,
  0x12,
  0x05,
  0x06,
  0x31,
  0xf0,
  0x07,
  0x22,
  0x08,
  0x0a,
  0x0f,
  0x71,
];
const REFINING = [0x01, 0, 0x11, 0x10, 0xf0, 0x21, 0x20, 0x30, 0x51];

let last: { sizes: Sizes; kind: Kind; stream: Stream } | undefined;

/** The stream of a call; the last one is kept, as a row asks several times. */
export function streamOf(sizes: Sizes, kind: Kind): Stream {
  if (last?.sizes !== sizes || last.kind !== kind) last = { sizes, kind, stream: make(sizes, kind) };
  return last.stream;
}

function make(sizes: Sizes, kind: Kind): Stream {
  const { pixels, seed } = sizes, random = randomOf(seed);
  const range = kind === "pass" ? passOf(random) : { first: 0, last: 63, high: 0, low: 0 };
  const isRefining = range.first > 0 && range.high > 0;
  const parts = range.first > 0 ? 1 : 1 + random(kind === "lossless" ? 3 : 4);
  const odd = seed % 4 === 2 ? [16, 17, 255] : kind === "lossless" ? [16] : [];
  const codes = [SIZES, isRefining ? REFINING : PAIRS, SIZES].map((symbols) =>
    codeFor([...symbols, ...odd], random, seed % 4 !== 0)
  );
  const units = Math.ceil(pixels / [3, 10, 40][seed % 3]!);
  const { plan, blocks } = kind === "lossless" ? losslessPlan(parts) : planOf(parts, units, random);
  const interval = seed % 2 ? 0 : 1 + random(9);
  const perUnit = kind === "lossless" ? parts : 4 * blocks / Math.max(1, units); // bytes, about
  const src = bitsOf(random, perUnit * (kind === "lossless" ? pixels : units), perUnit * interval);
  return {
    state: [0, 0, interval, 0, 0, 0, 0, 0].map((value, i) =>
      i === 1 || i > 2 ? random(i === 3 ? 3 : 8) : value
    ),
    src: maybeDamaged(src, sizes),
    codes: codes.flatMap(tablesOf),
    plan,
    parts,
    units,
    blocks,
    interval,
    ...range,
  };
}

function passOf(random: Random): Pick<Stream, "first" | "last" | "high" | "low"> {
  const low = random(3), high = random(2) ? low + 1 : 0, first = random(2) ? 1 + random(20) : 0;
  return { first, last: first === 0 ? 0 : random(2) ? 63 : first + random(64 - first), high, low };
}

function planOf(parts: number, units: number, random: Random): Pick<Stream, "plan" | "blocks"> {
  const plan: number[] = [];
  let blocks = 0;
  for (let part = 0; part < parts; part++) {
    const [across, down] = parts === 1 ? [1, 1] : [1 + random(2), 1 + random(2)];
    plan.push(blocks, units * across, across, down, part % 2 * 2 * CODE.bytes, CODE.bytes);
    blocks += units * across * down;
  }
  return { plan, blocks };
}

function losslessPlan(parts: number): Pick<Stream, "plan" | "blocks"> {
  return { plan: Array.from({ length: parts }, (_, i) => [i, i % 2 * 2 * CODE.bytes]).flat(), blocks: 0 };
}

/** Random bytes with an FF now and then, which is escaped, and restart markers about every `apart` bytes. */
function bitsOf(random: Random, count: number, apart: number): number[] {
  const bytes: number[] = [];
  for (let left = 2 * apart; bytes.length < count + 8; left--) {
    const byte = random(30) ? random(256) : 255;
    bytes.push(byte, ...(byte === 255 ? [0] : []), ...(random(20) ? [] : [0, 0]));
    if (apart === 0 || left > 0) continue;
    bytes.push(255, ...(random(3) ? [] : [255]), 0xd0 + random(8));
    left = apart * (0.7 + random(100) / 50);
  }
  return bytes;
}
