/**
 * Converts what a UDF gives as a result into the declared array: type, shape, fill values, valid mask.
 *
 * @module
 */

import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { defined, inWords } from "../../options.ts";
import { dtypeInfo, dtypeOf, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { fillNumbers, identityOf, setNumber } from "../../space/numbers.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { isArray } from "../../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { broadcastMask, type MaskInput } from "../../space/valid.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import type { ObjectArray } from "../interface/buffer_types.ts";
import { jsonCopies } from "./object_buffers.ts";
import type { ResultValue } from "../interface/objects.ts";

/** Which rows of a nav result are valid; one byte each. */
export interface RowFacts {
  /** Whether the frame has been merged. */
  readonly merged: Uint8Array;
  /** Whether the row is selected; absent: all are. */
  readonly selected?: Uint8Array;
  /** Whether rows that are not merged keep what `preprocess` wrote. */
  readonly keepsStart: boolean;
}

/** The facts that are known about a result. */
export interface ResultInit {
  /** Name of the UDF. */
  readonly udf: string;
  /** Shape of the result. */
  readonly shape: Shape;
  /** What its dimensions are. */
  readonly axes: readonly AxisFacts[];
  /** What its numbers mean, if that is more than what follows from their type. */
  readonly values?: ValueFacts;
  /** Its mask, if the UDF gave one. */
  readonly mask?: MaskInput;
  /** The rows of a nav result. */
  readonly rows?: RowFacts;
}

/** Refuses what is not an object of results by name. */
export function checkGiven(udf: string, where: string, given: object): void {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given) &&
    !ArrayBuffer.isView(given);
  if (isObject) return;
  const found = inWords(given);
  const text =
    `UDF "${udf}": ${where} returned ${found}; it must return an object of results by name, such as { sum }`;
  throw new TilewiseError("udf", text, { udf, method: where.replace("()", ""), found });
}

/** The declared array from the numbers `data`. Rows without a result are filled in place. */
export function numberResult(plan: BufferPlan, data: ResultValue, init: ResultInit): NDArray {
  const { shape, rows } = init;
  const numbers = asDeclared(init.udf, plan, data);
  const units = sizeOf(shape) * unitsOf(plan.dtype);
  if (numbers.length !== units) throw wrongSize(init, plan.name, units, numbers.length);
  if (rows) fillRows(numbers, rows, "mask" in init, plan);
  if ("fc".includes(dtypeInfo(plan.dtype).kind)) unifyNaN(numbers);
  const { axes, values } = init;
  return {
    ...ndarray(numbers, shape, plan.dtype, maskOf(plan.name, init)),
    axes,
    ...defined({ values }),
  };
}

/** The declared array from JSON values. */
export function objectResult(plan: ObjectPlan, data: ResultValue, init: ResultInit): ObjectArray {
  const { udf, shape, rows } = init;
  if (!Array.isArray(data)) {
    const text = `UDF "${udf}": the object buffer "${plan.name}" must be a list, it is ${inWords(data)}`;
    throw new TilewiseError("udf", text, { udf, expected: "Array", found: foundName(data) });
  }
  const values = jsonCopies(udf, plan.name, data);
  if (values.length !== sizeOf(shape)) throw wrongSize(init, plan.name, sizeOf(shape), values.length);
  rows?.selected?.forEach((on, row) => {
    if (!on) values.fill(null, row * plan.entry, (row + 1) * plan.entry);
  });
  const valid = maskOf(plan.name, init);
  return { data: values, shape, ...defined({ valid }) };
}

/** `data` in the declared type; only numbers of the same kind are converted. */
export function asDeclared(udf: string, { name, dtype }: BufferPlan, data: ResultValue): TypedArray {
  const wantedClass = zeros(dtype, 0).constructor;
  if (ArrayBuffer.isView(data) && data.constructor === wantedClass) return data;
  const found = ArrayBuffer.isView(data) ? dtypeOf(data) : undefined;
  const { kind } = dtypeInfo(dtype);
  const wanted = kind === "c" ? "f" : kind;
  const kindFound = found && dtypeInfo(found).kind;
  if (!ArrayBuffer.isView(data) || kindFound !== wanted) {
    const text = `UDF "${udf}": buffer "${name}" is declared ${dtype}, it was given ${inWords(data)}; ` +
      advice(wantedClass.name, data, found !== undefined);
    throw new TilewiseError("udf", text, { udf, expected: dtype, found: foundName(data) });
  }
  const converted = zeros(dtype, data.length / unitsOf(dtype));
  for (let i = 0; i < data.length; i++) setNumber(converted, i, data[i]!);
  return converted;
}

/** What to give instead. */
function advice(wanted: string, data: unknown, isTyped: boolean): string {
  if (isTyped) return "numbers of another kind are not converted";
  if (Array.isArray(data)) return `it must be a ${wanted}, as ${wanted}.from(list) makes it`;
  if (isArray(data)) return `it must be a ${wanted}, such as the data of that array`;
  if (typeof data === "number" || typeof data === "bigint") {
    return `it must be a ${wanted}, such as ${wanted}.of(value)`;
  }
  return `it must be a ${wanted}`;
}

function foundName(data: unknown): string {
  return (data as object | undefined)?.constructor?.name ?? inWords(data);
}

function wrongSize({ udf, shape }: ResultInit, name: string, expected: number, found: number): TilewiseError {
  const text = `UDF "${udf}": buffer "${name}" of ${
    showShape(shape)
  } needs ${expected} values, it was given ${found}`;
  return new TilewiseError("udf", text, { udf, expected, found });
}

/** Gives every NaN the same bits: without this, sign and payload depend on the instructions used, not on the samples. */
export function unifyNaN(data: TypedArray): void {
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (value !== value) data[i] = NaN;
  }
}

/**
 * Sets rows that are not selected to the fill value of their type; also other rows without a result, if the fill value
 * is NaN or they would show where a rule of merging starts. What `preprocess` wrote is kept.
 */
function fillRows(data: TypedArray, rows: RowFacts, masked: boolean, plan: BufferPlan): void {
  const { merged, selected, keepsStart } = rows;
  const { kind } = dtypeInfo(plan.dtype);
  const isFloat = kind === "f" || kind === "c";
  const fill = isFloat ? NaN : 0;
  const start = plan.merge && identityOf(plan.merge, plan.dtype); // no number that anybody wrote
  const all = !masked && (start !== undefined || isFloat && !keepsStart);
  const unit = plan.entry * unitsOf(plan.dtype);
  const isKept = (row: number) =>
    keepsStart && data.subarray(row * unit, (row + 1) * unit).some((value) => value !== start);
  for (let row = 0; row < merged.length; row++) {
    const missing = selected && !selected[row] || all && !merged[row] && !isKept(row);
    if (missing) fillNumbers(data, fill, row * unit, (row + 1) * unit);
  }
}

function maskOf(name: string, init: ResultInit): Uint8Array | undefined {
  const { udf, shape, mask, rows } = init;
  if (!("mask" in init)) return rows?.merged;
  const valid = broadcast(udf, name, mask!, shape); // whatever the UDF gave, even nothing
  const each = valid.length / (rows?.merged.length ?? 1);
  rows?.selected?.forEach((on, row) => {
    if (!on) valid.fill(0, row * each, (row + 1) * each);
  });
  return valid;
}

function broadcast(udf: string, name: string, mask: MaskInput, shape: Shape): Uint8Array {
  try {
    return broadcastMask(mask, shape);
  } catch (error) {
    if (!isTilewiseError(error, "invalid")) throw error;
    const text = `UDF "${udf}": invalid mask for "${name}": ${error.message}`;
    throw new TilewiseError("udf", text, { ...error.details, udf }, { cause: error });
  }
}
