/**
 * What a UDF declares for a data set: its buffers, without a run.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape } from "../../space/shape.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import type { PreparedUdf } from "./plan_udf.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { checkDataset, isUdfInput, refsOf, type UdfInput } from "./given.ts";
import { prepare, PREPARE_OPTIONS, type PrepareOptions } from "./prepare.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { BufferSpec } from "../interface/udf.ts";

/**
 * One declared buffer, with all facts that follow from the data.
 * @category User-defined functions
 */
export interface BufferInfo {
  /** What one entry belongs to. */
  readonly kind: BufferSpec["kind"];
  /** Type of the numbers; `object`: JSON values. */
  readonly dtype: DType | "object";
  /** Shape of the whole buffer: of the scan, of a frame, or none; then that of an entry. */
  readonly shape: Shape;
  /** `private`: only during the computation. `result`: only in the results. `both`: in both. */
  readonly use: "both" | "private" | "result";
  /** Bytes of the whole buffer; the size of JSON values is unknown. */
  readonly bytes: number;
}

/**
 * Options of {@link inspect}.
 * @category User-defined functions
 */
export interface InspectOptions extends PrepareOptions {
  /** Limits the memory of masks, tables and regions that must be made to answer. Default: {@link defaultContext}. */
  readonly context?: Context;
}

const INSPECT_OPTIONS: OptionNames<InspectOptions> = { ...PREPARE_OPTIONS, context: contextRule };

/**
 * The buffers of one UDF by name.
 * @category User-defined functions
 */
export type UdfInfo = Readonly<Record<string, BufferInfo>>;

/**
 * The buffers that one UDF, or each of several, declares for `dataset` and a region of interest. Reads no frame.
 *
 * Errors: those of `plan`; tiles and results may be of any size, as nothing is run.
 *
 * @example
 * ```ts
 * import { centreOfMass, open } from "@tilewise/tilewise";
 * import { inspect } from "@tilewise/tilewise/unstable/udf";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(new Uint8Array(4 * 3 * 2), { format: "raw", dtype: "uint8", nav: [4], sig: [3, 2] });
 * const { raw_com } = await inspect(scan, centreOfMass());
 * assertEquals(raw_com, { kind: "nav", dtype: "float64", shape: [4, 2], use: "result", bytes: 64 });
 * ```
 * @category User-defined functions
 */
export function inspect(dataset: Dataset, udf: UdfInput, options?: InspectOptions): Promise<UdfInfo>;
/** The buffers that each of several UDFs declares for `dataset`. */
export function inspect<K extends string>(
  dataset: Dataset,
  udfs: Readonly<Record<K, UdfInput>>,
  options?: InspectOptions,
): Promise<Readonly<Record<K, UdfInfo>>>;
export async function inspect(
  dataset: Dataset,
  udfs: UdfInput | Readonly<Record<string, UdfInput>>,
  options: InspectOptions = {},
): Promise<UdfInfo | Readonly<Record<string, UdfInfo>>> {
  checkDataset("inspect()", dataset);
  checkOptionNames("inspect()", options, INSPECT_OPTIONS);
  const one = isUdfInput(udfs);
  const refs = refsOf("inspect()", one ? { it: udfs } : udfs);
  const { memory } = insideOf(options.context);
  const { planned } = await prepare(dataset, refs, options, { memory, ofRun: false });
  const all = planned.map((planned) => [planned.key, infoOf(planned)] as const);
  return one ? all[0]![1] : Object.fromEntries(all);
}

function infoOf({ udf, meta, derivations }: PreparedUdf): UdfInfo {
  const info = ([name, spec]: readonly [string, BufferSpec]) => {
    const { kind, dtype = "float32", extraShape = [], use = "both" } = spec;
    const rows = spec.compressed && meta.roi.indices ? [meta.roi.count] : meta.navShape;
    const shape = [...{ nav: rows, sig: meta.sigShape, single: [] }[kind], ...extraShape];
    const each = dtype === "object" ? 0 : dtypeInfo(dtype).itemSize;
    const bytes = checkedProduct([...shape, each], `the buffer "${name}"`);
    return [name, { kind, dtype, shape, use, bytes }] as const;
  };
  const derived = derivations.flatMap(({ declared }) => declared);
  return Object.fromEntries([...declaredBuffers(udf, meta), ...derived].map(info));
}
