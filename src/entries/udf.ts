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

import "../threads.ts";

export { type ArrayFunctions, asNumbers, combineInto, copyNumbers, isBig } from "../space/numbers.ts";
export type { FloatArray, NumberArray } from "../space/numbers.ts";
export type { AxisFacts, AxisKind, ValueFacts, ValueRule } from "../space/axes.ts";
export type { Backend, DeviceClass, SparseBackend } from "../dataset/backend.ts";
export { auxData, type AuxOptions, type AuxSpec } from "../udf/interface/aux_data.ts";
export * from "../udf/interface/buffer_types.ts";
export { type DeclaredUdf, defineUdf, type PartsOf } from "../udf/interface/define_udf.ts";
export type {
  Derivation,
  DerivedBuffer,
  DerivedDType,
  DerivedTypes,
  DerivedValue,
  DerivedValues,
  DeriveOptions,
} from "../udf/interface/derivation.ts";
export { derive } from "../udf/interface/derive.ts";
export type { MergeRule, NumberRule } from "../udf/interface/merge_rules.ts";
export type { ObjectArray } from "../udf/interface/object_array.ts";
export { type JsonValue, ObjectRows } from "../udf/interface/objects.ts";
export type { Params, ParamValue } from "../udf/interface/params.ts";
export type * from "../udf/interface/sparse_tile.ts";
export { type Convert, type RawSamples, Tile, type TileInit } from "../udf/interface/tile.ts";
export type * from "../udf/interface/udf.ts";
export type * from "../udf/interface/udf_meta.ts";
export {
  type ExportTypes,
  type Named,
  udf,
  type UdfOptions,
  type UdfRef,
  type UdfTypes,
} from "../udf/interface/udf_ref.ts";
export { type Masked, type ResultValue, withMask } from "../udf/interface/with_mask.ts";
export { expression, type ExpressionInputs, type ExpressionTypes } from "../udf/builtin/expression/udf.ts";
export {
  type FrameFunction,
  type FrameInfo,
  mapFrames,
  type MapOptions,
  type MappedTypes,
} from "../udf/builtin/map_frames.ts";
export { kernelUdf } from "../udf/kernel_udf/kernel_udf.ts";
export type * from "../udf/kernel_udf/options.ts";
export { type BackendFacts, BACKENDS, type BackendTable, type Conversion } from "../udf/plan/backends.ts";
export {
  type BackendGroup,
  type BackendSide,
  type ExecutionPlan,
  executionPlan,
  type ExecutionRequest,
} from "../udf/plan/execution_plan.ts";
export type { UdfInput } from "../udf/plan/given.ts";
export { type BufferInfo, inspect, type InspectOptions, type UdfInfo } from "../udf/plan/inspect.ts";
export { objectsOf } from "../udf/buffers/object_results.ts";
export type { InputNames } from "../expr/language/analysis.ts";
export {
  type CompiledExpression,
  compileExpression,
  type ExpressionData,
  type ExpressionOptions,
  type ExpressionResults,
} from "../expr/expression.ts";
export type { Precision } from "../expr/program/precision.ts";
