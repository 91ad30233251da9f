/**
 * Connected components: samples that belong together get one number.
 *
 * Two passes over the array: the first finds the components of every tile, and joins them across tiles; the second
 * writes their numbers. Between the passes there is a number per component of a tile, and no image. Both passes have the tiles of
 * one plan, made for the sink before the first pass; the numbers carry these tiles, and the second pass refuses others.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { accountWith, type Limits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { number, whole } from "../../options/rules.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { isComplex } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { shapeFrom } from "../../space/rules.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { type ArraySpec, specOf } from "../array.ts";
import { alongIn, type AxesInput, axesInputRule } from "../chain/dimensions.ts";
import { isChunked } from "../chunk_plan.ts";
import { Collected } from "../map/map_run.ts";
import type { AnySink, MapPlan, WithSink } from "../map/map_plan.ts";
import { planInto, withParams } from "../map/plan.ts";
import { reduceViews } from "../map/reduce.ts";
import { mapInto } from "../map/run.ts";
import { isChunkSink, sinkRule } from "../map/sink.ts";
import type { ViewOperation, ViewReduction } from "../operations/operation.ts";
import { COMPONENT_BYTES, JoinedComponents, keptBytes, type LabelTable } from "../regions/joined.ts";
import { LABEL_TILES, type LabelParams, RELABEL, type RelabelParams } from "../regions/operations.ts";

/**
 * Options of {@link labelImage}.
 * @category Views
 */
export interface LabelOptions extends Pick<RunSettings<never>, "signal" | "wait" | "stallTimeout"> {
  /**
   * Samples greater than it are inside. Any number. Default: the array is a mask, samples other than 0 are inside,
   * also NaN.
   */
  readonly threshold?: number;
  /**
   * Dimensions in which neighbours may differ: 1 for those that share a face (4 in images), the number of dimensions
   * for all, also across corners (8 in images). Whole, at least 1. Default 1.
   */
  readonly connectivity?: number;
  /**
   * The dimensions along which samples belong together, by name or number; numbers go on from one image to the next. Default: as
   * for {@link mapViews}.
   */
  readonly axes?: AxesInput;
  /** Size of a tile; the result does not depend on it. Default: about 256 × 2048 samples, or 32 × 128 × 256. */
  readonly tile?: Shape;
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/**
 * The components of an array.
 * @category Views
 */
export interface Labels {
  /** How many there are. */
  readonly count: number;
  /** The number of the component of every sample, from 1 in the order of their first samples; 0 outside. */
  readonly labels: NDArray<"uint32">;
}

const { signal, wait, stallTimeout } = RUN_SETTINGS;
// deno-fmt-ignore: written by `deno task build`
const LABEL_OPTIONS: OptionNames<LabelOptions & Partial<WithSink<"uint32">>> = {
  signal, stallTimeout, wait, threshold: number, connectivity: whole(1), axes: axesInputRule,
  tile: shapeFrom(1, "[256, 2048]"), context: contextRule, sink: sinkRule,
};

/**
 * Numbers the connected components of an array of any rank, or of a data set as one array, which may be larger than
 * memory. The numbers are those of `scipy.ndimage.label`, whatever the tiles and the number of workers.
 *
 * Between its two passes it holds 16 bytes per component of a tile; a component that lies in several tiles counts in each.
 *
 * @param array where a component is what is not 0
 * @param options which neighbours count, the context, and with `sink` where the numbers go
 * @returns how many components there are, and their numbers unless a sink takes them
 * @throws {TilewiseError} `over-budget`, with the sum, if there is no room for the components; `unsupported` for complex samples; those of
 *   `mapViews`.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { labelImage } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(9, 0, 7, 9, 0, 7, 0, 8, 0), shape: [3, 3] });
 * await using context = createContext({ workers: 0 });
 * const { count, labels } = await labelImage(image, { threshold: 5, context });
 * assertEquals([count, ...labels.data], [3, 1, 0, 2, 1, 0, 2, 0, 3, 0]);
 * assertEquals((await labelImage(image, { connectivity: 2, context })).count, 1);
 * ```
 * @category Views
 */
export function labelImage(
  array: ArraySpec | Dataset,
  options: LabelOptions & WithSink<"uint32">,
): Promise<Pick<Labels, "count">>;
/**
 * The numbers as an array in memory.
 * @category Views
 */
export function labelImage(array: ArraySpec | Dataset, options?: LabelOptions): Promise<Labels>;
export async function labelImage(
  array: ArraySpec | Dataset,
  options: LabelOptions & Partial<WithSink<"uint32">> = {},
): Promise<Pick<Labels, "count"> | Labels> {
  const call = "labelImage()";
  checkOptionNames(call, options, LABEL_OPTIONS);
  const { sink, ...asked } = options;
  const spec = specOf(call, array);
  const { plan, params, settings } = await planLabels(call, spec, asked, sink);
  const { memory, views: { grid } } = plan;
  const collected = sink ? undefined : new Collected(plan);
  const limits = insideOf(settings.context);
  const kept = accountWith(memory, { what: "faces of tiles", each: keptBytes(grid), count: 1, onHeap: true });
  const joined = reduceViews(spec, joining(params, spec, kept, limits), { ...settings, tile: grid.tile });
  await collected?.touch(joined); // workers are busy, this thread is not
  const table = await joined;
  const second = withParams(plan, { ...params, table });
  await mapInto(second, settings, sink ?? ((band) => collected!.add(band)));
  const { count } = table;
  return collected ? { count, labels: collected.result } : { count };
}

/**
 * The plan for the labels of an array, which need not be there yet, and the settings of its run: what cannot be labelled or stored
 * is refused.
 */
export async function planLabels(
  call: string,
  array: ArraySpec,
  { threshold, connectivity = 1, axes, tile, ...settings }: LabelOptions,
  sink: AnySink<"uint32"> | undefined,
) {
  const dims = alongIn(call, array, axes)?.dims ?? [...array.shape.keys()];
  checkSamples(array, connectivity, dims);
  const params = { above: threshold ?? null, connectivity, dims };
  const plan = await cut(call, array, relabel(params), { tile, context: settings.context }, sink);
  return { plan, params, settings };
}

function relabel(params: RelabelParams): ViewOperation<"uint32"> {
  return { name: "labelImage", operation: RELABEL.name, params };
}

function joining(
  params: LabelParams,
  { shape, dtype }: ArraySpec,
  kept: MemoryAccount,
  limits: Limits,
): ViewReduction<LabelTable, "uint32"> {
  const most = Math.min(2 ** 32 - 1, Math.floor((limits.memory - kept.total) / COMPONENT_BYTES));
  const refused = (count: number) => {
    const components = { what: "components of tiles", each: COMPONENT_BYTES, count, onHeap: true };
    const instead = "another threshold, a filter before, or ";
    return overBudget(
      `Cannot label ${showShape(shape)} ${dtype}`,
      accountWith(kept, components),
      limits,
      instead,
    );
  };
  return {
    operation: { name: "labelImage", operation: LABEL_TILES.name, params },
    async merge(partials, { grid }) {
      const joined = new JoinedComponents(grid, params, most, refused);
      for await (const { data, tile } of partials) joined.add(data, tile);
      return joined.table();
    },
  };
}

/** Blocks of volumes: flat tiles have large faces. Those after the first are for small budgets. */
const BLOCKS = [[32, 128, 256], [16, 64, 128], [8, 32, 64]] as const;

/** What may be asked for. */
interface CutOptions {
  readonly tile: Shape | undefined;
  readonly context: Context | undefined;
}

/**
 * The plan of the second pass, whose tiles are those of both: those that the sink stores; else, for images, the usual ones, and
 * for volumes blocks.
 */
async function cut(
  call: string,
  array: ArraySpec,
  operation: ViewOperation<"uint32">,
  { tile, context }: CutOptions,
  sink: AnySink<"uint32"> | undefined,
): Promise<MapPlan<"uint32">> {
  const planned = (tile: Shape | undefined) =>
    planInto(call, array, operation, defined({ tile, context }), sink);
  if (tile || isChunkSink(sink) || array.shape.length < 3) return await planned(tile);
  for (const block of BLOCKS) {
    try {
      return await planned(blockTile(array, block));
    } catch (error) {
      if (block === BLOCKS.at(-1) || !isTilewiseError(error, "over-budget")) throw error;
    }
  }
  throw new TilewiseError("corrupt", "There is no block");
}

/** A block in the last three dimensions: whole chunks of arrays in chunks. */
function blockTile(array: ArraySpec, block: readonly number[]): Shape {
  const { shape } = array;
  const chunk = isChunked(array) ? array.layout.storage.chunks.chunk : shape.map(() => 1);
  return shape.map((n, d) => {
    const wanted = block[d - (shape.length - block.length)] ?? 1;
    const step = Math.min(chunk[d]!, 4 * wanted);
    return Math.max(1, Math.min(n, Math.max(1, Math.round(wanted / step)) * step));
  });
}

function checkSamples(
  { shape, dtype, axes }: ArraySpec,
  connectivity: number,
  dims: readonly number[],
): void {
  if (isComplex(dtype)) {
    const text = `Cannot label complex samples, as ${dtype}: none of them is greater than another`;
    throw new TilewiseError("unsupported", text, { expected: "real samples", found: dtype });
  }
  const last = shape.length - 1;
  if (last >= 0 && !dims.includes(last)) {
    const name = axes?.[last]?.name ?? `dimension ${last}`;
    const text =
      `Cannot label the ${
        shape[last]
      } samples of a pixel one by one (${name}): choose one of them with a box, ` +
      'or say axes "all"';
    throw new TilewiseError("unsupported", text, { option: "axes", expected: 1, found: shape[last]! });
  }
  if (connectivity <= Math.max(1, dims.length) && sizeOf(shape) >= 0) return;
  const text =
    `Cannot join neighbours that differ in ${connectivity} dimensions: an image has ${dims.length}`;
  throw new TilewiseError("invalid", text, {
    option: "connectivity",
    expected: dims.length,
    found: connectivity,
  });
}
