/**
 * What the command line knows of a reduction: a word at the end of the filters whose result is not a filtered image, but a table,
 * or labels.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import type { ArraySpec } from "../../views/array.ts";
import type { AxesInput } from "../../views/chain/dimensions.ts";
import type { MapViewsOptions } from "../../views/map/map_views.ts";
import type { AnySink } from "../../views/map/map_plan.ts";
import type { FilterParameter, FilterValue } from "../../analyses/filters/filter.ts";
import type { Columns } from "../../analyses/objects.ts";

/** What a reduction is planned for. */
export interface ReductionRequest {
  /** What was opened. */
  readonly source: StoredDataset;
  /** The result of the filters before it, which need not be there yet; the source if there are none. */
  readonly filtered: ArraySpec;
  /** Its parameters. */
  readonly values: Readonly<Record<string, FilterValue>>;
  /** The dimensions that make one image, where they were asked for. */
  readonly axes?: AxesInput;
  /** Context and signal. */
  readonly settings: Pick<MapViewsOptions, "context" | "signal">;
}

/** What a reduction works on. */
export interface ReductionInput extends Omit<ReductionRequest, "filtered"> {
  /** The same, computed. */
  readonly filtered: StoredDataset;
  /** A file for what does not fit into memory; it is removed afterwards. */
  scratch(name: string): Promise<string>;
}

/** A table, and what is printed of it. */
export interface Table {
  /** The columns. */
  readonly columns: Columns;
  /** A few facts about it, for JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same as lines. */
  readonly summary: readonly (readonly [name: string, value: string])[];
}

/** A number per sample of the image. */
export interface LabelsMade {
  /** How many labels there are. */
  readonly count: number;
}

/** What all reductions have. */
interface Common {
  /** Its word. */
  readonly name: string;
  /** What it computes, in one line. */
  readonly help: string;
  /** What its result is. */
  readonly result: string;
  /** Its parameters. */
  readonly parameters: Readonly<Record<string, FilterParameter>>;
  /** A command that shows it at work, without `tilewise map`. */
  readonly example: string;
  /** Refuses, before any filter is computed, what would be refused after them; `sink`: takes the labels. */
  check(asked: ReductionRequest, sink?: AnySink<"uint32">): Promise<void>;
}

/** One whose result is a table. */
export interface TableReduction extends Common {
  /** Computes it. */
  table(input: ReductionInput): Promise<Table>;
}

/** One whose result is an image of uint32. */
export interface LabelReduction extends Common {
  /** Computes it; `sink` takes the labels. */
  labels(input: ReductionInput, sink: AnySink<"uint32">): Promise<LabelsMade>;
}

/** A reduction. */
export type ReductionWord = TableReduction | LabelReduction;
