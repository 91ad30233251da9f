/**
 * What can be opened beside files: arrays in memory, dense or sparse, and how their shapes may be given.
 *
 * @module
 */

import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import type { DType, TypedArray } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";

/**
 * How the samples of an array become frames on a scan; each may be among the options of `open` instead.
 * @category Data sets
 */
export interface Arrangement {
  /** Shape of the scan; as the option `nav`. */
  readonly nav?: Shape;
  /** Shape of a frame; as the option `sig`. */
  readonly sig?: Shape;
  /** How many of the last dimensions are the frame; as the option `sigDims`. */
  readonly sigDims?: number;
  /** Images to skip, or blank positions before the first image; as the option `syncOffset`. */
  readonly syncOffset?: number;
  /** Type of the samples, where the typed array has several: `bool`, `complex64`, `complex128`. */
  readonly dtype?: DType | string;
  /** What messages call it. Default `memory`. */
  readonly name?: string;
}

/**
 * An array in memory: a result of a run ({@link NDArray}), or samples with what they are.
 * @category Data sets
 */
export interface ArrayInput extends Arrangement {
  /** The samples; complex ones as pairs of floats, re before im. */
  readonly data: TypedArray;
  /** Sizes, slowest dimension first. Default: `nav`, then `sig`. */
  readonly shape?: Shape;
  /** Distance between neighbours, in samples, per dimension. Default: row-major, without gaps. */
  readonly stride?: Shape;
  /** Which frames are valid, as in {@link NDArray}; no run selects the others. */
  readonly valid?: Uint8Array | undefined;
  /** Names, kinds, scales and units of the dimensions. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** What the samples mean. Default: amounts, or a mask if they are `bool`. */
  readonly values?: ValueFacts | undefined;
}

/**
 * Whole numbers: a typed array or a list.
 * @category Data sets
 */
export type IndexList = TypedArray | readonly number[];

/**
 * Sparse frames by their rows: entries `indptr[i]` to `indptr[i + 1] − 1` are those of image `i`.
 * @category Data sets
 */
export interface CsrInput extends Arrangement {
  /** The matrix: a row is an image, a column a pixel of the flattened frame. */
  readonly csr: {
    /** Row pointers: images + 1 numbers. */
    readonly indptr: IndexList;
    /** The flat pixel of each entry, in any order within a row; entries with the same place are added up. */
    readonly indices: IndexList;
    /** The sample of each entry: real numbers. */
    readonly data: TypedArray;
  };
}

/**
 * Sparse frames by their entries, in any order.
 * @category Data sets
 */
export interface CooInput extends Arrangement {
  /** The matrix: a row is an image, a column a pixel of the flattened frame. */
  readonly coo: {
    /** The image of each entry. */
    readonly rows: IndexList;
    /** The flat pixel of each entry; entries with the same place are added up. */
    readonly columns: IndexList;
    /** The sample of each entry: real numbers. */
    readonly data: TypedArray;
  };
}

/**
 * What lies in memory: a dense array, or a sparse matrix in one of two forms.
 * @category Data sets
 */
export type MemoryInput = ArrayInput | CsrInput | CooInput;

/** What it has, by which it is recognised. */
const FORMS = ["data", "csr", "coo"] as const;

/** Whether `source` is an array or a matrix in memory, not something that has bytes of a file. */
export function isMemoryInput(source: unknown): source is MemoryInput {
  if (typeof source !== "object" || source === null || Array.isArray(source)) return false;
  if (source instanceof Blob || source instanceof URL || ArrayBuffer.isView(source)) return false;
  return FORMS.some((form) => form in source);
}
