/**
 * What a filter is: its word, its parameters, and how an operation over views is made of it.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";

/**
 * How a value is written: `number`: `2.5`; `numbers`: one number for all dimensions, or one per dimension, `0x2x2`; `word`:
 * one of `words`; `level`: a number, or `otsu`; `path`: the name of a file.
 */
type ValueKind = "number" | "numbers" | "word" | "level" | "path";

/** One parameter. */
export interface FilterParameter {
  /** How its value is written. */
  readonly kind: ValueKind;
  /** What it is. */
  readonly meaning: string;
  /** The default; absent: it must be given. */
  readonly preset?: string;
  /** The words that it may be. */
  readonly words?: readonly string[];
  /** What a slider offers; absent: it has none. */
  readonly usual?: UsualValues;
}

/** Usual values of a number, from the least to the greatest, in steps; others may be written. */
interface UsualValues {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** What stands behind a value. */
  readonly unit?: string;
}

/** A value, as it was read. */
export type FilterValue = number | readonly number[] | string;

/** Headings of lists of filters. */
export const FILTER_GROUPS = ["Smoothing", "Edges", "Ranks and morphology", "Samples", "Your own"] as const;

/** A filter. */
export interface Filter {
  /** Its word. */
  readonly name: string;
  /** What it does, in a word or two of everyday language. */
  readonly title: string;
  /** The heading it is found under. */
  readonly group: typeof FILTER_GROUPS[number];
  /** What it computes, in one line. */
  readonly help: string;
  /** Type of its result. */
  readonly result: string;
  /** Its parameters. */
  readonly parameters: Readonly<Record<string, FilterParameter>>;
  /** A word that shows it at work, where its name alone does not. */
  readonly example?: string;
  /** Makes the operation from values that were read as the parameters say. */
  make(values: Readonly<Record<string, FilterValue>>): ViewOperation;
}

/** A number. */
export function number(meaning: string, preset?: string, usual?: UsualValues): FilterParameter {
  return { kind: "number", meaning, ...defined({ preset, usual }) };
}

/** A number for all dimensions, or one per dimension. */
export function numbers(meaning: string, preset?: string, usual?: UsualValues): FilterParameter {
  return { kind: "numbers", meaning, ...defined({ preset, usual }) };
}

/** One of some words. */
export function word(meaning: string, words: readonly string[], preset?: string): FilterParameter {
  return { kind: "word", meaning, words, ...defined({ preset }) };
}

/** A number, or one per dimension: `2`, `0x2x2`. */
export function numbersIn(text: string): number | number[] | undefined {
  const parts = text.split("x").map((part) => part.trim() === "" ? NaN : Number(part));
  if (!parts.every(Number.isFinite)) return undefined;
  return parts.length === 1 ? parts[0] : parts;
}

/** What filters get beside their own words. */
export interface WordDefaults {
  /** Samples on both sides, for filters that were given no radius. */
  readonly radius?: FilterValue;
  /** Names of the arrays that it takes, the source first; absent: it takes one. */
  readonly inputs?: readonly string[];
}
