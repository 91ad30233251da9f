/**
 * Plans a run before any work: which tiles, which bytes, how much memory, and why.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import type { Dataset, StoredDataset } from "../../dataset/dataset.ts";
import { frameBytes, type FrameLayout } from "../../dataset/layout/layout.ts";
import type { Pages } from "../../dataset/storage/contiguous/pages.ts";
import { kindOf, loadReading, privateBytes } from "../../dataset/storage/kinds.ts";
import { negotiate } from "../../dataset/tiling/negotiate.ts";
import { planPartitions } from "../../dataset/tiling/partition.ts";
import { readDType } from "../../dataset/read_dtype.ts";
import type { RoiInput } from "../../dataset/roi/roi.ts";
import { loadPacks } from "../../kernels/wasm.ts";
import type { TilingScheme } from "../../dataset/tiling/tiling_scheme.ts";
import type { PlanTypes } from "../interface/buffer_types.ts";
import { chooseCorrections, type CorrectionsInput } from "./corrections.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { callable, signal as signalRule, truth, whole } from "../../options/rules.ts";
import { displayable } from "../../pictures/displayable.ts";
import { type Box, box, wholeBox } from "../../space/box.ts";
import { byteCount, bytes } from "../../space/rules.ts";
import type { Shape } from "../../space/shape.ts";
import { declaredBuffers, planBuffers, resultBytesOf } from "../buffers/buffers.ts";
import { type Context, INLINE_BYTES, insideOf, type RunContext } from "../../runner/context.ts";
import { cullingOf } from "./culling.ts";
import { explainPlan } from "./explain.ts";
import { checkDataset, refsOf, type UdfInput } from "./given.ts";
import { guarded } from "../interface/guard.ts";
import { fitMemory, leafSetsOf, readImages } from "./forecast.ts";
import { runPacks } from "./packs.ts";
import type { Draft, UdfPlan } from "./plan_facts.ts";
import { countIn } from "../buffers/positions.ts";
import type { PlanProgress } from "../interface/making.ts";
import type { UdfTypes } from "../interface/udf_ref.ts";
import type { PreparedUdf } from "./plan_udf.ts";
import { prepare, PREPARE_OPTIONS } from "./prepare.ts";
import { areRuns } from "../buffers/slice_order.ts";
import { context as contextRule } from "../../runner/rules.ts";

/**
 * Options of {@link plan}.
 * @category Runs
 */
export interface PlanOptions {
  /**
   * Region of interest: the positions of the scan that are used. It is `roi.range("0:8,4:")`, `roi.mask(…)`,
   * `roi.positions(…)`, a mask or coordinates. Default: all.
   */
  readonly roi?: RoiInput;
  /**
   * Dark frame, gain map, dead pixels; `"none"`: samples as they are stored. Default: the corrections that come with
   * the data set, if any. Corrections given here replace all of those.
   */
  readonly corrections?: CorrectionsInput;
  /**
   * Lower bound of the number of partitions. Whole, at least 1. Default: by the size of the data. The result does not
   * depend on it.
   */
  readonly partitions?: number;
  /**
   * Largest size of the stored samples of a tile that is one read, as a number of bytes or in text such as `1MiB`.
   * Default 1 to 4 MiB, more with many masks.
   */
  readonly tileBytes?: number | string;
  /** Whether rows that no UDF needs may be skipped. Default true; the result does not depend on it. */
  readonly cull?: boolean;
  /** Forms of tiles that UDFs may get. Default: all. */
  readonly backends?: readonly Backend[];
  /** The context in which to run. Default: {@link defaultContext}. */
  readonly context?: Context;
  /** Cancels the plan while its masks and tables are made. */
  readonly signal?: AbortSignal;
  /** Called repeatedly while masks and tables are made that take long, and once when those of a UDF are complete. */
  readonly onProgress?: (progress: PlanProgress) => void;
}

// deno-fmt-ignore: written by `deno task build`
const PLAN_OPTIONS: OptionNames<PlanOptions> = {
  ...PREPARE_OPTIONS, partitions: whole(1), tileBytes: bytes, cull: truth, context: contextRule,
  signal: signalRule, onProgress: callable,
};

/** The types of the results of UDFs. */
export type TypesOf<U> = { readonly [K in keyof U & string]: UdfTypes<U[K]> };

/** Makes the plan, which `run` runs; `plan()` of `run/plan.ts` is its public name. */
export async function planUdfs<U extends Readonly<Record<string, UdfInput>>>(
  dataset: Dataset,
  udfs: U,
  options: PlanOptions,
  run: UdfPlan["run"],
): Promise<UdfPlan<PlanTypes & TypesOf<U>>> {
  checkDataset("plan()", dataset);
  checkOptionNames("plan()", options, PLAN_OPTIONS);
  const refs = refsOf("plan()", udfs);
  const context = insideOf(options.context);
  const chosen = await chooseCorrections(dataset, options.corrections);
  const reading = loadReading(dataset.layout); // while the UDFs are asked
  reading.catch(() => {}); // seen where it is awaited, unless the plan fails before
  const prepared = await prepare(dataset, refs, options, { memory: context.memory, ofRun: true }, options);
  const { roi, selection, meta, planned, execution } = prepared;
  const { layout } = dataset;
  const packs = runPacks({ layout, corrected: chosen.corrections !== undefined, execution, udfs: planned });
  await Promise.all([reading, loadPacks(packs)]);
  const kind = kindOf(dataset.layout);
  const { leaf, partitions, warnings } = planPartitions({
    frames: dataset.frames,
    frameBytes: kind.partitionPitch(dataset.layout),
    ...kind.bands(dataset.layout, dataset.frames, {
      deep: mayBeDeep(planned),
      boxes: !chosen.corrections && takeAny(planned),
    }),
    resultBytes: resultBytesOf(planned, dataset.pixels),
  }, {
    ...(options.partitions ? { count: options.partitions } : {}),
    roi,
  });
  const pages = context.map && await pagesIn(layout, execution.source, context);
  const leafSets = leafSetsOf(partitions, selection, leaf);
  const base = {
    dataset,
    udfs: planned,
    execution,
    packs,
    partitions,
    warnings: [...warnings, ...planned.flatMap(warningsOf)],
    roi,
    selection,
    nativeDType: meta.nativeDType,
    leaf,
    leafSets,
    ...(pages ? { pages } : {}),
    context,
    run,
  };
  const corrected = { ...base, ...chosen };
  const whole = { frameBytes: dataset.layout.storedBytes };
  const draft = { ...corrected, culling: options.cull === false ? whole : cullingOf(corrected) };
  const { tileBytes } = options;
  const target = tileBytes === undefined ? undefined : byteCount("plan()", "tileBytes", tileBytes);
  return fit(draft, target) as UdfPlan<PlanTypes & TypesOf<U>>;
}

/** Whether the run maps files; the code for it is loaded only where a context asks for it. */
async function pagesIn(layout: FrameLayout, source: Backend, { ownMemory }: RunContext): Promise<Pages> {
  const { pagesOf } = await import("../../dataset/storage/contiguous/pages.ts");
  return pagesOf(layout, { dense: source === "dense", ownMemory });
}

function warningsOf({ udf, meta }: PreparedUdf): readonly string[] {
  return guarded(udf.name, "warnings()", () => udf.warnings?.(meta) ?? []);
}

const MiB = 2 ** 20;

/** Frames per tile that keep accumulator traffic small: with 16-bit samples, sums are then a quarter of the traffic. */
const WORTHY_FRAMES = 16;

/** Decides tiles and memory: smaller tiles, then fewer workers, until the total fits the budget. */
function fit(draft: Draft, tileBytes = tileTarget(draft)): UdfPlan {
  const { selection } = draft;
  const frames = draft.partitions.reduce(
    (most, { start, stop }) => Math.max(most, countIn(selection, start, stop)),
    1,
  );
  const set = planBuffers(draft.udfs, frames, draft.dataset.pixels);
  const schemes = [tileBytes, tileBytes / 4, tileBytes / 16].map((target) => schemeOf(draft, frames, target));
  if (draft.culling.box && schemes.some(({ slices }) => !areRuns(slices, draft.dataset.sigShape))) {
    const why = "tiles are boxes that are not runs of rows";
    return fit({ ...draft, culling: { frameBytes: draft.dataset.layout.storedBytes, why } }, tileBytes);
  }
  const { layout } = draft.dataset;
  const images = readImages(draft);
  const { culling } = draft;
  const bytesToRead = culling.box
    ? images.count * culling.frameBytes
    : kindOf(layout).storedBytes(layout, images);
  const stays = staysInline({ ...draft, bytesToRead });
  const own = !stays && draft.context.ownMemory;
  const samples = stays || own ? 0 : privateBytes(layout);
  const { scheme, memory } = fitMemory(draft, set, schemes, { samples, own });
  const part = memory.readWhole ? wholeBox(layout.sigShape) : scheme.slices[0]!;
  const block = { frames: Math.min(scheme.depth, frames), box: part, lean: memory.lean };
  const decodes = kindOf(layout).decodes(layout, { ...block, partitionFrames: frames });
  const warnings = [...draft.warnings, ...decodes?.warnings ?? []];
  const settled = { ...draft, warnings, set, scheme, memory, bytesToRead, ...defined({ decodes }) };
  const explain = () => explainPlan(settled);
  const parts = async () => (await import("./units.ts")).cutOf(settled).units.length;
  return displayable({ ...settled, explain, parts }, {
    bundle: async () => (await import("./show_plan.ts")).planBundle(settled, explain()),
    line: explain,
  });
}

/**
 * Whether a run stays on the calling thread for another reason than memory: it is small, or has a UDF that cannot
 * travel.
 */
export function staysInline(
  { context, udfs, bytesToRead }: Pick<UdfPlan, "context" | "udfs" | "bytesToRead">,
): boolean {
  if (context.workers === 0 || udfs.some(({ ref }) => ref.inline)) return true;
  return bytesToRead <= INLINE_BYTES && !context.explicit;
}

/**
 * Bytes of a tile that is one read. 1 MiB fits the second-level cache. Masks and results with one value per pixel are
 * read again for every tile. If they are larger than 1 MiB, tiles grow with them, so that they are not most of the
 * traffic. If tiles are lists of entries, the bytes of the entries are counted.
 */
function tileTarget(draft: Draft): number {
  const { udfs, dataset: { layout, sigShape, dtype }, execution: { groups } } = draft;
  const masks = udfs.flatMap(({ constants }) => Object.values(constants)).reduce(
    (sum, { byteLength }) => sum + byteLength,
    0,
  );
  const frames = hasSig(draft) ? WORTHY_FRAMES * frameBytes(sigShape, dtype) : 0;
  const bytes = Math.min(4 * MiB, Math.max(MiB, masks, frames));
  const isDense = groups.some(({ chain }) => chain.includes("dense"));
  return isDense ? bytes : bytes * kindOf(layout).pitch(layout) / Math.max(1, layout.storedBytes);
}

/** Whether some result has one value per pixel. */
function hasSig({ udfs }: Pick<Draft, "udfs">): boolean {
  return udfs.some(({ udf, meta }) => declaredBuffers(udf, meta).some(([, { kind }]) => kind === "sig"));
}

function schemeOf(draft: Draft, partitionFrames: number, targetBytes: number): TilingScheme {
  const { dataset, udfs, nativeDType, corrections, culling } = draft;
  const ofBoxes = boxesOf(draft, partitionFrames, targetBytes);
  if (ofBoxes) return ofBoxes;
  const request = {
    sigShape: culling.box?.shape ?? dataset.sigShape,
    partitionFrames,
    dtype: dataset.dtype,
    readDType: readDType(nativeDType, udfs.map(({ wish }) => wish)),
    needsDecode: true, // mapped tiles are cut like copies: results have the same bits, and a tile fits the caches
    udfs: udfs.map(({ udf, method, tiling }) => ({ name: udf.name, method, ...tiling })),
    targetBytes,
    ...(culling.box ? {} : basesOf(dataset)),
    stack: stackOf(draft, targetBytes),
    ...(mayBeDeep(udfs) && kindOf(dataset.layout).isDeep(dataset.layout)
      ? { deep: true, ioMaxBytes: DEEP * targetBytes }
      : {}),
    ...(corrections?.excluded ? { excluded: corrections.excluded } : {}),
  };
  const scheme = negotiate(request);
  const isSparse = draft.execution.source !== "dense" || udfs.some(({ backend }) => backend !== "dense");
  if (areRuns(scheme.slices, request.sigShape) || !isSparse && !udfs.some(({ udf }) => udf.raw)) {
    return shifted(scheme, culling.box);
  }
  const framesOnly = request.udfs.map((wish) =>
    wish.method === "tile" ? { ...wish, method: "frame" as const } : wish
  );
  return shifted(negotiate({ ...request, udfs: framesOnly }), culling.box); // kernels and sparse rows take runs of pixels, not boxes with gaps between rows
}

/** Whether all UDFs accept any part of any number of frames. */
function takeAny(udfs: readonly PreparedUdf[]): boolean {
  return udfs.every(({ method, tiling, backend }) =>
    method === "tile" && tiling.boxes && backend === "dense"
  );
}

/** Whether tiles may have all frames of a partition, and parts of each: a merge tree needs few frames at a time. */
function mayBeDeep(udfs: readonly PreparedUdf[]): boolean {
  return udfs.every(({ method, tiling, backend, tree }) =>
    method === "tile" && !tiling.wholeFrames && backend === "dense" && !tree
  );
}

/** Factor on the usual bytes of a tile, if a row of all frames needs it: then each part of the file is decoded once. */
const DEEP = 8;

/** Tiles in the boxes in which the file stores the samples, if all UDFs take any box. */
function boxesOf(
  { dataset: { layout }, udfs, corrections, culling }: Draft,
  partitionFrames: number,
  targetBytes: number,
): TilingScheme | undefined {
  if (!takeAny(udfs) || corrections || culling.box) return undefined;
  return kindOf(layout).tiles(layout, { partitionFrames, bytes: targetBytes, deep: mayBeDeep(udfs) });
}

/** The smallest tile that the data set can read, if it has one. */
function basesOf({ layout }: StoredDataset): { baseShape?: Shape } {
  const baseShape = kindOf(layout).baseShape(layout);
  return defined({ baseShape });
}

/**
 * For frames that are cut into slabs: the number of frames in one tile if results have one value per pixel. Frames in
 * sectors are read whole in any case; of contiguous frames, each slab is a separate read.
 */
function stackOf({ dataset: { layout }, udfs }: Draft, targetBytes: number): number {
  if (!hasSig({ udfs }) || !kindOf(layout).stacks(layout)) return 1;
  return Math.min(8, Math.max(1, targetBytes / 2 ** 17));
}

/** A scheme for `part` of the frames, moved to the place of that part. */
function shifted(scheme: TilingScheme, part: Box | undefined): TilingScheme {
  if (!part) return scheme;
  const shift = ({ origin, shape }: Box) => box(origin.map((o, d) => o + part.origin[d]!), shape);
  return { ...scheme, slices: scheme.slices.map(shift) };
}
