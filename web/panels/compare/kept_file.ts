/**
 * A kept result as the bytes of a file, and back: its description as JSON, then its numbers.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import type { AnalysisChoice, Display, Region } from "../../state/state.ts";

/** A kept result. */
export interface Kept {
  /** Tells it from the others. */
  readonly id: string;
  /** What it is, and of what. */
  readonly title: string;
  /** Its numbers, which no run changes any more. */
  readonly image: ShownImage | ShownVectors;
  /** How it was shown. */
  readonly display: Display;
  /** How it was computed. */
  readonly analysis: AnalysisChoice;
  /** Positions of the scan that were computed; absent: all. */
  readonly roi?: Region;
  /** Which result of the analysis it is, and which channel. */
  readonly result: { readonly name: string; readonly channel: number };
  /** Of which source: the same text means the same source, opened in the same way. */
  readonly of: string;
}

/** The form of the files; others are not read. */
const VERSION = 1;

/** Bytes before the description: its length. */
const HEAD = 4;

interface ArrayFacts {
  readonly type: string;
  readonly length: number;
  readonly valid: number;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly dtype: string;
}

interface Description {
  readonly version: number;
  readonly kept: Omit<Kept, "image">;
  readonly image: Omit<ShownImage, "array">;
  /** One of numbers, two of vectors: y, then x. */
  readonly arrays: readonly ArrayFacts[];
}

/** A kept result as a file. */
export function keptFile({ image, ...kept }: Kept): Blob {
  const arrays = "y" in image ? [image.y, image.x] : [image.array];
  const { title, unit, meaning, axes } = image;
  const description: Description = {
    version: VERSION,
    kept,
    image: { title, axes, ...(unit === undefined ? {} : { unit }), ...(meaning ? { meaning } : {}) },
    arrays: arrays.map(({ data, shape, stride, dtype, valid }) => ({
      type: data.constructor.name,
      length: data.byteLength,
      valid: valid?.length ?? 0,
      shape,
      stride,
      dtype,
    })),
  };
  const text = new TextEncoder().encode(JSON.stringify(description));
  const head = new Uint8Array(HEAD);
  new DataView(head.buffer).setUint32(0, text.length);
  const numbers = arrays.flatMap(({ data, valid }) => valid ? [data.slice(), valid.slice()] : [data.slice()]);
  return new Blob([head, text, ...numbers]); // which takes no shared memory
}

/** The kept result of a file; nothing, if it is none of this version, or not whole. */
export function keptOf(bytes: Uint8Array): Kept | undefined {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = HEAD + view.getUint32(0);
    const text = new TextDecoder().decode(bytes.subarray(HEAD, at));
    const { version, kept, image, arrays }: Description = JSON.parse(text);
    if (version !== VERSION) return undefined;
    const take = (length: number) => bytes.slice(at, at += length);
    const read = arrays.map((facts) => arrayOf(facts, take(facts.length), take(facts.valid)));
    if (at !== bytes.length) return undefined;
    const [first, second] = read;
    const shown: ShownImage | ShownVectors = second
      ? { ...image, y: first!, x: second }
      : { ...image, array: first! };
    return { ...kept, image: shown };
  } catch {
    return undefined; // written by something else, or only in part
  }
}

function arrayOf(
  { type, shape, stride, dtype }: ArrayFacts,
  bytes: Uint8Array<ArrayBuffer>,
  valid: Uint8Array<ArrayBuffer>,
): NDArray {
  if (!/^(Int|Uint|Float|BigInt|BigUint)\d+Array$/.test(type)) throw new RangeError(type);
  const Data = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => NDArray["data"]>)[type]!;
  const data = new Data(bytes.buffer);
  return { data, shape, stride, dtype, ...(valid.length > 0 ? { valid } : {}) } as NDArray;
}
