/**
 * Facts that do not depend on tiles and memory: the selected positions, the facts of the data, the UDFs and their
 * wishes.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import type { Corrections } from "../../dataset/correction_options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { everything, MOST_POSITIONS, type Roi, selectValid } from "../../dataset/roi/selected.ts";
import type { RoiInput } from "../../dataset/roi/roi_input.ts";
import { loadKinds } from "../../dataset/storage/kinds.ts";
import { TilewiseError } from "../../errors.ts";
import { defined, type OptionNames, withOption } from "../../options.ts";
import { must } from "../../options/rules.ts";
import { BACKENDS } from "./backends.ts";
import { chooseCorrections, corrections, type CorrectionsInput } from "./corrections.ts";
import type { ExecutionPlan, ExecutionRequest } from "./execution_plan.ts";
import { factsOf as axisFacts } from "../../space/axes.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { Allowance } from "./allowance.ts";
import type { PlanControl } from "../interface/making.ts";
import { checkParams, type UdfRef } from "../interface/udf_ref.ts";
import { loadPlanned, planUdf, type PreparedUdf } from "./plan_udf.ts";
import { countIn, type Selection } from "../buffers/positions.ts";
import type { DataMeta } from "../interface/udf.ts";

/**
 * Options that UDFs depend on besides the data.
 * @category Runs
 */
export interface PrepareOptions {
  /** Region of interest: `roi.range("0:8,4:")`, `roi.mask(…)`, `roi.positions(…)`, or a mask or coordinates. Default: all. */
  readonly roi?: RoiInput;
  /** Dark frame, gain map, dead pixels; `"none"`: not even the corrections that come with the data set. */
  readonly corrections?: CorrectionsInput;
  /** Forms of tiles that UDFs may get. Default: all. */
  readonly backends?: readonly Backend[];
}

const FORMS = Object.keys(BACKENDS.facts);

/** The names of {@link PrepareOptions}. */
export const PREPARE_OPTIONS: OptionNames<PrepareOptions> = {
  roi: true,
  corrections,
  backends: must(
    `a list of some of ${FORMS.join(", ")}`,
    (value) => Array.isArray(value) && value.every((form) => FORMS.includes(form)),
  ),
};

/** UDFs that have been asked about their data. */
interface Prepared {
  /** The region of interest. */
  readonly roi: Roi;
  /** Which positions have a frame. */
  readonly selection: Selection;
  /** Facts of the data. */
  readonly meta: DataMeta;
  /** The UDFs and what they need. */
  readonly planned: readonly PreparedUdf[];
  /** The forms in which tiles are made, and the UDFs that get them. */
  readonly execution: ExecutionPlan;
}

/** Limits of what may be made. */
interface PrepareLimits {
  /** Bytes that may be held. */
  readonly memory: number;
  /** Whether a run follows, whose memory has to fit as well. */
  readonly ofRun: boolean;
}

/** Loads `udfs` and asks them what they need for `dataset`, within limits. No frame is read. */
export async function prepare(
  dataset: StoredDataset,
  udfs: Readonly<Record<string, UdfRef>>,
  options: PrepareOptions,
  { memory, ofRun }: PrepareLimits,
  control: PlanControl = {},
): Promise<Prepared> {
  for (const { name, params } of Object.values(udfs)) checkParams(name, params);
  checkFrames(dataset);
  await loadKinds([dataset.layout]);
  checkPositions(dataset, ofRun ? memory : Infinity);
  const given = await regionOf(options.roi, dataset.navShape, memory);
  const roi = selectValid(given, dataset);
  const selection: Selection = {
    ...(roi.indices ? { indices: roi.indices } : {}),
    syncOffset: dataset.syncOffset,
    images: dataset.images,
  };
  const chosen = (await chooseCorrections(dataset, options.corrections)).corrections;
  const meta = factsOf(dataset, await nativeDType(dataset, chosen), chosen, roi, selection);
  const loaded = await Promise.all(Object.entries(udfs).map(([key, ref]) => loadPlanned(key, ref, meta)));
  if (loaded.length === 0) throw new TilewiseError("invalid", "Cannot plan a run without a UDF");
  const execution = await formsOf({
    udfs: loaded.map(({ udf, backends }) => ({ name: udf.name, backends })),
    dataset: { name: dataset.source, backends: chosen ? ["dense"] : dataset.backends },
    device: "cpu",
    ...defined({ allowed: options.backends }),
  });
  const allowance = new Allowance(memory, dataset.source, ofRun);
  const planned: PreparedUdf[] = [];
  for (const [u, one] of loaded.entries()) {
    planned.push(await planUdf(one, execution.backends[u]!, meta, allowance, control));
  }
  return { roi, selection, meta, planned, execution };
}

/** The region of interest; code for regions is loaded when one is given. */
async function regionOf(roi: RoiInput | undefined, navShape: Shape, memory: number): Promise<Roi> {
  if (roi === undefined) return everything(navShape);
  const { normalizeRoi } = await import("../../dataset/roi/roi.ts");
  return withOption("roi", () => normalizeRoi(roi, navShape, memory));
}

/** The forms of tiles. Most data sets are dense, and most UDFs take that; how to choose among others is loaded when needed. */
async function formsOf(request: ExecutionRequest): Promise<ExecutionPlan> {
  const { udfs, dataset: { backends: [form, ...others] }, allowed } = request;
  const isPlain = form === "dense" && others.length === 0 && allowed === undefined;
  if (!isPlain || !udfs.every(({ backends }) => backends.includes("dense"))) {
    return (await import("./execution_plan.ts")).executionPlan(request);
  }
  const all = { backend: form, udfs: [...udfs.keys()], chain: [form], why: "dense: as the data set has it" };
  return { source: form, groups: [all], backends: udfs.map(() => form) };
}

/** Refuses data without frames: single values, and arrays without samples. */
function checkFrames({ source, array, shape, sigShape }: StoredDataset): void {
  if (sigShape.length > 0 && sigShape.every((size) => size > 0)) return;
  const name = array === "" ? source : `${array} of ${source}`;
  const what = shape.length === 0
    ? "it is a single value"
    : sigShape.length === 0
    ? "its frames are single values (sigDims 0)"
    : `its shape is ${showShape(shape)}, without a sample`;
  const isCut = shape.length > 0 && sigShape.length === 0;
  const hint = isCut
    ? "open it with sigDims 1 or more"
    : "take an array with frames of one sample or more: `tilewise info` lists those of a file, the option `array` " +
      "names one";
  const option = isCut ? "sigDims" : "array";
  const text = `Cannot run over ${name}: ${what}; ${hint}`;
  throw new TilewiseError("invalid", text, { file: source, option, found: showShape(shape) });
}

/** Refuses scans with more positions than can be counted, and scans for which not even one byte per position fits. */
function checkPositions({ source, frames, navShape }: StoredDataset, memory: number): void {
  const scan = `${source}: its scan of ${showShape(navShape)} has ${frames} positions`;
  if (frames > MOST_POSITIONS) {
    const text = `Cannot run over ${scan}; a run counts to ${MOST_POSITIONS}`;
    throw new TilewiseError("invalid", text, {
      file: source,
      option: "nav",
      expected: MOST_POSITIONS,
      found: frames,
    });
  }
  if (frames <= memory) return;
  const text = `Cannot run over ${scan}, and needs more than a byte for each; the budget is ${
    formatBytes(memory)
  }`;
  throw new TilewiseError("over-budget", text, {
    file: source,
    option: "memory",
    expected: frames,
    found: memory,
  });
}

/** The type of samples after corrections. Errors: `invalid` for corrections that do not fit. */
async function nativeDType(dataset: StoredDataset, corrections: Corrections | undefined): Promise<DType> {
  if (!corrections) return dataset.dtype;
  const { correctionsDType } = await import("../../dataset/corrections.ts");
  return correctionsDType(corrections, dataset);
}

function factsOf(
  dataset: StoredDataset,
  nativeDType: DType,
  corrections: Corrections | undefined,
  roi: Roi,
  selection: Selection,
): DataMeta {
  return {
    navShape: dataset.navShape,
    sigShape: dataset.sigShape,
    frames: dataset.frames,
    pixels: dataset.pixels,
    selected: countIn(selection, 0, dataset.frames),
    roi,
    corrected: corrections !== undefined,
    datasetDType: dataset.dtype,
    nativeDType,
    axes: dataset.axes.map(axisFacts),
    values: dataset.values,
  };
}
