/**
 * Functions that plan and run one frequent analysis in one call.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import type { Coordinate, RoiInput } from "../../dataset/roi/roi.ts";
import { checkOptionNames, defined, type OptionNames, type OptionRule } from "../../options.ts";
import { callable, signal as signalRule } from "../../options/rules.ts";
import { type DType, type TypedArray, zeros } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import type { UdfResult } from "../interface/buffer_types.ts";
import {
  type FrameFunction,
  MAP_OPTIONS,
  mapFrames,
  type MapOptions,
  type MappedDType,
} from "../builtin/map_frames.ts";
import type { FrameValue } from "../builtin/map/options.ts";
import { pickFrames } from "../builtin/pick_frames.ts";
import { sumFrames } from "../builtin/sum_frames.ts";
import type { Context } from "../../runner/context.ts";
import { checkDataset } from "../plan/given.ts";
import { udfPlan } from "./plan.ts";
import type { Progress, UdfPlan } from "../plan/plan_facts.ts";
import { corrections as correctionsRule } from "../plan/corrections.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { UdfRef, UdfTypes } from "../interface/udf_ref.ts";

/**
 * Options of one analysis.
 * @category Analyses
 */
export interface AnalysisOptions {
  /** Dark frame, gain map, dead pixels. */
  readonly corrections?: Corrections;
  /** The context in which to run. */
  readonly context?: Context;
  /** Cancels the analysis. */
  readonly signal?: AbortSignal;
  /** Called repeatedly with the progress. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Options of {@link mapDataset}.
 * @category Analyses
 */
export type MapDatasetOptions = Omit<MapOptions, "monitor"> & AnalysisOptions & {
  /** Region of interest. Default: all frames. */
  readonly roi?: RoiInput;
};

// deno-fmt-ignore: written by `deno task build`
const ANALYSIS_OPTIONS: OptionNames<AnalysisOptions> = {
  corrections: correctionsRule, context: contextRule, signal: signalRule, onProgress: callable,
};

const { monitor: _, ...MAPPING_OPTIONS } = MAP_OPTIONS;

/**
 * The sum over the frames of a region of interest: up to a factor, the mean diffraction pattern of a grain. float64,
 * shape of a frame. For other analyses use `plan` with `roi`, which takes any UDFs.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { sumOverRoi } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4, 5, 6), { format: "raw", dtype: "uint8", nav: [3], sig: [1, 2] });
 * assertEquals([...(await sumOverRoi(scan, [[0], [2]])).data], [6, 8]);
 * ```
 * @category Analyses
 */
export async function sumOverRoi(
  dataset: Dataset,
  roi: RoiInput,
  options: AnalysisOptions = {},
): Promise<NDArray<"float64" | "complex128">> {
  checkAnalysis("sumOverRoi()", dataset, options);
  return (await analyse(dataset, sumFrames(), options, roi)).intensity;
}

/**
 * The frame at one position of the scan, in the dtype of the data; a position without an image gives zeros that are not
 * valid.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { pickFrame } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [1, 2], sig: [1, 2] });
 * const { data, shape } = await pickFrame(scan, [0, -1]);
 * assertEquals([[...data], shape], [[3, 4], [1, 2]]);
 * ```
 * @category Analyses
 */
export async function pickFrame(
  dataset: Dataset,
  at: Coordinate,
  options: AnalysisOptions = {},
): Promise<NDArray> {
  checkAnalysis("pickFrame()", dataset, options);
  const only = { positions: [at] };
  const { data, dtype, valid } = (await analyse(dataset, pickFrames(), options, only)).intensity;
  const blank = new Uint8Array(dataset.pixels);
  if (data.length === 0) return ndarray(zeros(dtype, dataset.pixels), dataset.sigShape, dtype, blank);
  return ndarray(data, dataset.sigShape, dtype, valid?.[0] === 0 ? blank : undefined);
}

/**
 * The value of a function for every frame, see {@link mapFrames}: shape (…scan, …value).
 *
 * Errors: those of a run, and `udf` for a function that gives JSON values instead of numbers.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { mapDataset } from "@tilewise/tilewise/unstable/analyses";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const ends = await mapDataset(scan, ([first = 0, last = 0]) => [first, last - first]);
 * assertEquals([ends.shape, [...ends.data]], [[2, 2], [1, 1, 3, 1]]);
 * ```
 * @category Analyses
 */
export async function mapDataset<D extends DType>(
  dataset: Dataset,
  source: string | URL | FrameFunction<never>,
  options: MapDatasetOptions & {
    /** Type of the values. */
    readonly dtype: D;
  },
): Promise<NDArray<D>>;
/** The values have the dtype that the function returns. */
export async function mapDataset<V extends FrameValue, F extends TypedArray = Float32Array>(
  dataset: Dataset,
  source: FrameFunction<F, V>,
  options?: MapDatasetOptions,
): Promise<NDArray<Extract<MappedDType<V>, DType>>>;
/** The dtype of the values is determined when the run is planned. */
export async function mapDataset(
  dataset: Dataset,
  source: string | URL | FrameFunction<never>,
  options?: MapDatasetOptions,
): Promise<NDArray>;
export async function mapDataset(
  dataset: Dataset,
  source: string | URL | FrameFunction<never>,
  options: MapDatasetOptions = {},
): Promise<NDArray> {
  checkAnalysis("mapDataset()", dataset, options, { ...MAPPING_OPTIONS, roi: true });
  const { roi, corrections, context, signal, onProgress, ...rest } = options;
  const analysis = defined({ corrections, context, signal, onProgress });
  const { result } = await analyse(dataset, mapFrames(source, rest), analysis, roi, onlyNumbers);
  return result;
}

function onlyNumbers({ set, udfs }: UdfPlan): void {
  if (set.objects.flat().length === 0) return;
  const text =
    `The function "${udfs[0]!.udf.name}" gives JSON values: mapDataset gives arrays of numbers; use ` +
    `plan and run with mapFrames, and objectsOf for their results`;
  throw new TilewiseError("udf", text, { udf: udfs[0]!.udf.name });
}

/** Refuses what is not a data set, and unknown options. */
export function checkAnalysis(
  call: string,
  dataset: Dataset,
  options: AnalysisOptions,
  more: Readonly<Record<string, true | OptionRule>> = {},
): void {
  checkDataset(call, dataset);
  checkOptionNames<object>(call, options, { ...ANALYSIS_OPTIONS, ...more });
}

/** The results of one UDF over a region. */
export async function analyse<U extends UdfRef>(
  dataset: Dataset,
  it: U,
  { signal, onProgress, ...options }: AnalysisOptions,
  roi: RoiInput | undefined,
  check?: (planned: UdfPlan) => void,
): Promise<UdfResult<UdfTypes<U>>> {
  const planned = await udfPlan(dataset, { it }, { ...options, ...defined({ roi }) });
  check?.(planned);
  return (await planned.run(defined({ signal, onProgress }))).it;
}
