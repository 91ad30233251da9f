/**
 * A part of the result, for `--box`: the samples that it needs are read into memory, with those around it that filters see, so
 * that the part has the same bits as in the whole result.
 *
 * ```
 * array     ····[halo [ part ] halo]····      along one dimension; the halo ends where the array ends
 * ```
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { type Box, box } from "../../space/box.ts";
import { factsOf } from "../../space/axes.ts";
import { cropped } from "../../space/meaning/axes.ts";
import { type NDArray, zeroArray } from "../../space/ndarray.ts";
import { boxOfRanges, parseRanges, resolveRanges } from "../../space/ranges.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import { mapViews } from "../../views/map/map_views.ts";
import { planMap } from "../../views/map/plan.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { readBox } from "../inputs/frames.ts";
import type { Arguments } from "../shell/args.ts";
import { type FilterRun, inputOf } from "./filtered.ts";

/** A part of a result. */
export interface BoxResult {
  /** The part of the result, in memory. */
  readonly result: StoredDataset;
  /** The same part of the source. */
  readonly source: StoredDataset;
  /** Which part of the array it shows. */
  readonly box: Box;
  /** The plan of the filters over the whole array. */
  readonly whole: MapPlan;
}

/** The box of `--box`, if it was given; `invalid` for one without samples. */
export function boxOf(args: Arguments, { shape }: StoredDataset): Box | undefined {
  const ranges = args.value("box", parseRanges);
  if (!ranges) return undefined;
  const found = boxOfRanges(resolveRanges(ranges, shape, "the array"));
  if (sizeOf(found.shape) > 0) return found;
  const text = `Cannot map ${args.text("box")} of ${showShape(shape)}: that box has no samples`;
  throw new TilewiseError("invalid", text, { found: showShape(found.shape) });
}

/** Computes a part of what `operation` makes. */
export async function partOf(
  { dataset, others, options, context }: Omit<FilterRun, "words">,
  operation: ViewOperation,
  wanted: Box,
  signal: AbortSignal,
): Promise<BoxResult> {
  const whole = await planMap(inputOf({ dataset, others }), operation, { ...options, context });
  const { region, place } = regionOf(whole, wanted);
  mustNotWrap(whole, region);
  const read = async (from: StoredDataset) => told(await readBox(from, region, signal), from, region);
  const samples = await read(dataset);
  const beside: Record<string, StoredDataset> = {};
  for (const [name, one] of Object.entries(others)) {
    beside[name] = await opened(await read(one));
  }
  const around = inputOf({ dataset: await opened(samples), others: beside });
  const made = await mapViews(around, operation, { ...options, context, signal });
  const inner = wanted.origin.map((o, d) => o - region.origin[d]!);
  return {
    result: await opened(cut(made, place)),
    source: await opened(cut(samples, box(inner, wanted.shape))),
    box: wanted,
    whole,
  };
}

/** What is read for a part, and where the part lies in the result of that. */
function regionOf(
  { views, blocks }: MapPlan,
  { origin, shape }: Box,
): { readonly region: Box; readonly place: Box } {
  const { array, halo, grid } = views;
  const dimensions = origin.map((o, d) => {
    const size = array.shape[d]!;
    const factor = Math.max(1, Math.round(grid.tile[d]! / blocks.grid.tile[d]!)); // samples that become one
    const [first, last] = [Math.floor(o / factor), Math.ceil((o + shape[d]!) / factor)];
    const start = Math.max(0, first - Math.ceil(halo.front[d]! / factor)) * factor;
    const stop = Math.min(size, (last + Math.ceil(halo.back[d]! / factor)) * factor);
    return { start, stop, first: first - start / factor, count: last - first };
  });
  return {
    region: box(dimensions.map(({ start }) => start), dimensions.map(({ start, stop }) => stop - start)),
    place: box(dimensions.map(({ first }) => first), dimensions.map(({ count }) => count)),
  };
}

/** At the ends of the array the border `wrap` shows samples from its other end, which a part does not have. */
function mustNotWrap({ views: { array, borders, halo } }: MapPlan, { origin, shape }: Box): void {
  const wraps = borders.some((border, d) => {
    const isWhole = origin[d] === 0 && shape[d] === array.shape[d];
    const sees = halo.front[d]! > 0 || halo.back[d]! > 0;
    return border === "wrap" && sees && !isWhole &&
      (origin[d] === 0 || origin[d]! + shape[d]! === array.shape[d]);
  });
  if (!wraps) return;
  const text =
    "Cannot map a box at the end of an array with the border wrap, which shows samples from the other end; " +
    "leave out --box, or take another border";
  throw new TilewiseError("unsupported", text, { option: "border", found: "wrap" });
}

function cut({ data, shape, dtype, axes, values }: NDArray, part: Box): NDArray {
  const out = zeroArray(part.shape, dtype);
  copyBox(viewOf(data, dtype, shape), part, viewOf(out.data, dtype, part.shape), part.shape.map(() => 0));
  return {
    ...out,
    ...(axes ? { axes: axes.map((axis, d) => cropped(axis, part.origin[d]!, part.shape[d]!)) } : {}),
    ...defined({ values }),
  };
}

/** What the samples of a region of a data set are. */
function told(samples: NDArray, { axes, values }: StoredDataset, { origin, shape }: Box): NDArray {
  return { ...samples, axes: axes.map((axis, d) => cropped(factsOf(axis), origin[d]!, shape[d]!)), values };
}

async function opened(array: NDArray): Promise<StoredDataset> {
  return await open(array) as StoredDataset;
}
