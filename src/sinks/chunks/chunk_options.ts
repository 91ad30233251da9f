/**
 * Options that all sinks of chunks have, and what follows from them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type AxisFacts, usualValues, type ValueFacts } from "../../space/axes.ts";
import { axesRule, valuesRule } from "../../space/meaning/rules.ts";
import { defined, type OptionNames } from "../../options.ts";
import { either, oneOf, text, truth, whole } from "../../options/rules.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { ArrayToWrite } from "../array.ts";
import type { ArrayToStore } from "./file.ts";
import { type LevelCount, levelsOf, MOST_LEVELS } from "./levels.ts";
import { type LevelReduction, reductionFor, REDUCTIONS } from "./reduce.ts";

/**
 * Options of all sinks that store chunks.
 * @category Views
 */
export interface ChunkSinkOptions {
  /**
   * The compression of chunks, with a level behind a colon where it has levels, such as `zstd:9`: `none`, `zstd`, in Zarr
   * `blosc` (shuffle and zstd), `gzip` and, in version 2, `zlib`, in TIFF `deflate`, `lzw` and `packbits`. Default `zstd` in
   * Zarr, `deflate` in TIFF.
   */
  readonly compression?: string;
  /**
   * Levels of a pyramid, full size included; `auto`: until a level fits into one chunk. Each has half the samples of the one
   * before along the last two dimensions. Default `auto` for OME-Zarr and OME-TIFF, else 1.
   */
  readonly levels?: LevelCount;
  /**
   * How the samples of later levels are made: `mean` (of integers the nearest, ties to even), `max` or `nearest`. Default `mean`,
   * and `nearest` for labels, which have no mean, and where a number stands for samples that are missing.
   */
  readonly reduce?: LevelReduction;
  /** Names, scales and units of the dimensions. Default: what the operation makes of those of the data set. */
  readonly axes?: readonly AxisFacts[];
  /**
   * What the samples mean, which stores say where their format can. It is an object such as `{ kind: "label" }`. Default: what the
   * operation makes of those of the data set.
   */
  readonly values?: ValueFacts;
  /**
   * Whether to go on where an earlier run with the same source, operation and options was stopped. What is complete is then kept
   * if this run fails or is cancelled. Default false.
   */
  readonly resume?: boolean;
}

/** Their rules. */
// deno-fmt-ignore: written by `deno task build`
export const CHUNK_SINK_OPTIONS: OptionNames<ChunkSinkOptions> = {
  compression: text,
  levels: either(`a whole number from 1 to ${MOST_LEVELS}, or "auto"`, whole(1, MOST_LEVELS), oneOf("auto")),
  reduce: oneOf(...REDUCTIONS), axes: axesRule, values: valuesRule, resume: truth,
};

/** A codec and its level, as `zstd:3` says. */
export interface ChosenCodec {
  /** Its name. */
  readonly name: string;
  /** Its level. */
  readonly level: number;
}

/** Levels of codecs: the least, the greatest, and the default. */
const LEVELS: Readonly<Record<string, readonly [least: number, most: number, usual: number]>> = {
  zstd: [-7, 22, 1],
  blosc: [1, 9, 1],
  gzip: [0, 9, 3],
  zlib: [0, 9, 3],
  deflate: [0, 9, 3], // level 1 is twice as fast, and its files are half as large again
};

/** The codec that an option says; `invalid` for names that are not in `known`, and levels that do not exist. */
export function codecOf(call: string, option: string, asked: string, known: readonly string[]): ChosenCodec {
  text(call, option, asked);
  const [name = "", level] = asked.split(":");
  const [least, most, usual] = LEVELS[name] ?? [0, 0, 0];
  const number = level === undefined ? usual : /^-?\d+$/.test(level) ? Number(level) : NaN;
  const hasLevel = level === undefined || LEVELS[name] !== undefined;
  if (known.includes(name) && hasLevel && number >= least && number <= most) return { name, level: number };
  const range = known.includes(name) && LEVELS[name] ? `; levels of ${name} are ${least} to ${most}` : "";
  const all = known.join(", ");
  const problem = `the option "${option}" is "${asked}"; it must be one of ${all}, with a level behind a ` +
    `colon if need be, such as zstd:3${range}`;
  throw new TilewiseError("invalid", `${call}: ${problem}`, { option, found: asked, expected: all });
}

/** Bytes of a chunk by default, at most, unless one sample per outer dimension has more. */
const CHUNK_BYTES = 2 ** 20;
/** Samples of a chunk along the last two dimensions by default, at most. */
const CHUNK_SIDE = 512;

/**
 * The chunks of an array unless the user says something else: up to 512 × 512 samples of the last two dimensions, and as
 * many of the others, the fastest first, as fit into 1 MiB.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(defaultChunk([8192, 8192], "uint16"), [512, 512]);
 * assertEquals(defaultChunk([64, 64, 128, 128], "uint16"), [1, 32, 128, 128]);
 * ```
 */
export function defaultChunk(shape: Shape, dtype: DType): Shape {
  const chunk = shape.map((n, d) => d < shape.length - 2 ? 1 : Math.max(1, Math.min(n, CHUNK_SIDE)));
  for (let d = shape.length - 3; d >= 0; d--) {
    const room = Math.floor(CHUNK_BYTES / sizeOf([...chunk, dtypeInfo(dtype).itemSize]));
    const count = Math.min(shape[d]!, 2 ** Math.floor(Math.log2(Math.max(1, room))));
    chunk[d] = Math.max(1, count);
    if (count < shape[d]!) break;
  }
  return chunk;
}

/** What a file of chunks has: its levels, and what is known of dimensions and samples; options say more than the array. */
export function pyramidOf(array: ArrayToStore, options: ChunkSinkOptions, count: LevelCount) {
  const { shape, dtype, chunk } = array, values = valuesFor(array, options);
  const axes = axesOf(options.axes, array), samples = samplesOf(shape, axes);
  const reduction = reductionFor(options.reduce, values, dtype);
  return {
    values,
    axes,
    samples,
    reduction,
    levels: levelsOf(shape, chunk, halvedOf(shape, samples), count),
  };
}

/** What samples mean: what is asked for, of what the array is of. */
function valuesFor({ dtype, values }: ArrayToStore, { values: asked }: ChunkSinkOptions): ValueFacts {
  return { ...defined({ of: values?.of }), ...asked ?? values ?? usualValues(dtype) };
}

/** What is known of the dimensions of a result. */
function axesOf(
  asked: readonly AxisFacts[] | undefined,
  { shape, axes }: Pick<ArrayToWrite, "shape" | "axes">,
): readonly AxisFacts[] | undefined {
  if (asked && asked.length !== shape.length) {
    const text = `Cannot write ${showShape(shape)} samples with the axes of ${asked.length} dimensions: ` +
      `give one for each of the ${shape.length}`;
    throw new TilewiseError("invalid", text, {
      option: "axes",
      expected: shape.length,
      found: asked.length,
    });
  }
  return asked ?? axes;
}

/** Names of a last dimension that holds the samples of a pixel. */
const SAMPLES = ["s", "c", "sample", "samples", "channel"];

/** Samples per pixel: the last dimension if its name says so and there are two to four, else 1. */
export function samplesOf(shape: Shape, axes: readonly AxisFacts[] | undefined): number {
  const last = shape.at(-1) ?? 1;
  const name = axes?.length === shape.length ? axes.at(-1)?.name?.toLowerCase() ?? "" : "";
  return shape.length >= 3 && SAMPLES.includes(name) && last >= 2 && last <= 4 ? last : 1;
}

/** The dimensions that levels halve: the last two of pixels. */
function halvedOf(shape: Shape, samples: number): number[] {
  return [...shape.keys()].slice(0, samples > 1 ? -1 : undefined).slice(-2);
}
