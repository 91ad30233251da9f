/**
 * What an analysis is: its parameters with meaning and defaults, its results, and how a UDF is made of it.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import type { NDArray } from "../space/ndarray.ts";
import type { UdfResult } from "../udf/interface/buffer_types.ts";
import type { Mask } from "../udf/builtin/masks/mask.ts";
import { builtin, type ParamValue, type UdfRef } from "../udf/interface/udf_ref.ts";

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
  /** Computes something in a pass of its own, over the same selection; absent in a dry run. */
  readonly firstPass?: (ref: UdfRef) => Promise<UdfResult>;
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

/** A UDF, and the last step for its results. */
export interface Made {
  /** The UDF. */
  readonly ref: UdfRef;
  /** Makes the results of the analysis from those of the UDF. */
  readonly finish?: (result: UdfResult) => UdfResult | Promise<UdfResult>;
  /** The names of the results that {@link finish} gives. */
  readonly names?: readonly string[];
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
    ...(preset === undefined ? {} : { preset }),
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
