/**
 * User-defined functions: what they declare, what their functions see, and what their results are.
 *
 * `udf`, `defineUdf`, `mapFrames`, `kernelUdf` and `expression` make UDFs. The types here describe the members of a UDF and
 * the parameters of its functions.
 *
 * @example Name the types of a function that takes a tile
 * ```ts
 * import { defineUdf, open, plan, run, type Tile } from "@tilewise/tilewise";
 * import { combineInto, type FloatArray } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 *
 * function brighter({ data }: Tile<FloatArray>, most: Float32Array) {
 *   combineInto(most, data, Math.max);
 * }
 * const peak = defineUdf({
 *   name: "peak",
 *   buffers: { most: { kind: "sig", dtype: "float32", merge: "max" } },
 *   processFrame: (frame, { most }) => brighter(frame, most),
 * });
 * const scan = await open(Uint8Array.of(1, 9, 4, 8), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const results = await run(await plan(scan, { peak }));
 * assertEquals([...results.peak.most.data], [4, 9]);
 * ```
 *
 * @module
 */

export { asNumbers, combineInto, type FloatArray, type NumberArray } from "../space/numbers.ts";
export type { AxisFacts, AxisKind, ValueFacts } from "../space/axes.ts";
export { auxData, type AuxOptions, type AuxSpec } from "../udf/interface/aux_data.ts";
export type { Results } from "../udf/interface/buffer_types.ts";
export { defineUdf } from "../udf/interface/define_udf.ts";
export type { Params } from "../udf/interface/udf_ref.ts";
export { Tile } from "../udf/interface/tile.ts";
export type {
  DataMeta,
  MergeContext,
  PartialResult,
  ResultsContext,
  UdfContext,
  UdfMeta,
} from "../udf/interface/udf_meta.ts";
export type { BufferSpec, BufferSpecs, Udf } from "../udf/interface/udf.ts";
export { udf, type UdfOptions, type UdfRef } from "../udf/interface/udf_ref.ts";
export { type Masked, withMask } from "../udf/interface/objects.ts";
export { expression, type ExpressionInputs } from "../udf/builtin/expression.ts";
export { type FrameFunction, type FrameInfo, mapFrames, type MapOptions } from "../udf/builtin/map_frames.ts";
export type { UdfInput } from "../udf/plan/given.ts";
export { objectsOf } from "../udf/buffers/object_results.ts";
