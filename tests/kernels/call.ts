/**
 * Calls a kernel as its row in the registry describes it: lays its buffers out in a memory, with guard bytes
 * around them, fills them, and says what the arguments are. Tests and benches use it.
 *
 * @module
 */

import type { BufferParameter, Parameter, Sizes } from "../oracles/rows/common/describe.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";
import { cases } from "../suite/cases.ts";

/** Bytes kept free before, between and after buffers. */
export const GUARD = 64;

/** A buffer at its place. */
export interface Placed {
  readonly parameter: BufferParameter;
  readonly offset: number;
  readonly bytes: number;
  /** What of it is the kernel's. */
  readonly parts: readonly { readonly offset: number; readonly bytes: number }[];
}

/** The arguments of a call, and where its buffers lie. */
export interface Call {
  readonly args: readonly number[];
  readonly buffers: readonly Placed[];
  /** The byte after the last guard. */
  readonly end: number;
}

/** Sizes with defaults, `pixels` following from rows. */
export function sizes(some: Partial<Omit<Sizes, "pixels">>): Sizes {
  const all = { frames: 1, rows: 1, rowLength: 1, masks: 1, gap: 0, seed: 1, ...some };
  return { ...all, pixels: all.rows * all.rowLength };
}

/** Sizes of a call that has about `n` samples per frame, its other sizes by the seed. */
export function around(n: number, seed: number): Sizes {
  const rows = seed % 3 === 0 && n > 3 ? 3 : 1;
  return sizes({
    rows,
    rowLength: rows === 1 ? n : Math.floor(n / rows),
    frames: [1, 2, 3, 4, 5, 7, 8, 33, 0][seed % 9]!,
    masks: [1, 2, 3, 4, 5, 6, 7, 9, 16, 0][seed % 10]!,
    gap: [0, 0, 1, 8, 13][seed % 5]!,
    seed,
  });
}

/** Seeds of calls of length `n`, an even one and an odd one; in the gate one of both, so that pairs of lengths take turns. */
export function seedsOf(n: number): readonly number[] {
  const odd = n >> 1 & 1;
  return [2 * n + 1 + odd, 2 * n + 2 - odd].slice(0, cases(1, 2));
}

/** Lays the buffers of a call out from `base`; buffer i starts `skew(i)` bytes off a multiple of 64. */
export function layOut(
  parameters: readonly Parameter[],
  sizes: Sizes,
  skew: (i: number) => number = () => 0,
  base = 0,
): Call {
  const args: number[] = [], buffers: Placed[] = [];
  let end = base;
  for (const parameter of parameters) {
    if (typeof parameter === "function") args.push(parameter(sizes));
    else {
      const bytes = parameter.bytes(sizes);
      const offset = Math.ceil((end + GUARD) / 64) * 64 + skew(buffers.length);
      buffers.push({ parameter, offset, bytes, parts: partsOf(parameter, sizes, offset, bytes) });
      args.push(offset);
      end = offset + bytes;
    }
  }
  return { args, buffers, end: end + GUARD };
}

function partsOf({ parts }: BufferParameter, sizes: Sizes, offset: number, bytes: number): Placed["parts"] {
  const { bytes: each, stride } = parts?.(sizes) ?? { bytes, stride: bytes };
  if (each >= stride) return [{ offset, bytes }];
  return Array.from({ length: Math.ceil(bytes / stride) }, (_, i) => {
    return { offset: offset + i * stride, bytes: Math.min(each, bytes - i * stride) };
  });
}

/** The bytes around buffers, as far as they were needed yet. */
let pattern = new Uint8Array(0);

function patternOf(length: number): Uint8Array {
  if (pattern.length < length) {
    pattern = new Uint8Array(2 * length);
    for (let i = 0; i < pattern.length; i++) pattern[i] = (i * 37 + 11) & 255;
  }
  return pattern;
}

/** Fills the buffers of `call`; everything else up to its end becomes a pattern. `calm` leaves special floats out. */
export function fill(memory: WebAssembly.Memory, call: Call, sizes: Sizes, calm = false): void {
  const random = mulberry32(sizes.seed);
  const start = Math.max(0, call.buffers.length ? call.buffers[0]!.offset - GUARD : 0);
  const all = new Uint8Array(memory.buffer, 0, call.end);
  all.set(patternOf(call.end).subarray(start, call.end), start);
  for (const { parameter, offset, bytes } of call.buffers) {
    const { dtype, values } = parameter;
    const whole = bytes - bytes % dtypeInfo(dtype).itemSize;
    const target = all.subarray(offset, offset + whole);
    if (typeof values === "function") target.set(bytesOf(parameter, values(sizes), target.length));
    else take(target, poolOf(parameter, calm), random(), dtypeInfo(dtype).itemSize);
  }
}

/** Samples of a pool of random ones: making new ones for each call takes longer than all kernels. */
const SAMPLES = 2 ** 15;

const pools = new Map<string, Uint8Array>();

/** Bytes of many samples as a parameter has them. */
function poolOf(parameter: BufferParameter, calm: boolean): Uint8Array {
  const { dtype, order, values } = parameter;
  const key = `${dtype} ${order} ${values} ${calm}`;
  const next = picker(parameter, mulberry32(hash(key)), calm);
  const pool = pools.get(key) ??
    bytesOf(parameter, Float64Array.from({ length: SAMPLES }, next), SAMPLES * dtypeInfo(dtype).itemSize);
  pools.set(key, pool);
  return pool;
}

/** A number for a text, the same everywhere. */
function hash(text: string): number {
  return [...text].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0) | 0, 7);
}

/** Fills `target` with samples of `pool`, from the sample at this part of it on. */
function take(target: Uint8Array, pool: Uint8Array, part: number, itemSize: number): void {
  let from = Math.floor(part * SAMPLES) * itemSize;
  for (let at = 0; at < target.length; from = 0) {
    const some = pool.subarray(from, from + target.length - at);
    target.set(some, at);
    at += some.length;
  }
}

/** Bytes of samples with these values, and zeros behind them. */
function bytesOf({ dtype, order }: BufferParameter, values: ArrayLike<number>, length: number): Uint8Array {
  const { itemSize } = dtypeInfo(dtype);
  const samples = arrayOf(dtype, length / itemSize);
  const some = Array.prototype.slice.call(values, 0, samples.length) as number[];
  if (samples instanceof BigInt64Array) samples.set(some.map(BigInt));
  else samples.set(some);
  const raw = new Uint8Array(samples.buffer);
  if (order === "big") { for (let at = 0; at < raw.length; at += itemSize) turn(raw, at, at + itemSize - 1); }
  return raw;
}

/** Turns bytes around, from the first to the last. */
function turn(bytes: Uint8Array, first: number, last: number): void {
  for (; first < last; first++, last--) {
    const byte = bytes[first]!;
    bytes[first] = bytes[last]!;
    bytes[last] = byte;
  }
}

const FLOATS = { 2: Float16Array, 4: Float32Array, 8: Float64Array };
const SIGNED = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array };
const UNSIGNED = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigInt64Array };

function arrayOf(dtype: DType, count: number) {
  const { kind, itemSize } = dtypeInfo(dtype);
  const kinds = kind === "f" ? FLOATS : kind === "i" ? SIGNED : UNSIGNED;
  const made = kinds[itemSize as 2];
  if (!made) throw new Error(`no buffers of ${dtype}`);
  return new (made as unknown as new (count: number) => Int8Array | BigInt64Array)(count);
}

const SPECIAL = [NaN, Infinity, -Infinity, -0, 0, 3.4028234663852886e38, 1e-45, -1.5, 1e300, 65504];

/** Values for a buffer. Integer extremes and special floats come often. */
function picker({ dtype, values }: BufferParameter, random: () => number, calm: boolean): () => number {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (values === "whole") return () => Math.floor(random() * 2000) - 1000;
  if (values === "finite" || (calm && kind === "f")) {
    return kind === "f" ? () => random() * 200 - 100 : () => Math.floor(random() * 100);
  }
  const bits = 8 * itemSize;
  if (kind === "f") {
    return () => {
      const special = random();
      if (special < 0.1) return SPECIAL[Math.floor(random() * SPECIAL.length)]!;
      return (random() - 0.5) * 2 ** Math.floor(random() * 40 - 10);
    };
  }
  const range = 2 ** bits;
  const low = kind === "i" ? -(2 ** (bits - 1)) : 0;
  const high = low + range - 1;
  return () => {
    const choice = random();
    return choice < 0.15 ? high : choice < 0.3 ? low : Math.floor(low + random() * range);
  };
}

/** The bytes of a memory up to the call's end, every NaN of an output replaced by the same NaN, scratch by zeros. */
export function outcome(memory: WebAssembly.Memory, call: Call): Uint8Array {
  const bytes = new Uint8Array(memory.buffer).slice(0, call.end);
  const view = new DataView(bytes.buffer);
  for (const { parameter: { role, dtype }, offset, bytes: length, parts } of call.buffers) {
    if (role === "scratch") bytes.fill(0, offset, offset + length);
    if (role === "in" || dtypeInfo(dtype).kind !== "f") continue;
    for (const part of parts) oneNaN(view, dtype, part.offset, part.bytes);
  }
  return bytes;
}

function oneNaN(view: DataView, dtype: DType, offset: number, bytes: number): void {
  if (dtype === "float64") {
    for (let at = offset; at < offset + bytes; at += 8) {
      if (Number.isNaN(view.getFloat64(at, true))) view.setFloat64(at, NaN, true);
    }
  } else if (dtype === "float32") {
    for (let at = offset; at < offset + bytes; at += 4) {
      if (Number.isNaN(view.getFloat32(at, true))) view.setFloat32(at, NaN, true);
    }
  }
}

/** The first byte from `from` on that differs, or -1. */
export function firstDifference(a: Uint8Array, b: Uint8Array, from = 0): number {
  for (let i = from; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

/** 1 for each byte of a buffer that the kernel may write, 0 for the others. */
export function ownBytes(call: Call): Uint8Array {
  const own = new Uint8Array(call.end);
  for (const { parameter, parts } of call.buffers) {
    if (parameter.role === "in") continue;
    for (const { offset, bytes } of parts) own.fill(1, offset, offset + bytes);
  }
  return own;
}

/** A small random generator with a seed: the same numbers everywhere. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
