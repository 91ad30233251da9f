/**
 * Makes masks for some data, in steps: their weights, facts about them, and the constants for kernels.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type Box, box } from "../../../space/box.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { MaskFunctions, MaskMakers } from "./makers.ts";
import type { Mask } from "./mask.ts";
import { type MaskedRows, maskStack, WeightSizes } from "./multiply.ts";
import type { MaskOptions } from "./options.ts";
import type { MaskSteps } from "./packed.ts";
import { type MaskRow, type MaskRows, rowsOf, unitsOf } from "./rows.ts";
import { chooseSparse, countEntries, numbersIn, type SparseChoice, sparseConstants } from "./sparse.ts";
import type { Steps } from "../../interface/making.ts";
import type { UdfMeta } from "../../interface/udf.ts";

/** What is kept of masks once they have been made for some data. */
export interface MaskFacts extends Omit<MaskRows, "rows"> {
  /** The rows of frames that they need. */
  readonly extent: RowRange;
  /** How they are multiplied. */
  readonly choice: SparseChoice;
}

/** Masks for some data. */
export interface MadeMasks {
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
export function* makeMasks(init: MaskUdfInit, meta: UdfMeta): Steps<MadeMasks> {
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
export interface MaskUdfInit {
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
export type RowRange = readonly [first: number, end: number];

/** The smallest range that contains the rows of `one` and `other`; a mask without weights has the empty range `[0, 0]`. */
export function joined(one: RowRange, other: RowRange): RowRange {
  if (other[1] === 0) return one;
  return one[1] === 0 ? other : [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** The range of rows in which a mask has a weight; `[0, 0]` if it has none. */
export function extentOf(mask: MaskRow, { nativeDType, sigShape }: UdfMeta): RowRange {
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
export function partWith([first, end]: RowRange, { sigShape, pixels }: UdfMeta): Box | undefined {
  if (sigShape.length < 2) return undefined;
  const [planes, ...rest] = sigShape as [number, ...number[]];
  const each = pixels / sigShape.at(-1)! / planes;
  const origin = Math.floor(first / each);
  return box([origin, ...rest.map(() => 0)], [Math.max(1, Math.ceil(end / each) - origin), ...rest]);
}

/** The rows of `part` that are in the range; `undefined` if there are none. */
export function clipped(
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
