/**
 * What is compared, as plain data: a data set, how it is run, and the parameters of one piece of work. From this alone
 * both sides make the same thing, and it can be kept and run again.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../../src/space/dtype.ts";

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Parameters by name. */
export type Params = { readonly [key: string]: Json };

/** What the samples look like, see `values.ts`. */
export type Pattern =
  | "zeros"
  | "constant"
  | "counts"
  | "sparse"
  | "signed"
  | "fractions"
  | "offset"
  | "extreme"
  | "special"
  | "disks"
  | "field"
  | "grains";

/** How the samples are stored. */
export type FileKind = "raw" | "npy" | "mib" | "hdf5" | "hdf5-chunks" | "raw_csr";

/** A data set. */
export interface DataSpec {
  /** Shape of the scan. */
  readonly nav: readonly number[];
  /** Shape of a frame. */
  readonly sig: readonly number[];
  /** Type of the samples. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
  /** What they look like. */
  readonly pattern: Pattern;
  /** Seed of the samples. */
  readonly seed: number;
  /** How they are stored. */
  readonly file: FileKind;
  /** Images in the file; may differ from the positions of the scan. */
  readonly images: number;
  /** Images to skip (positive), or blank positions before the first image (negative). */
  readonly syncOffset: number;
  /** Of `hdf5-chunks`: shape of a chunk. */
  readonly chunks?: readonly number[];
}

/** In which form a region of interest is given; `toggles`: the positions that are not selected, each with `false`. */
export type RoiForm = "mask" | "nested" | "sparse" | "coordinates" | "toggles" | "single";

/** A region of interest. */
export interface RoiSpec {
  /** Flat positions that are selected, ascending. */
  readonly selected: readonly number[];
  /** How it is said. */
  readonly form: RoiForm;
}

/** Corrections of the detector. */
export interface CorrectionSpec {
  /** Type of a dark frame, if there is one. */
  readonly dark?: "float32" | "float64";
  /** Type of a gain map, if there is one. */
  readonly gain?: "float32" | "float64";
  /** Coordinates of pixels that mean nothing. */
  readonly excluded: readonly (readonly number[])[];
  /** Whether such a pixel may be left as it is. */
  readonly allowEmpty: boolean;
  /** Seed of dark frame and gain map. */
  readonly seed: number;
}

/** How the data are run. */
export interface RunSpec {
  /** Region of interest. Default: everything. */
  readonly roi?: RoiSpec;
  /** Corrections. Default: none. */
  readonly corrections?: CorrectionSpec;
  /** Partitions that both are asked for. Default: as each likes. */
  readonly partitions?: number;
  /** Bytes of a tile of ours. Default: as it likes. */
  readonly tileBytes?: number;
  /** Whether ours runs on worker threads. */
  readonly onWorkers: boolean;
}

/** A data set and how it is run. */
export interface Subject {
  /** The data. */
  readonly data: DataSpec;
  /** The run. */
  readonly run: RunSpec;
}

/** One comparison. */
export interface Case extends Subject {
  /** What is computed, by its word. */
  readonly word: string;
  /** Its parameters. */
  readonly params: Params;
}

/** Whether samples are complex numbers. */
export function isComplex({ dtype }: Pick<DataSpec, "dtype">): boolean {
  return dtype.startsWith("complex");
}

/** Whether the samples are integers. */
export function isInteger({ dtype }: Pick<DataSpec, "dtype">): boolean {
  return dtype.startsWith("int") || dtype.startsWith("uint");
}

/** Whether frames have rows and columns. */
export function isImage({ sig }: Pick<DataSpec, "sig">): boolean {
  return sig.length === 2;
}

/** Product of sizes. */
export function product(sizes: readonly number[]): number {
  return sizes.reduce((all, n) => all * n, 1);
}
