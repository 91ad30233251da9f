/**
 * The UDF that multiplies frames with masks.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import { type Box, box } from "../../../space/box.ts";
import { type TypedArray, unitsOf } from "../../../space/dtype.ts";
import { arraysOf } from "../../../space/ndarray.ts";
import { ravel } from "../../../space/shape.ts";
import { allAtOnce, MAKING, type MakingUdf, type Steps } from "../../interface/making.ts";
import type { Udf, UdfMeta } from "../../interface/udf.ts";
import type { Mask, MaskDType, MaskFunctions, MaskMakers, MaskOptions } from "./mask.ts";
import {
  isSmall,
  type MaskedRows,
  type MaskRow,
  type MaskRows,
  maskStack,
  multiply,
  rowsOf,
  WeightSizes,
} from "./multiply.ts";
import type { MaskSteps } from "./packed.ts";
import {
  chooseSparse,
  countEntries,
  multiplyCsr,
  multiplySparse,
  numbersIn,
  SPARSE_SCRATCH,
  type SparseChoice,
  sparseConstants,
  takesCsr,
} from "./sparse.ts";

// Makes masks for some data, in steps: their weights, facts about them, and the constants for kernels.

/** What is kept of masks once they have been made for some data. */
interface MaskFacts extends Omit<MaskRows, "rows"> {
  /** The rows of frames that they need. */
  readonly extent: RowRange;
  /** How they are multiplied. */
  readonly choice: SparseChoice;
}

/** Masks for some data. */
interface MadeMasks {
  /** The data for which they were made. */
  readonly meta: UdfMeta;
  /** Facts about the masks. */
  readonly facts: MaskFacts;
  /** Constants for kernels, until they are taken. */
  constants: Readonly<Record<string, TypedArray>> | undefined;
}

/** Approximate shares of the work that are done when weights have been made, and when all have been examined. */
const [MADE, LOOKED] = [0.6, 0.8] as const;

/** Makes the masks of a UDF for some data. */
function* makeMasks(init: MaskUdfInit, meta: UdfMeta): Steps<MadeMasks> {
  const { options: { shifts, dtype, useSparse } = {}, makers } = init;
  const weights = yield* counted(shiftedMasks(init, meta), 0);
  if (weights.length === 0) throw noMask(init);
  const made = yield* counted(rowsOf(weights, meta.nativeDType, dtype?.startsWith("complex")), MADE);
  const rows: (MaskRow | undefined)[] = [...made.rows];
  const sizes = new WeightSizes(meta);
  let extent: RowRange = [0, 0];
  let entries = 0;
  for (const [m, row] of made.rows.entries()) {
    sizes.add(row.list ? row.list.values : row.values);
    extent = joined(extent, extentOf(row, meta));
    entries += countEntries(row);
    yield { bytes: 0, done: MADE + (LOOKED - MADE) * m / rows.length };
  }
  made.rows.length = 0;
  const moving = shifts !== undefined && makers.shifting?.byFrame(shifts) === true;
  const looked = moving ? 0 : numbersIn(extent, meta);
  const facts = { rows: rows.length, entries, type: sizes.type };
  const found = chooseSparse(facts, looked, meta, moving ? false : useSparse);
  const choice = moving ? { ...found, why: "masks dense, as they move" } : found;
  yield { bytes: choice.bytes, done: LOOKED };
  const done = (m: number) => LOOKED + (1 - LOOKED) * m / rows.length;
  const constants = choice.sparse ? yield* shared(sparseConstants(rows, entries, meta), done) : {
    masks: yield* shared(maskStack(rows, meta, sizes.type), done),
    flush: Int32Array.of(sizes.flushInterval),
    extent: Int32Array.from(extent),
  };
  const { masks, complex } = made;
  return { meta, facts: { masks, complex, extent, choice }, constants };
}

/** The weights; shifted, if all frames have the same shift. */
function* shiftedMasks({ masks, options, functions, makers }: MaskUdfInit, meta: UdfMeta): MaskSteps {
  const { sigShape } = meta;
  const weights = yield* makers.weights(masks(meta), sigShape, functions);
  const { shifting } = makers;
  const shifts = options?.shifts;
  if (!shifting || !shifts || shifting.byFrame(shifts) || weights.length === 0) return weights;
  return yield* shifting.weights(weights, shifts, meta);
}

function noMask({ name }: MaskUdfInit): TilewiseError {
  return new TilewiseError("invalid", `The UDF ${name} has no mask`, { udf: name });
}

/** Steps that report bytes. */
function* counted<T>(steps: Generator<number, T>, done: number): Steps<T> {
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
    yield { bytes: step.value, done };
  }
}

/** Steps that report rows. */
function* shared<T>(steps: Generator<number, T>, doneAt: (row: number) => number): Steps<T> {
  for (let step = steps.next();; step = steps.next()) {
    if (step.done) return step.value;
    yield { bytes: 0, done: doneAt(step.value) };
  }
}

/** What a mask UDF is made from. */
interface MaskUdfInit {
  /** Its name. */
  readonly name: string;
  /** The masks for frames. */
  readonly masks: (meta: UdfMeta) => readonly Mask[];
  /** Shifts and type of the result. */
  readonly options?: Pick<MaskOptions, "shifts" | "dtype" | "useSparse">;
  /** Whether the result has one number per frame instead of a list of numbers. */
  readonly single?: boolean;
  /** The mask functions of modules. */
  readonly functions?: MaskFunctions;
  /** Makes its masks. */
  readonly makers: MaskMakers;
}

/** A range of rows of a frame, counted through all its planes: the first row, and one past the last. */
type RowRange = readonly [first: number, end: number];

/** The smallest range that contains the rows of `one` and `other`; a mask without weights has the empty range `[0, 0]`. */
function joined(one: RowRange, other: RowRange): RowRange {
  if (other[1] === 0) return one;
  return one[1] === 0 ? other : [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** The range of rows in which a mask has a weight; `[0, 0]` if it has none. */
function extentOf(mask: MaskRow, { nativeDType, sigShape }: UdfMeta): RowRange {
  const width = (sigShape.at(-1) ?? 1) * unitsOf(nativeDType);
  const [low, high] = mask.list ? ends(mask.list.pixels) : spanOf(mask.values);
  return low === high ? [0, 0] : [Math.floor(low / width), Math.ceil(high / width)];
}

/** The index of the first non-zero weight, and one past the last. */
function spanOf(weights: ArrayLike<number>): RowRange {
  let low = 0;
  while (low < weights.length && weights[low] === 0) low++;
  if (low === weights.length) return [0, 0];
  let high = weights.length;
  while (weights[high - 1] === 0) high--;
  return [low, high];
}

function ends(pixels: Uint32Array): RowRange {
  return pixels.length === 0 ? [0, 0] : [pixels[0]!, pixels.at(-1)! + 1];
}

/** The part of a frame with these rows; frames of one dimension are one row, which is never cut. */
function partWith([first, end]: RowRange, { sigShape, pixels }: UdfMeta): Box | undefined {
  if (sigShape.length < 2) return undefined;
  const [planes, ...rest] = sigShape as [number, ...number[]];
  const each = pixels / sigShape.at(-1)! / planes;
  const origin = Math.floor(first / each);
  return box([origin, ...rest.map(() => 0)], [Math.max(1, Math.ceil(end / each) - origin), ...rest]);
}

/** The rows of `part` that are in the range; `undefined` if there are none. */
function clipped(
  part: MaskedRows,
  [first, end]: RowRange,
  { sigShape }: UdfMeta,
): MaskedRows | undefined {
  const row = Math.floor(part.mask / (sigShape.at(-1) ?? 1));
  const top = Math.max(0, first - row);
  const rows = Math.min(part.rows, end - row) - top;
  if (rows <= 0) return undefined;
  const skipped = top * part.rowLength;
  return { ...part, pixel: part.pixel + skipped, mask: part.mask + skipped, rows };
}

/** The families for 16-bit samples with weights that are 0 or 1. */
const EXACT_KERNELS: readonly KernelFamily[] = ["dot_i16", "dot_sparse"];

/** The families for all samples and weights. */
const ALL_KERNELS: readonly KernelFamily[] = ["dot_i16", "dot_f32", "dot_f64", "dot_sparse"];

/** The dtypes of the buffers of a mask UDF; `sums` only if the result has another dtype. */
export type MaskTypes = {
  readonly intensity: MaskDType;
  readonly sums?: "float64" | "complex128";
};

/** The parts of a mask UDF besides its buffers. */
export interface MaskParts {
  readonly aux: { readonly shifts?: "int32" };
}

/** A UDF that multiplies frames with masks. */
export function udfOfMasks(init: MaskUdfInit): Udf<MaskTypes, MaskParts> & MakingUdf {
  const { name, masks, options: { shifts, dtype } = {}, single, makers } = init;
  const { shifting } = makers;
  const moving = shifts && shifting?.byFrame(shifts) ? shifts : undefined;
  let made: MadeMasks | undefined; // so that masks are made only once
  const make = function* (meta: UdfMeta): Steps<MadeMasks> {
    return made = yield* makeMasks(init, meta);
  };
  const madeFor = (meta: UdfMeta) => made?.meta === meta ? made : allAtOnce(make(meta));
  const factsFor = (meta: UdfMeta) => madeFor(meta).facts;
  const least = (meta: UdfMeta) => {
    if (made?.meta === meta) return made.facts.choice.bytes;
    const known = makers.least(masks(meta), meta.sigShape);
    return known.bytes + 4 * known.masks * meta.frames; // their buffers are known once they have been made
  };
  return {
    name,
    buffers: (meta) => {
      const { masks, complex } = factsFor(meta);
      const kept = complex ? "complex128" : "float64";
      const entry = {
        kind: "nav",
        extraShape: single ? [] : [masks],
        values: "sums",
        ...(single ? {} : { axes: [{ name: "mask" }] }),
      } as const;
      const result = resultDType(dtype, complex);
      if (result === kept) return { intensity: { ...entry, dtype: kept } };
      const sums = { ...entry, dtype: kept, use: "private" } as const;
      return { sums, intensity: { ...entry, dtype: result, use: "result" } };
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ({ nativeDType }) => makers.binary && isSmall(nativeDType) ? EXACT_KERNELS : ALL_KERNELS,
    backends: (data) => moving || !takesCsr(data) ? ["dense"] : ["dense", "csr"],
    explain: (meta) => factsFor(meta).choice.why,
    scratch: () => SPARSE_SCRATCH,
    tiling: moving ? {} : { contiguous: true }, // moving masks need whole frames
    method: () => moving ? "frame" : "tile",
    pixels: (meta) => moving ? undefined : partWith(factsFor(meta).extent, meta),
    leastBytes: least,
    *[MAKING](meta) {
      yield* make(meta);
    },
    constants: (meta) => {
      const constants = madeFor(meta).constants ?? allAtOnce(make(meta)).constants!;
      made!.constants = undefined;
      return constants;
    },
    ...(moving ? { aux: (meta) => ({ shifts: shifting!.ofFrames(moving, meta) }) } : {}),
    processTile(tile, { intensity, sums }, context) {
      const out = (sums ?? intensity).byteOffset;
      if (context.meta.backend === "csr") return multiplyCsr(tile, out, context);
      if (context.constants.starts) return multiplySparse(tile, out, context);
      const first = ravel(tile.box.origin, context.meta.sigShape);
      const { frames, rows, rowLength } = tile;
      const { extent: [from = 0, end = 0] } = arraysOf(context.constants, { extent: "int32" });
      const whole = { pixel: 0, mask: first, frames, rows, rowLength };
      const part = clipped(whole, [from, end], context.meta);
      if (part) multiply(tile, out, part, context);
    },
    processFrame(frame, { intensity, sums }, context) {
      const { sigShape } = context.meta;
      for (const { frame: pixel, mask, length } of shifting!.overlap(sigShape, context.aux.shifts!)) {
        const part = { pixel, mask, frames: 1, rows: 1, rowLength: length };
        multiply(frame, (sums ?? intensity).byteOffset, part, context);
      }
    },
    results: ({ sums }) => sums ? { intensity: Float32Array.from(sums) } : {},
  };
}

function resultDType(wanted: MaskOptions["dtype"], complex: boolean) {
  if (!complex) return wanted ?? "float64";
  if (wanted !== "float32" && wanted !== "float64") return wanted ?? "complex128";
  const text =
    `Cannot give the products of complex masks or frames as ${wanted}; complex64 and complex128 can hold them`;
  throw new TilewiseError("invalid", text, { option: "dtype", expected: "complex128", found: wanted });
}
