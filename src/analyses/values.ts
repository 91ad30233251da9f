/**
 * Values of parameters as words: numbers, truth values, vectors `y:x`, lists of points, files `@FILE`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { NDArray } from "../space/ndarray.ts";
import { parseRanges } from "../space/ranges.ts";
import type { ParamValue } from "../udf/interface/udf_ref.ts";
import type { Kind, Parameter, Value, Values } from "./analysis.ts";
import { WordError } from "./word_error.ts";

/** A file that is still to be read. */
export interface FileValue {
  /** Its path. */
  readonly file: string;
  /** Whether its rows are points. */
  readonly points?: true;
}

/** A value as it was typed. */
export type TypedValue = ParamValue | FileValue | readonly (readonly number[])[];

/** Values by name, as they were typed. */
export type TypedValues = Readonly<Record<string, TypedValue>>;

type Reader = (text: string, parameter: Parameter) => TypedValue | undefined;

const READERS: Readonly<Record<Kind, Reader>> = {
  number: (text) => numberOf(text),
  truth: (text) => text === "true" ? true : text === "false" ? false : undefined,
  word: (text, { words = [] }) => words.find((word) => word === text),
  vector: (text) => pair(text),
  points: (text) => fileOf(text, true) ?? pairs(text),
  ranges: (text) => rangesOf(text),
  array: (text, { kinds }) => fileOf(text) ?? (kinds.length === 1 ? { file: text } : undefined),
  path: (text) => text.replace(/^@/, ""),
};

/** How values are written, for messages and help. */
export const WRITTEN: Readonly<Record<Exclude<Kind, "word">, string>> = {
  number: "a number",
  truth: "true or false",
  vector: "y:x",
  points: "y:x;y:x;… or @FILE.npy",
  ranges: "start:stop,…",
  array: "@FILE.npy",
  path: "the name of a file",
};

/** How the value of a parameter is written. */
export function written({ kinds, words = [] }: Parameter): string {
  return kinds.map((kind) => kind === "word" ? words.join(" or ") : WRITTEN[kind]).join(", or ");
}

/**
 * The value that `text` means for a parameter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const parameter = { kinds: ["vector"], meaning: "the origin" } as const;
 * assertEquals(parseValue("refinelattice", "zero", "12.5:-3", parameter), [12.5, -3]);
 * ```
 */
export function parseValue(analysis: string, name: string, text: string, parameter: Parameter): TypedValue {
  for (const kind of parameter.kinds) {
    const value = READERS[kind](text.trim(), parameter);
    if (value !== undefined) return value;
  }
  throw new WordError(`the UDF ${analysis} cannot use ${name}=${text}; write ${written(parameter)}`, {
    parameter: name,
  });
}

/** The value of `text` for code of users: a number, a truth value, an array, or the text itself. */
export function freeValue(text: string): TypedValue {
  return READERS.truth(text, FREE) ?? numberOf(text) ?? fileOf(text) ?? text;
}

const FREE: Parameter = { kinds: [], meaning: "" };

/** Reads a file of that name as an array. */
export type ArrayReader = (name: string) => Promise<NDArray>;

/** The values with their files read. */
export async function readValues(values: TypedValues, read: ArrayReader): Promise<Values> {
  const entries = Object.entries(values).map(async ([name, value]) =>
    [name, isFile(value) ? await readFileValue(value, read) : value as Value] as const
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Whether a value is a file that is still to be read. */
export function isFile(value: TypedValue): value is FileValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "file" in value;
}

async function readFileValue({ file, points }: FileValue, read: ArrayReader): Promise<Value> {
  const { data, shape, stride, dtype } = await read(file);
  const array: NDArray = { data, shape, stride, dtype }; // without the looks of a result, so that it can travel
  if (!points) return array;
  if (shape.length === 2 && shape[1] === 2) {
    return Array.from({ length: shape[0]! }, (_, i) => [Number(data[2 * i]), Number(data[2 * i + 1])]);
  }
  throw new WordError(`${file} has the shape ${shape.join(" × ")}; points need N × 2`);
}

function fileOf(text: string, points?: true): FileValue | undefined {
  if (!/^@./.test(text)) return undefined;
  return { file: text.slice(1), ...(points ? { points } : {}) };
}

function numberOf(text: string): number | undefined {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Ranges as they were written, if they are some: the shape of the scan is not known yet. */
function rangesOf(text: string): string | undefined {
  try {
    parseRanges(text);
    return text;
  } catch (error) {
    if (error instanceof TilewiseError) return undefined;
    throw error;
  }
}

function pair(text: string): number[] | undefined {
  const numbers = text.split(":").map(numberOf);
  return numbers.length === 2 && !numbers.includes(undefined) ? numbers as number[] : undefined;
}

function pairs(text: string): number[][] | undefined {
  const points = text.split(";").filter((part) => part.trim() !== "").map(pair);
  return points.length > 0 && !points.includes(undefined) ? points as number[][] : undefined;
}
