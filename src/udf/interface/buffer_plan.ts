/**
 * The buffers of a run as plain data, as they travel to workers.
 *
 * @module
 */

import type { DType } from "../../space/dtype.ts";
import type { NumberRule } from "./merge_rules.ts";

/**
 * One buffer of one UDF, as plain data.
 * @category User-defined functions
 */
export interface BufferPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Numbers per entry. */
  readonly entry: number;
  /** Shape of one entry; empty for a number. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** Whether the result has one row per selected frame. */
  readonly compressed: boolean;
  /** Bytes from the start of the set; undefined for buffers that only `results` fills. */
  readonly offset?: number;
  /** How partial results are merged, if the buffer has a rule. */
  readonly merge?: NumberRule;
}

/**
 * The buffers of all UDFs of a run.
 * @category User-defined functions
 */
export interface SetPlan {
  /** Per UDF: its buffers of numbers. */
  readonly udfs: readonly (readonly BufferPlan[])[];
  /** Per UDF: its buffers of JSON values, which have no place in memory. */
  readonly objects: readonly (readonly ObjectPlan[])[];
  /** Frames that the nav buffers of a set have room for. */
  readonly frames: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
  /** Bytes of one set. */
  readonly bytes: number;
}

/** What one call of a UDF may see: rows of nav buffers and pixels of sig buffers. */
export interface Window {
  /** First row of the nav buffers. */
  readonly frame: number;
  /** Rows of the nav buffers. */
  readonly frames: number;
  /** First pixel of the sig buffers. */
  readonly pixel: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
}

/**
 * One object buffer of one UDF, as plain data.
 * @category User-defined functions
 */
export interface ObjectPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Values per entry. */
  readonly entry: number;
  /** Shape of one entry; empty for one value. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** Whether the result has one row per selected frame. */
  readonly compressed: boolean;
  /** Whether only `results` fills it. */
  readonly resultOnly: boolean;
  /** How partial results are merged, if the buffer has a rule. */
  readonly merge?: "concat";
}
