/**
 * A packed block of Zstandard: literals, then sequences, each of which copies some of the literals and a match.
 *
 * Source: RFC 8878, section 3.1.1.3.
 *
 * @module
 */

import type { Unpacking } from "./unpacking.ts";
import {
  Backward,
  byteOf,
  onlyState,
  readStates,
  readWords,
  type States,
  statesOf,
  type Words,
} from "./zstd_codes.ts";

/** Most bytes of a block. */
export const MOST_OF_BLOCK: number = 128 * 1024;

/** What blocks of a frame take over from those before them. */
export interface Frame {
  /** Where its output begins. */
  readonly start: number;
  /** The last code of literals. */
  words?: Words;
  /** The last tables: of lengths of literals, offsets, lengths of matches. */
  readonly tables: (States | undefined)[];
  /** The last three offsets, the latest one first. */
  repeats: readonly [number, number, number];
}

/** A number as a least value and extra bits. */
interface Coded {
  readonly least: number;
  readonly bits: number;
}

/** Values that begin where the extra bits of those before them end. */
function scale(first: number, bits: readonly number[]): Coded[] {
  let least = first;
  return bits.map((own) => {
    const coded = { least, bits: own };
    least += 2 ** own;
    return coded;
  });
}

const none = (count: number) => new Array<number>(count).fill(0);
const up = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const ones = (count: number, value: number) => new Array<number>(count).fill(value);

/** Of each table: what its symbols mean, most bits of a state, and the table that needs no description. */
export const TABLES = [
  {
    codes: scale(0, [...none(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, ...up(6, 16)]),
    most: 9,
    known: statesOf([4, 3, ...ones(11, 2), 1, 1, 1, ...ones(9, 2), 3, 2, ...ones(5, 1), ...ones(4, -1)], 6),
  },
  {
    codes: scale(1, up(0, 31)),
    most: 8,
    known: statesOf([...ones(6, 1), 2, 2, 2, ...ones(15, 1), ...ones(5, -1)], 5),
  },
  {
    codes: scale(3, [...none(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, ...up(7, 16)]),
    most: 9,
    known: statesOf([1, 4, 3, ...ones(6, 2), ...ones(37, 1), ...ones(7, -1)], 6),
  },
] as const;

/** Unpacks a block. */
export function block(job: Unpacking, bytes: Uint8Array, frame: Frame): void {
  const { literals, taken } = readLiterals(job, bytes, frame);
  sequences(job, bytes.subarray(taken), literals, frame);
}

/** A number of `count` bytes, the lowest one first. */
function number(job: Unpacking, bytes: Uint8Array, at: number, count: number): number {
  if (at + count > bytes.length) job.stop("noCode");
  return bytes.subarray(at, at + count).reduceRight((value, byte) => 256 * value + byte, 0);
}

interface Literals {
  readonly literals: Uint8Array;
  readonly taken: number;
}

function readLiterals(job: Unpacking, bytes: Uint8Array, frame: Frame): Literals {
  const first = number(job, bytes, 0, 1);
  const [kind, form] = [first & 3, first >> 2 & 3];
  const head = kind < 2 ? [1, 2, 1, 3][form]! : [3, 3, 4, 5][form]!;
  const all = number(job, bytes, 0, head);
  const width = [10, 10, 14, 18][form]!;
  const size = kind < 2 ? Math.floor(all / (form % 2 ? 16 : 8)) : Math.floor(all / 16) % 2 ** width;
  if (size > MOST_OF_BLOCK) job.stop("noCode");
  if (size > job.output.length - job.to) job.stop("noRoom");
  if (kind === 0) {
    number(job, bytes, head, size);
    return { literals: bytes.subarray(head, head + size), taken: head + size };
  }
  if (kind === 1) {
    return { literals: new Uint8Array(size).fill(number(job, bytes, head, 1)), taken: head + 1 };
  }
  const packed = Math.floor(all / 2 ** (4 + width));
  number(job, bytes, head, packed);
  const own = bytes.subarray(head, head + packed);
  const code = kind === 2 ? readWords(job, own) : { words: frame.words ?? job.stop("noCode"), taken: 0 };
  frame.words = code.words;
  const literals = new Uint8Array(size);
  streams(job, own.subarray(code.taken), form === 0 ? 1 : 4, code.words, literals);
  return { literals, taken: head + packed };
}

/** One stream, or four of a quarter each behind the sizes of the first three. */
function streams(job: Unpacking, bytes: Uint8Array, count: number, words: Words, into: Uint8Array): void {
  let at = count === 1 ? 0 : 6;
  const quarter = Math.ceil(into.length / count);
  if ((count - 1) * quarter > into.length) job.stop("noCode");
  const ends = Array.from({ length: count }, (_, i) => {
    at = i === count - 1 ? bytes.length : at + number(job, bytes, 2 * i, 2);
    return at;
  });
  if (ends.some((end) => end > bytes.length)) job.stop("noCode");
  for (const [i, end] of ends.entries()) {
    const stream = new Backward(job, bytes.subarray(i === 0 ? (count === 1 ? 0 : 6) : ends[i - 1]!, end));
    const part = into.subarray(i * quarter, i === count - 1 ? into.length : (i + 1) * quarter);
    for (const byte of part.keys()) part[byte] = byteOf(job, stream, words);
    if (stream.left !== 0) job.stop("noCode");
  }
}

function sequences(job: Unpacking, bytes: Uint8Array, literals: Uint8Array, frame: Frame): void {
  const first = number(job, bytes, 0, 1);
  let at = first === 255 ? 3 : first >= 128 ? 2 : 1;
  number(job, bytes, 0, at);
  const count = first === 255
    ? number(job, bytes, 1, 2) + 0x7f00
    : first >= 128
    ? (first - 128) * 256 + bytes[1]!
    : first;
  let used = 0;
  if (count > 0) {
    const modes = number(job, bytes, at++, 1);
    if (modes & 3) job.stop("noCode");
    for (let table = 0; table < 3; table++) {
      at += readTable(job, bytes.subarray(at), table, modes >> (6 - 2 * table) & 3, frame);
    }
    used = execute(job, new Backward(job, bytes.subarray(at)), count, literals, frame);
  } else if (bytes.length > at) job.stop("noCode");
  put(job, literals.subarray(used));
}

/** Makes a table as its mode says: known, one symbol, described, as before; the bytes taken. */
function readTable(job: Unpacking, bytes: Uint8Array, table: number, mode: number, frame: Frame): number {
  const { codes, most, known } = TABLES[table]!;
  if (mode === 3) {
    frame.tables[table] ??= job.stop("noCode");
    return 0;
  }
  if (mode === 2) {
    const read = readStates(job, bytes, codes.length, most);
    frame.tables[table] = read;
    return read.taken;
  }
  if (mode === 1 && !((bytes[0] ?? Infinity) < codes.length)) job.stop("noCode");
  frame.tables[table] = mode === 0 ? known : onlyState(bytes[0]!);
  return mode;
}

/** Carries out all sequences; the number of literals that they take. */
function execute(
  job: Unpacking,
  stream: Backward,
  count: number,
  literals: Uint8Array,
  frame: Frame,
): number {
  const tables = frame.tables as readonly States[];
  const states = tables.map(({ states, log }) => states[stream.bits(log)]!);
  const value = (table: number) => {
    const { least, bits } = TABLES[table]!.codes[states[table]!.symbol]!;
    return least + stream.bits(bits);
  };
  const step = (table: number) => {
    const { next, bits } = states[table]!;
    states[table] = tables[table]!.states[next + stream.bits(bits)]!;
  };
  let used = 0;
  for (; count > 0; count--) {
    const coded = value(1), length = value(2), few = value(0);
    if (count > 1) { for (const table of [0, 2, 1]) step(table); }
    if (few > literals.length - used) job.stop("noCode");
    if (few + length > job.output.length - job.to) job.stop("noRoom");
    put(job, literals.subarray(used, used + few));
    used += few;
    const offset = offsetOf(coded, few, frame);
    if (offset > job.to - frame.start) job.stop("tooFarBack");
    job.match(offset, length);
  }
  if (stream.left !== 0) job.stop("noCode");
  return used;
}

/** 1 to 3: one of the last offsets; without literals one further, and the first one less 1. */
function offsetOf(coded: number, few: number, frame: Frame): number {
  const [one, two, three] = frame.repeats;
  const which = coded > 3 ? 4 : few === 0 ? coded : coded - 1;
  const offset = which === 4 ? coded - 3 : [one, two, three, one - 1][which]!;
  if (which > 0) frame.repeats = which === 1 ? [offset, one, three] : [offset, one, two];
  return offset;
}

function put(job: Unpacking, bytes: Uint8Array): void {
  if (bytes.length > job.output.length - job.to) job.stop("noRoom");
  for (const byte of bytes) job.put(byte);
}
