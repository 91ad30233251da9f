/**
 * Turns the arguments of `map` into a plan over an open source, in a context; for the verb and for its replay.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { INLINE_BYTES } from "../../runner/context.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { haloOf } from "../../space/halo.ts";
import { valuesBy } from "../../space/meaning/values.ts";
import { openStored } from "../../formats/open.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { arrayOf, storedShape } from "../../views/array.ts";
import { loadedSteps } from "../../views/chain/entry.ts";
import { type LoadedStep, radiusOfStep } from "../../views/chain/steps.ts";
import { isChunked } from "../../views/chunk_plan.ts";
import type { AnySink, MapPlan, MapRunOptions } from "../../views/map/map_plan.ts";
import { planInto } from "../../views/map/plan.ts";
import { mapInto } from "../../views/map/run.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { OperationName } from "../../views/registry.ts";
import { wantsPictures } from "../flags/look.ts";
import { castAfter } from "../flags/cast_after.ts";
import { openOptions } from "../flags/source_flags.ts";
import { blankFrames, openAsked, showWarnings, tellBlank } from "../inputs/sources.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { partsIn } from "../shell/several.ts";
import { checkThreads, contextForViews, stallOf } from "../shell/threads.ts";
import { boxOf, type BoxResult, partOf } from "./box.ts";
import { openChannels } from "./channels.ts";
import { filesWith, isPng, isRows, sinkOf, viewOptions, wordDefaults } from "./flags.ts";
import { type FilterRun, inputOf, withInput } from "./filtered.ts";
import { mustBeAlike } from "../reductions/labels.ts";
import { makesLabels } from "../reductions/table.ts";
import { MAP_SOURCES, mapModules, parseWords, wordsOf } from "./words.ts";

/** What is to be computed. */
export interface MapRequest extends FilterRun {
  /** The source, as it was typed. */
  readonly source: string;
  /** All filters as one; without filters, a copy, and of a part too, which is computed already. */
  readonly operation: ViewOperation;
  /** Channels of the source in which labels are measured, by name. */
  readonly channels: Readonly<Record<string, StoredDataset>>;
  /** What the filters are called. */
  readonly title: string;
  /** What was opened: the data set itself, unless a part of it is asked for, and those of `--with`. */
  readonly files: readonly [StoredDataset, ...StoredDataset[]];
  /** Which part of it. */
  readonly part?: Pick<BoxResult, "box" | "whole">;
}

/** What is to be computed, planned. */
export interface Planned {
  /** What was asked for. */
  readonly asked: MapRequest;
  /** The plan of the filters. */
  readonly plan: MapPlan;
  /** What takes the result; absent: nothing, or a picture. */
  readonly sink?: AnySink;
  /** The result, if it is an image. */
  readonly result: ImageFacts;
  /** Computes the result; `sink` takes it. Returns what is known of it then. */
  store(sink: AnySink, settings: MapRunOptions): Promise<{ readonly count?: number }>;
}

/** Facts of a result that is an image. */
interface ImageFacts {
  /** What made it. */
  readonly name: string;
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** What its samples mean. */
  readonly values: ValueFacts;
  /** What runs along its dimensions, where that is known. */
  readonly axes: readonly AxisFacts[];
  /** How many of its first dimensions are the scan, as its source says. */
  readonly nav?: number;
}

/** The plan for a result in `out`; without it, of a result that goes nowhere. */
export async function planned(asked: MapRequest, out: string | undefined, args: Arguments): Promise<Planned> {
  const { operation, options, context, words: { reduction } } = asked;
  const isImage = !reduction || makesLabels(reduction.row);
  const sink = out === undefined || isPng(out) || !isImage ? undefined : sinkOf(out, args);
  const own = reduction ? undefined : sink; // what a reduction makes is not what these filters make
  const plan = await planInto(
    "map",
    inputOf(asked),
    operation,
    { ...options, context, sees: isSeen(args) },
    own,
  );
  const { dtype, values, axes = [], views: { array } } = plan;
  const shape = storedShape(plan.shape, array), nav = defined({ nav: array.nav });
  if (reduction) await reduction.row.check(reductionOf(asked, plan), sink as AnySink<"uint32">);
  for (const [name, channel] of Object.entries(asked.channels)) mustBeAlike(shape, name, channel);
  const base = { asked, plan, ...defined({ sink }) };
  if (!reduction || !makesLabels(reduction.row)) {
    const store: Planned["store"] = async (sink, settings) => (await mapInto(plan, settings, sink), {});
    return { ...base, result: { name: asked.title, shape, dtype, values, axes, ...nav }, store };
  }
  const { row } = reduction;
  const name = asked.words.filters ? `${asked.title} → ${row.name}` : row.name;
  const store: Planned["store"] = (sink, settings) =>
    withInput(asked, out, settings, (input) => row.labels(input, sink as AnySink<"uint32">));
  return {
    ...base,
    result: {
      name,
      shape,
      dtype: "uint32",
      values: valuesBy({ kind: "label" }, values, "uint32"),
      axes,
      ...nav,
    },
    store,
  };
}

/** What the reduction is planned for: its input is what the filters will make. */
function reductionOf({ dataset, samples = dataset, words, context, options }: MapRequest, plan: MapPlan) {
  const { shape, dtype, values, axes, views: { array: { nav, isScalar } } } = plan;
  const source = { kind: "bytes", name: "what filters make", bytes: new Uint8Array() } as const; // is not read
  const made = { shape, dtype, values, byteOrder: "little", source, offset: 0 } as const;
  return {
    source: samples,
    filtered: words.filters && !words.isDone
      ? { ...made, ...defined({ axes, nav, isScalar }) }
      : arrayOf(dataset),
    values: words.reduction!.values,
    settings: { context },
    ...defined({ axes: options.axes }),
  };
}

/** Whether a digest or a picture is made of the samples on their way. */
function isSeen(args: Arguments): boolean {
  return !args.has("no-manifest") || wantsPictures(args);
}

/** Calls `body` with what the arguments of `map` ask for, in a context that ends with it. */
export async function withMap<T>(
  args: Arguments,
  io: CliIo,
  out: string | undefined,
  body: (asked: MapRequest) => Promise<T>,
): Promise<T> {
  const { sources } = partsIn(args, MAP_SOURCES);
  const typed = wordsOf(args);
  const modules = mapModules(typed);
  for (const path of modules) args.inputs.add(path);
  const parsed = await parseWords(typed, wordDefaults(args));
  const filters = castAfter(parsed.filters, args);
  const words = { ...parsed, ...defined({ filters }) };
  const operation = words.filters ?? copySamples();
  checkThreads(args); // refused before anything is opened
  const stall = stallOf(args);
  if (modules.length > 0) await io.watch?.(stall);
  const open = openOptions(args, io.signal);
  const dataset = await openAsked(sources, args, open);
  const channels = await openChannels(sources, args, open);
  const source = args.has("stack") ? dataset.source : sources[0]!;
  showWarnings(dataset, args, io);
  tellBlank(blankFrames(dataset), io);
  const isPlain = out !== undefined && (isRows(out) || isPng(out)) && !words.reduction;
  const light = await isLight(dataset, operation, isPlain);
  await using context = contextForViews(args, io, dataset.byteLength, light);
  const options = viewOptions(args, dataset.shape, out);
  const others = await othersOf(args, io);
  const files: MapRequest["files"] = [dataset, ...Object.values(others)];
  const asked = {
    source,
    dataset,
    others,
    channels,
    files,
    words,
    operation,
    title: operation.name,
    context,
    options,
  };
  const box = boxOf(args, dataset);
  return await body(box ? await inPart(asked, box, out, args, io.signal) : asked);
}

/** The arrays of `--with`, by name. */
async function othersOf(args: Arguments, io: CliIo): Promise<Record<string, StoredDataset>> {
  const others: Record<string, StoredDataset> = {};
  for (const [name, path] of Object.entries(filesWith(args))) {
    args.inputs.add(path);
    others[name] = await openStored(path, { signal: io.signal });
  }
  return others;
}

/** The same for a part of the array: its filters are computed, what is left is to write them. */
async function inPart(
  asked: MapRequest,
  box: Box,
  out: string | undefined,
  args: Arguments,
  signal: AbortSignal,
): Promise<MapRequest> {
  const { result, source, whole } = await partOf(asked, asked.operation, box, signal);
  const { reduction } = asked.words;
  const { border: _border, fill: _fill, ...options } = viewOptions(args, result.shape, out); // filters have seen them
  return {
    ...asked,
    dataset: result,
    others: {},
    samples: source,
    words: { ...asked.words, isDone: true, ...defined({ reduction }) },
    operation: copySamples(),
    options,
    part: { box, whole },
  };
}

/**
 * Filters of which one thread computes 150 million samples per second or more, and up to which radius; together with reading
 * and writing.
 */
export const LIGHT: Readonly<Partial<Record<OperationName, number>>> = {
  copySamples: 0,
  convert: 0,
  threshold: 0,
  downSample: 0,
  boxMean: 8,
  gaussian: 8,
  sobel: 1,
  prewitt: 1,
  scharr: 1,
  laplacian: 1,
  localMinimum: 2,
  localMaximum: 2,
  median: 2,
};

/** Samples that one thread filters once in less than half a second. */
const MOST_SAMPLES = 2 ** 26;

/** Whether one thread is the faster way to compute `operation` over `dataset`; `isPlain`: nothing is compressed for the result. */
export async function isLight(
  dataset: StoredDataset,
  operation: ViewOperation,
  isPlain: boolean,
): Promise<boolean> {
  if (dataset.byteLength <= INLINE_BYTES) return true;
  if (!isPlain || !isStoredPlain(dataset)) return false;
  const steps = await loadedSteps(operation);
  const reaches = steps.map((step) => reachOf(step, dataset));
  const filters = Math.max(1, reaches.filter((reach) => reach > 0).length); // what sees one sample alone takes little more
  return steps.every(({ entry: { name } }, k) => reaches[k]! <= (LIGHT[name as OperationName] ?? -1)) &&
    sizeOf(dataset.shape) * filters <= MOST_SAMPLES;
}

/** Whether samples are read without decoding more than their byte order. */
function isStoredPlain(dataset: StoredDataset): boolean {
  const { kind } = dataset.layout.storage;
  return kind === "contiguous" || (isChunked(dataset) && dataset.layout.storage.chunks.filters.length === 0);
}

/** Samples that a filter sees around one, along the dimension where these are most. */
function reachOf(step: LoadedStep, { shape }: StoredDataset): number {
  const { front, back } = haloOf(radiusOfStep(step), shape);
  return Math.max(0, ...front, ...back);
}
