/**
 * What the workers of imaging are told: the grid and where everything lies, and one step of the work.
 *
 * @module
 */

import type { KernelCode } from "../../kernels/bind.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import type { Layout } from "./layout.ts";

/** Where one part of the rows lies. */
export interface PartPlace {
  /** Baselines, three f64 per row. */
  readonly uvw: number;
  /** Visibilities, pairs of f64: what is spread, or what has been gathered so far. */
  readonly values: number;
  /** Weights, f64; 0: none. */
  readonly weights: number;
  /** Records of samples. */
  readonly records: number;
  /** The tile of each record, and where the next one of each tile goes. */
  readonly keys: number;
  readonly next: number;
  /** Numbers of records, by tiles. */
  readonly order: number;
  /** Where the samples of each row of tiles begin in `order`. */
  readonly starts: number;
}

/** What all steps share. */
export interface ImagingShared {
  /** The kernels. */
  readonly code: KernelCode;
  /** The grid. */
  readonly layout: Layout;
  /** Type of its numbers. */
  readonly dtype: "float32" | "float64";
  /** The sign of the phase. */
  readonly convention: PhaseConvention;
  /** Channels. */
  readonly frequency: Float64Array;
  /** Address of the first plane. */
  readonly grid: number;
  /** Address of the image, f64. */
  readonly image: number;
  /** Address of what the weights of each cell are divided by, f64; 0: none. */
  readonly density: number;
  /** Addresses of the table of the window, and of those of transforms along u and v. */
  readonly tables: readonly [window: number, u: number, v: number];
  /** Degree of the window's polynomials. */
  readonly degree: number;
  /** What undoes the window along l and m, and, as a series, along w. */
  readonly corrections: readonly [l: Float64Array, m: Float64Array, series: Float64Array];
  /** Parts of the rows. */
  readonly parts: readonly PartPlace[];
  /** Address of the scratch of each worker. */
  readonly scratch: readonly number[];
  /** Whether samples are gathered from the grid, not spread over it. */
  readonly gathers: boolean;
  /** Sources of predictions. */
  readonly sources?: SourcesPlace;
}

/** Sources, and how they become pixels. */
export interface SourcesPlace {
  /** Their number. */
  readonly count: number;
  /** Addresses of l, m and flux, three f64 per source, and of what parts of rows have as well. */
  readonly places:
    & { readonly lmf: number }
    & Pick<
      PartPlace,
      "records" | "keys" | "next" | "order" | "starts"
    >;
  /** Tiles along l and m. */
  readonly tiles: readonly [number, number];
}

/** One step. */
export type ImagingTask =
  /** Records of the samples of a part, and their order; the sum of their weights. */
  | { readonly do: "prepare"; readonly part: number; readonly rows: number; readonly first: number }
  /** Adds the weights of parts to those of their cells. */
  | { readonly do: "density"; readonly parts: readonly PartRows[] }
  /** Clears rows of planes. */
  | { readonly do: "clear"; readonly planes: number; readonly rows: Range }
  /** Spreads the samples of parts over rows of planes. */
  | { readonly do: "spread"; readonly parts: readonly number[]; readonly rows: Range; readonly planes: Range }
  /** Transforms rows of planes: cells to pixels, or back. */
  | { readonly do: "rows"; readonly planes: number; readonly rows: Range; readonly widen: boolean }
  /** Transforms columns of planes and adds them to the image, or makes them of it. */
  | { readonly do: "columns"; readonly planes: Range; readonly columns: Range; readonly widen: boolean }
  /** Undoes the window in rows of the image, and scales them. */
  | { readonly do: "correct"; readonly rows: Range; readonly scale: number }
  /** Adds up cells for some samples of a part. */
  | { readonly do: "gather"; readonly part: number; readonly samples: Range; readonly planes: Range }
  /** Turns what has been gathered into visibilities, where `last`, and puts it to the values of the part. */
  | { readonly do: "finish"; readonly part: number; readonly rows: number; readonly last: boolean }
  /** Orders sources by tiles. */
  | { readonly do: "sort sources" }
  /** The values of sources on a plane. */
  | { readonly do: "sources"; readonly sources: Range; readonly plane: number }
  /** Spreads sources over rows of pixels of a plane. */
  | { readonly do: "spread sources"; readonly rows: Range; readonly slot: number };

/** A part, and how many rows it has. */
export interface PartRows {
  /** Its number. */
  readonly part: number;
  /** Its rows. */
  readonly rows: number;
  /** The number of its first row. */
  readonly first: number;
}

/** From start to stop. */
export type Range = readonly [start: number, stop: number];
