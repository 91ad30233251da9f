/**
 * The memory of a run, added up before it starts.
 *
 * @module
 */

import type { CorrectedDType } from "../../dataset/corrections.ts";
import type { ReadImages } from "../../dataset/storage/common/kind.ts";
import { kindOf, readerBytes } from "../../dataset/storage/kinds.ts";
import { bytesSent, readSources } from "../../dataset/sources.ts";
import { roiBytes } from "../../dataset/roi/selected.ts";
import type { TilingScheme } from "../../dataset/tiling/tiling_scheme.ts";
import { account, fits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, leasedBytes, roundUp } from "../../memory/arena.ts";
import { blockBytes } from "../../memory/slab.ts";
import { dtypeInfo, unitsOf } from "../../space/dtype.ts";
import { lowerBound } from "../../space/search.ts";
import { auxBytes } from "../buffers/aux_views.ts";
import type { BufferPlan, SetPlan } from "../interface/buffer_plan.ts";
import { derivedBytes } from "./derived_plan.ts";
import { formBytes, formNeed, formSizes, ownTiles, scratchBytes } from "../worker/form_needs.ts";
import { LeafTree, mostPending, mostPendingInRow } from "../buffers/merge_tree.ts";
import { mergesAll } from "./result_steps.ts";
import type { Draft, MemoryForecast } from "./plan_facts.ts";
import { countIn, imagesOf, type Selection } from "../buffers/positions.ts";
import { areRuns } from "../buffers/slice_order.ts";
import { mostPixels, type TileReading } from "../worker/tile_reader.ts";

/** Depth blocks larger than this are read part by part. */
const WHOLE_BLOCK_BYTES = 16 * 2 ** 20;

/** What workers need copies of. */
interface CopyNeeds {
  /** Bytes of samples of which all workers share one copy. */
  readonly samples: number;
  /** Whether each worker has its own memory. */
  readonly own: boolean;
}

/**
 * The first way to run that fits the budget. Tried in this order: the tiles asked for with all workers, smaller tiles,
 * fewer workers, fewer decoded chunks, and the calling thread, if that avoids a copy of the samples.
 */
export function fitMemory(
  draft: Draft,
  set: SetPlan,
  schemes: readonly TilingScheme[],
  { samples, own }: CopyNeeds,
): { scheme: TilingScheme; memory: MemoryForecast } {
  const common = commonNeeds(draft, set);
  const sent = own ? roundUp(bytesSent(readSources(draft.dataset.layout)), ALIGNMENT) : 0;
  const copiesOf = ({ constants, set }: Pick<Sizes, "constants" | "set">) => own ? constants + set + sent : 0;
  const needs = new Map<Cutting, SchemeNeeds>();
  const cuttings = [...schemes, schemes.at(-1)!].map((scheme, i) => ({ scheme, lean: i === schemes.length }));
  let leanest: MemoryForecast | undefined;
  for (const { cutting, workers, spare, ...how } of waysToRun(draft, cuttings, samples, sent)) {
    const ofScheme = needs.get(cutting) ?? schemeNeeds(draft, set, cutting);
    needs.set(cutting, ofScheme);
    const bare = forecast(common, ofScheme, workers, spare);
    const copies = how.inline ? 0 : workers * copiesOf(bare);
    leanest = accountOf({ ...bare, ...how, copies });
    if (fits(leanest, draft.context)) return { scheme: cutting.scheme, memory: leanest };
  }
  const { source } = draft.dataset;
  const problem = `Cannot run over ${source} with the smallest tiles and the fewest workers`;
  throw overBudget(problem, leanest!, draft.context, "", { file: source });
}

/** Sizes, before they are added up. */
type Sizes = Omit<MemoryForecast, keyof MemoryAccount>;

function accountOf(sizes: Sizes): MemoryForecast {
  const { workers, slab, sets, set, constants, results, samples, copies, window } = sizes;
  const held = account([
    { what: "tiles", each: roundUp(slab, ALIGNMENT), count: workers },
    { what: "windows of mapped files", each: window, count: workers },
    { what: "partial results", each: set, count: sets },
    { what: "masks, corrections and auxiliary data", each: constants, count: 1 },
    { what: "results", each: results, count: 1, onHeap: true },
    { what: "a copy of the samples that workers can see", each: samples, count: 1 },
    { what: "copies that workers have", each: copies, count: 1 },
  ]);
  return { ...sizes, ...held };
}

/** How frames are cut, and what is kept of them. */
interface Cutting {
  readonly scheme: TilingScheme;
  /** Whether no decoded chunk is kept. */
  readonly lean: boolean;
}

/** Ways to run, the preferred one first. */
interface WayToRun extends Pick<MemoryForecast, "workers" | "samples" | "inline" | "window"> {
  readonly cutting: Cutting;
  /** Buffer sets in addition to those that are being filled and merged. */
  readonly spare: number;
}

function* waysToRun(
  { context, pages }: Draft,
  cuttings: readonly Cutting[],
  samples: number,
  sent: number,
): Generator<WayToRun> {
  const { leastWorkers } = context;
  const onWorkers = { most: Math.max(1, context.workers), least: leastWorkers, samples, inline: false };
  const here = { most: 1, least: 1, samples: 0, inline: true };
  for (const { most, least, ...how } of samples + sent > 0 ? [onWorkers, here] : [onWorkers]) {
    for (const cutting of cuttings) {
      for (let workers = most; workers >= least; workers--) {
        for (const spare of [workers, 0]) {
          for (const window of [pages?.window ?? 0, 0]) yield { ...how, cutting, workers, spare, window };
        }
      }
    }
  }
}

/** What a run needs, independent of how its frames are cut and of the number of workers. */
interface CommonNeeds {
  readonly partitions: number;
  /** Largest number of sets that wait to be merged. */
  readonly pending: number;
  /** Bytes of one set. */
  readonly set: number;
  readonly results: number;
}

function commonNeeds(draft: Draft, set: SetPlan): CommonNeeds {
  const { udfs, partitions } = draft;
  const eager = udfs.every(({ tree }) => !tree);
  const firstLeaves = partitions.map(({ start }) => Math.floor(start / draft.leaf));
  return {
    partitions: partitions.length,
    pending: mostPending(firstLeaves, eager) + 1, // one more, to show partial results
    set: leasedBytes(set.bytes),
    results: resultBytes(draft, set) + heapBytes(draft, set),
  };
}

/** What a run needs, per worker and in total, if its frames are cut by one scheme. */
interface SchemeNeeds {
  readonly reading: TileReading;
  readonly slab: number;
  readonly constants: number;
}

function schemeNeeds(draft: Draft, set: SetPlan, cutting: Cutting): SchemeNeeds {
  const reading = readingOf(draft, set, cutting);
  return { reading, slab: slabBytes(draft, set, reading), constants: constantBytes(draft, cutting.scheme) };
}

function forecast(
  { partitions, pending, set, results }: CommonNeeds,
  { reading: { readWhole, entries, lean }, slab, constants }: SchemeNeeds,
  workers: number,
  spare: number,
): Omit<Sizes, "samples" | "inline" | "copies" | "window"> {
  const sets = Math.min(workers + spare + pending, partitions + 2);
  return { workers, slab, sets, set, constants, results, readWhole, entries, lean };
}

function readingOf(
  draft: Draft,
  set: SetPlan,
  { scheme: { depth, slices }, lean }: Cutting,
): TileReading {
  const { dataset, execution: { source } } = draft;
  const { layout } = dataset;
  const frames = Math.min(depth, set.frames);
  const kind = kindOf(layout);
  const entries = kind.entries(layout, frames, readImages(draft));
  const cuttable = areRuns(slices, dataset.sigShape); // else a part of a frame would not be contiguous
  const readWhole = kind.readsWhole && !draft.culling.box &&
    (slices.length === 1 || cuttable && depth * layout.storedBytes <= WHOLE_BLOCK_BYTES);
  return { layout, source, frames, entries, slices, readWhole, lean };
}

function slabBytes(draft: Draft, set: SetPlan, reading: TileReading): number {
  const { udfs, corrections, nativeDType, leafSets } = draft;
  const corrected = corrections ? nativeDType as CorrectedDType : undefined;
  const own = ownTiles(udfs);
  const needs = udfs.map(({ udf, meta }, u) => ({ ...formNeed(udf, meta), own: own[u]! }));
  return tileReaderBytes(reading, corrected) +
    formBytes(formSizes(reading, corrected), needs) +
    udfs.reduce((sum, { udf, meta }) => sum + scratchBytes(udf, meta), 0) +
    udfs.reduce(
      (sum, { tree }, u) => sum + (tree ? LeafTree.bytesFor(set.udfs[u]!, set.pixels, leafSets) : 0),
      0,
    );
}

/** Bytes of a slab that the tile reader uses. */
function tileReaderBytes(how: TileReading, corrected?: CorrectedDType): number {
  const { layout, source, frames, entries, slices, readWhole, lean } = how;
  const corrections = corrected ? frames * mostPixels(slices) * dtypeInfo(corrected).itemSize : 0;
  const reader = source === "csr"
    ? kindOf(layout).rowBytes(layout, frames, entries)
    : readerBytes(layout, frames, readWhole ? undefined : slices[0], { entries, lean });
  return roundUp(corrections, ALIGNMENT) + reader;
}

/** The images that a run reads. */
export function readImages({ selection, dataset }: Pick<Draft, "selection" | "dataset">): ReadImages {
  const { frames } = dataset;
  return { count: countIn(selection, 0, frames), list: () => imagesOf(selection, frames) };
}

/** Largest number of buffer sets that the leaves of one partition need at one time. */
export function leafSetsOf(
  partitions: readonly { readonly start: number; readonly stop: number }[],
  selection: Selection,
  leaf: number,
): number {
  const { indices } = selection;
  return partitions.reduce((most, { start, stop }) => {
    const inRow = Math.ceil(stop / leaf) - Math.floor(start / leaf);
    const needed = indices
      ? mostPending(leavesWith(indices, start, stop, leaf), false)
      : mostPendingInRow(inRow);
    return Math.max(most, needed);
  }, 1);
}

/** The leaves in `[start, stop)` that contain one of `indices`, which ascend. */
function* leavesWith(indices: Uint32Array, start: number, stop: number, leaf: number): Generator<number> {
  const end = lowerBound(indices, stop);
  for (let i = lowerBound(indices, start); i < end;) {
    const number = Math.floor(indices[i]! / leaf);
    yield number;
    while (i < end && indices[i]! < (number + 1) * leaf) i++; // a leaf has at most 32 frames
  }
}

function constantBytes(
  { udfs, corrections, dataset, nativeDType }: Draft,
  { slices }: TilingScheme,
): number {
  const masks = udfs.flatMap(({ constants }) => Object.values(constants));
  const frame = blockBytes(nativeDType, dataset.pixels);
  const maps = (corrections?.dark ? frame : 0) + (corrections?.gain ? frame : 0);
  const neighbours = 2 + 3 ** dataset.sigShape.length;
  const parts = unitsOf(nativeDType); // complex pixels are patched part by part
  const patches = parts * (corrections?.excluded?.length ?? 0) * neighbours * 4;
  const twoOrders = !areRuns(slices, dataset.sigShape);
  const aux = udfs.flatMap(({ aux, meta }) =>
    Object.values(aux).map((spec) => auxBytes(spec, meta.selected, twoOrders) + 2 * ALIGNMENT)
  );
  return masks.reduce((sum, mask) => sum + roundUp(mask.byteLength, ALIGNMENT), 0) + maps +
    aux.reduce((sum, bytes) => sum + bytes, 0) +
    roundUp(patches, ALIGNMENT) + (patches > 0 ? 64 * ALIGNMENT : 0);
}

/**
 * Bytes of the results on the heap: nav buffers of all frames (or of the selected ones), the other buffers once, and
 * the masks of merged and of selected frames.
 */
function resultBytes({ dataset: { frames }, selection, udfs, roi }: Draft, set: SetPlan): number {
  const selected = selection.indices?.length ?? frames;
  const rows = ({ kind, compressed }: BufferPlan) =>
    kind === "nav" ? (compressed ? selected : frames) : kind === "sig" ? set.pixels : 1;
  const own = set.udfs.flat().reduce(
    (sum, plan) => sum + blockBytes(plan.dtype, plan.entry * rows(plan)),
    frames + roiBytes(roi),
  );
  return own + udfs.reduce((sum, { derivations }) => sum + derivedBytes(derivations, rows), 0);
}

/** Bytes of waiting data on the heap: start values, and the parts of all partitions for UDFs that merge all at once. */
function heapBytes({ udfs, partitions }: Draft, set: SetPlan): number {
  const busy = partitions.filter(({ selected }) => selected > 0).length;
  const bytesOf = ({ udf, meta }: Draft["udfs"][number], u: number) => {
    const plans = set.udfs[u]!.filter(({ offset }) => offset !== undefined);
    const nav = plans.filter(({ kind }) => kind === "nav").reduce(
      (sum, plan) => sum + blockBytes(plan.dtype, plan.entry * meta.selected),
      0,
    );
    const others = plans.filter(({ kind }) => kind !== "nav").reduce(
      (sum, plan) => sum + blockBytes(plan.dtype, plan.entry * (plan.kind === "sig" ? set.pixels : 1)),
      0,
    );
    return (mergesAll(udf) ? nav + busy * others : 0) + (udf.preprocess || mergesAll(udf) ? others : 0);
  };
  return udfs.reduce((sum, planned, u) => sum + bytesOf(planned, u), 0);
}
