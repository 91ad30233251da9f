/**
 * Formats: what can be opened, with which options, and the facts about it.
 *
 * @example All arrays of a source
 * ```ts
 * import { openAll, type OpenOptions } from "@tilewise/tilewise/formats";
 * import { assertEquals } from "@std/assert";
 *
 * const options: OpenOptions = { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] };
 * const arrays = await openAll(Uint8Array.of(1, 2, 3, 4), options);
 * assertEquals(arrays.map(({ shape }) => shape), [[2, 1, 2]]);
 * ```
 *
 * @module
 */

export type { Corrections } from "../dataset/corrections.ts";
export type { Dataset } from "../dataset/dataset.ts";
export type { Axis, Level } from "../dataset/facts.ts";
export type { AxisFacts, AxisKind, ValueFacts } from "../space/axes.ts";
export type { Roi } from "../dataset/roi/roi.ts";
export type { RoiInput } from "../dataset/roi/roi_input.ts";
export { open, openAll } from "../formats/open.ts";
export type { OpenInput, OpenOptions } from "../formats/open.ts";
