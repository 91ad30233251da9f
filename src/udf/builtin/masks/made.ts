/**
 * Makes masks for some data, in steps: their weights, facts about them, and the constants for kernels.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { TypedArray } from "../../../space/dtype.ts";
import type { Steps } from "../../interface/making.ts";
import type { UdfMeta } from "../../interface/udf.ts";
import { extentOf, joined, type RowRange } from "./extent.ts";
import type { Mask } from "./mask.ts";
import { maskStack, WeightSizes } from "./multiply.ts";
import type { MaskOptions } from "./options.ts";
import type { MaskSteps } from "./packed.ts";
import { type MaskRow, type MaskRows, rowsOf } from "./rows.ts";
import { chooseSparse, countEntries, numbersIn, type SparseChoice, sparseConstants } from "./sparse.ts";
import type { MaskFunctions, MaskMakers } from "./makers.ts";

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
