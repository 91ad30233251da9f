/**
 * What an analysis is: its parameters with meaning and defaults, its results, and how a UDF is made of it.
 *
 * @module
 */

import { defined } from "../options.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import type { DType } from "../space/dtype.ts";
import type { NDArray } from "../space/ndarray.ts";
import { parseRanges } from "../space/ranges.ts";
import type { Mask } from "../udf/builtin/masks/mask.ts";
import type { UdfResult } from "../udf/interface/buffer_types.ts";
import { builtin, type ParamValue, type UdfRef } from "../udf/interface/udf_ref.ts";
import { WordError, wrongValue } from "./word_error.ts";

/**
 * How the value of a parameter is written:
 *
 * - `number`: `12.5`; `truth`: `true` or `false`; `word`: one of `words`;
 * - `vector`: `y:x`; `points`: `y:x;y:x;…`, or `@FILE.npy` with one pair per row;
 * - `ranges`: `start:stop,start:stop,…` as for `--roi`;
 * - `array`: `@FILE.npy`; `path`: the name of a file that the analysis reads by itself.
 */
export type Kind = "number" | "truth" | "word" | "vector" | "points" | "ranges" | "array" | "path";

/** One parameter. */
export interface Parameter {
  /** How its value may be written. */
  readonly kinds: readonly Kind[];
  /** What it is. */
  readonly meaning: string;
  /** Unit of its numbers. */
  readonly unit?: string;
  /** The default; absent: the parameter must be given. */
  readonly preset?: string;
  /** The words it may be. */
  readonly words?: readonly string[];
}

/** Exactly one parameter for each option of a UDF. */
export type ParametersOf<Options> = { readonly [K in keyof Required<Options>]: Parameter };

/** The value of a parameter, its files read. */
export type Value = ParamValue | NDArray | readonly (readonly number[])[];

/** The parameters of a word by name. */
export type Values = Readonly<Record<string, Value>>;

/**
 * A value, or several by name, as what their {@link Kind} in the table makes of them. It was checked when it was read; the
 * compiler cannot follow from the row of a table to the type of an option.
 */
export function asRead<T>(value: Value | Values): T {
  return value as T;
}

/** What an analysis may use while its UDF is made. */
export interface AnalysisContext {
  /** What will be read. */
  readonly dataset: Dataset;
  /**
   * Computes something in a pass of its own, over the same selection. Gives nothing where the run is planned but no frame is
   * read yet: the analysis goes on with something that could have been found, so that the rest of it is checked.
   */
  readonly firstPass: (ref: UdfRef) => Promise<UdfResult | undefined>;
  /** Reads the masks of a file of that name for the frames of {@link dataset}; absent: there are no files. */
  readonly readMasks?: (name: string) => Promise<Mask>;
  /** Says what was found before the run: as text, and as data. */
  tell(text: string, found: Readonly<Record<string, unknown>>): void;
  /** Whether only some positions of the scan are selected. */
  readonly selects: boolean;
}

/** Says a warning, as text and as data. */
export function warn({ tell }: AnalysisContext, udf: string, warning: string): void {
  tell(`warning: ${udf}: ${warning}`, { udf, warning });
}

/** A UDF, and the last steps for its results. */
export interface Made {
  /** The UDF. */
  readonly ref: UdfRef;
  /** Makes the results of the analysis from those of the UDF. */
  readonly finish?: (result: UdfResult) => UdfResult | Promise<UdfResult>;
  /** What {@link finish} gives, in this order: the types of the results by name. */
  readonly types?: Readonly<Record<string, DType>>;
  /** Warns of results that mean little; they stay as they are. */
  readonly judge?: (result: UdfResult) => void;
}

/** Headings of lists of analyses. */
export const GROUPS = ["Reductions", "Detectors", "Diffraction", "Fourier", "Lattice", "Your own"] as const;

/** One analysis. */
export interface Analysis {
  /** Its word: the name of the built-in UDF behind it, or a name of its own. */
  readonly name: string;
  /** Other words for it: those that people know from LiberTEM. */
  readonly aliases?: readonly string[];
  /** The heading it is found under. */
  readonly group: typeof GROUPS[number];
  /** What it computes, in one line. */
  readonly help: string;
  /** More about it. */
  readonly notes?: readonly string[];
  /** Its parameters. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Its results and what they are. */
  readonly results: Readonly<Record<string, string>>;
  /** A word that shows it at work, where its name alone does not. */
  readonly example?: string;
  /** Usage after the word, if it is not a list of parameters. */
  readonly usage?: string;
  /** The parameters that mean something beside these values, by name; absent: all. */
  uses?(values: Readonly<Record<string, string>>): readonly string[];
  /** Refuses combinations of parameters that are invalid, before anything is opened. */
  check?(names: readonly string[]): void;
  /** Makes the UDF from the values; absent: they are the parameters of the built-in of its name. */
  make?(values: Values, facts: AnalysisContext): Made | Promise<Made>;
}

/** The UDF of an analysis for these values. */
export async function make(analysis: Analysis, values: Values, facts: AnalysisContext): Promise<Made> {
  if (analysis.make) return await analysis.make(values, facts);
  return { ref: builtin(analysis.name, values as Readonly<Record<string, ParamValue>>) };
}

/** A number. */
export function number(meaning: string, preset?: string, unit: string = "px"): Parameter {
  return {
    kinds: ["number"],
    meaning,
    ...(unit ? { unit } : {}),
    ...defined({ preset }),
  };
}

/** A truth value. */
export function truth(meaning: string, preset: string = "false"): Parameter {
  return { kinds: ["truth"], meaning, preset };
}

/** One of some words. */
export function word(meaning: string, words: readonly string[], preset: string): Parameter {
  return { kinds: ["word"], meaning, words, preset };
}

/** Row and column of the centre. */
export const CENTRE = {
  cy: number("row of the centre", "height / 2"),
  cx: number("column of the centre", "width / 2"),
} as const;

/** The results of UDFs that give one number per frame. */
export const INTENSITY = { intensity: "one number per frame: float64, shape of the scan" } as const;

// Values of parameters as words: numbers, truth values, vectors `y:x`, lists of points, files `@FILE`.

/** A file that is still to be read. */
interface FileValue {
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
  throw wrongValue(`the UDF ${analysis}`, name, text, written(parameter));
}

/** The value of `text` for code of users: a number, a truth value, an array, or the text itself. */
export function freeValue(text: string): TypedValue {
  return READERS.truth(text, FREE) ?? numberOf(text) ?? fileOf(text) ?? text;
}

const FREE: Parameter = { kinds: [], meaning: "" };

/** Reads a file of that name as an array. */
type ArrayReader = (name: string) => Promise<NDArray>;

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
