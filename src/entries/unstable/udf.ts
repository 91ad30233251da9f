/**
 * The rest of UDFs: kernels in AssemblyScript, sparse tiles, compiled expressions, what UDFs declare as types.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example In which form each UDF gets the tiles of a sparse data set
 * ```ts
 * import { executionPlan } from "@tilewise/tilewise/unstable/udf";
 * import { assertEquals } from "@std/assert";
 *
 * const { source, backends } = executionPlan({
 *   udfs: [{ name: "sum", backends: ["dense", "csr"] }, { name: "fft", backends: ["dense"] }],
 *   dataset: { name: "events.toml", backends: ["csr"] },
 * });
 * assertEquals([source, ...backends], ["csr", "csr", "dense"]);
 * ```
 *
 * @module
 */

export type { ValueRule } from "../../space/axes.ts";
export type { Backend, DeviceClass } from "../../dataset/facts.ts";
export {
  type Arrays,
  type AuxOf,
  type Buffers,
  type BufferTypes,
  type ConstantsOf,
  type Declared,
  type DTypeWish,
  type ObjectBuffers,
  type ObjectResults,
  OBJECTS,
  type PlanTypes,
  type ResultTypesOf,
  type SamplesOf,
  type ScratchOf,
  type TaskDataOf,
  type TypesOf,
  type UdfParts,
  type UdfResult,
  type WithObjects,
} from "../../udf/interface/buffer_types.ts";
export type { DeclaredUdf, PartsOf } from "../../udf/interface/define_udf.ts";
export type {
  Derivation,
  DerivedBuffer,
  DerivedDType,
  DerivedTypes,
  DerivedValue,
  DerivedValues,
  DeriveOptions,
} from "../../udf/interface/derivation.ts";
export { derive } from "../../udf/interface/derive.ts";
export type { NumberRule } from "../../space/numbers.ts";
export type { MergeRule } from "../../udf/interface/buffer_plan.ts";
export type { ObjectArray } from "../../udf/interface/buffer_types.ts";
export { type JsonValue, ObjectRows } from "../../udf/interface/objects.ts";
export type { ParamValue } from "../../udf/interface/udf_ref.ts";
export type { CooTile, CscTile, CsrTile, SparseForm, SparseTiles } from "../../udf/interface/tile.ts";
export type { Convert, RawSamples, TileInit } from "../../udf/interface/tile.ts";
export type { PartitionFacts, RunFacts, TilingFacts } from "../../udf/interface/udf_meta.ts";
export type {
  AuxSpecs,
  Finished,
  Method,
  ScratchSpec,
  ScratchSpecs,
  TilingWishes,
  WishOf,
} from "../../udf/interface/udf.ts";
export type { ExportTypes, Named, UdfTypes } from "../../udf/interface/udf_ref.ts";
export type { ResultValue } from "../../udf/interface/objects.ts";
export type { ExpressionTypes } from "../../udf/builtin/expression.ts";
export type { MappedTypes } from "../../udf/builtin/map_frames.ts";
export { kernelUdf } from "../../udf/kernel_udf/kernel_udf.ts";
export type {
  BuiltinKernel,
  FamilyTypes,
  KernelBuffer,
  KernelBuffers,
  KernelCall,
  KernelParams,
  KernelRef,
  KernelScratch,
  KernelTwin,
  MergeName,
  SourceKernel,
  TwinCall,
} from "../../udf/kernel_udf/options.ts";
export type { BackendFacts, BackendTable, Conversion } from "../../udf/plan/backends.ts";
export {
  type BackendGroup,
  type BackendSide,
  type ExecutionPlan,
  executionPlan,
  type ExecutionRequest,
} from "../../udf/plan/execution_plan.ts";
export { type BufferInfo, inspect, type InspectOptions, type UdfInfo } from "../../udf/plan/inspect.ts";
export type { Precision } from "../../expr/program/precision.ts";
