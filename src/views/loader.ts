/**
 * Fills views: first the samples of the array, then the border, one dimension after another.
 *
 * ```text
 *   for every box of the product of the `read` runs: read its samples to their places
 *   reverse bytes if the source is big endian
 *   for d = last … first dimension: copy and fill the other runs of d, over all of the other dimensions
 * ```
 *
 * When dimension d is processed, all later dimensions are complete wherever the samples of the earlier ones exist.
 * Corners are therefore correct in all dimensions. Samples that the view already has are never read again.
 *
 * @module
 */

import { defined } from "../options.ts";
import { unlessChanged } from "../io/unchanged.ts";
import { type Kernels, swapSamples } from "../kernels/bind.ts";
import { copierWithin } from "../kernels/copiers.ts";
import type { CopyRows } from "../memory/copy_box.ts";
import { type StridedView, stridedView } from "../memory/strided.ts";
import type { BorderMap } from "../space/border.ts";
import { dtypeInfo, typedArray } from "../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../space/shape.ts";
import { type AxisRun, axisRuns, geometryOf, type ViewGeometry } from "./geometry.ts";
import { borderMaps, constantViews, extendRun } from "./extend.ts";
import { openSamples } from "./open_samples.ts";
import { convert } from "./operations/function_arrays.ts";
import type { SingleLayout, ViewLayout } from "./plan.ts";
import type { SampleReader, SampleReaderOptions } from "./samples.ts";

/** Tiles per dimension whose runs are kept: all of them, where there are not very many. */
const KNOWN_TILES = 4096;
/** Runs of a tile that is kept; only borders in disorder have more. */
const KNOWN_RUNS = 64;

/** One dimension of a view. */
interface Axis {
  /** What is read from the array. */
  readonly read: readonly AxisRun[];
  /** What is made from that: copies, and samples with the fill value. */
  readonly made: readonly AxisRun[];
}

/**
 * Where the `count` samples of a view at `pointer` are read to, in the type in which they are stored: at the end of its place,
 * from where they are widened.
 *
 * ```text
 *   place of the view     |........................|   samples of the type of views
 *   read as they are      |............ssssssssssss|
 * ```
 */
export function placeOfStored(
  { dtype, array }: Pick<ViewLayout, "dtype" | "array">,
  pointer: number,
  count: number,
): number {
  return pointer + count * (dtypeInfo(dtype).itemSize - dtypeInfo(array.dtype).itemSize);
}

/** Loads the views of one plan into one memory, one at a time. */
export class ViewLoader implements AsyncDisposable {
  /** The fill value of each dimension. */
  readonly #constants: readonly StridedView[];
  /** Per dimension, the runs of tiles by their number. */
  readonly #axes: readonly Map<number, Axis>[];
  readonly #copyRows: CopyRows;

  private constructor(
    readonly plan: ViewLayout,
    private readonly samples: SampleReader,
    private readonly kernels: Kernels,
    private readonly maps: readonly BorderMap[],
  ) {
    this.#constants = constantViews(plan.dtype, plan);
    this.#axes = maps.map(() => new Map());
    this.#copyRows = copierWithin(kernels);
  }

  /** Opens the sources of `plan` on this thread; views are loaded into the memory of the kernels. */
  static async open(plan: SingleLayout, options: SampleReaderOptions): Promise<ViewLoader> {
    const maps = await borderMaps(plan.borders);
    return new ViewLoader(plan, await openSamples(plan, options), options.kernels, maps);
  }

  /** Loads views from `samples`, which have the byte order of memory; several may be loaded at the same time. */
  static async over(plan: ViewLayout, samples: SampleReader, kernels: Kernels): Promise<ViewLoader> {
    return new ViewLoader(plan, samples, kernels, await borderMaps(plan.borders));
  }

  /**
   * Fills the `plan.byteLength` bytes at address `pointer` with the view of tile `index`; every byte is written. Of a
   * clipped view there may be fewer.
   */
  async load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry> {
    const { grid, halo, clipped, dtype, array: { dtype: stored } } = this.plan;
    const geometry = geometryOf(grid, halo, index, clipped);
    const { shape } = geometry;
    const axes = index.map((i, d) => this.#axis(d, i, geometry));
    const count = sizeOf(shape);
    const place = placeOfStored(this.plan, pointer, count);
    await this.#read(axes.map(({ read }) => read), { pointer: place, shape }, signal);
    swapSamples(this.kernels, this.plan.array, place, count);
    if (stored !== dtype) {
      const { memory: { buffer } } = this.kernels;
      convert(
        typedArray(stored, buffer, place, count),
        stored,
        typedArray(dtype, buffer, pointer, count),
        dtype,
      );
    }
    if (axes.some(({ made }) => made.length > 0)) this.#extend(axes, pointer, shape);
    return geometry;
  }

  /** Makes what is outside of the array, the last dimension first. */
  #extend(axes: readonly Axis[], pointer: number, shape: Shape): void {
    const view = stridedView(this.kernels.memory.buffer, pointer, this.plan.dtype, shape);
    for (let d = axes.length - 1; d >= 0; d--) {
      for (const run of axes[d]!.made) extendRun(view, run, d, this.#constants[d]!, this.#copyRows);
    }
  }

  /** The runs of dimension `d` of the views of tile `i` along it; they are the same for all tiles beside it. */
  #axis(d: number, i: number, { start, shape }: ViewGeometry): Axis {
    const known = this.#axes[d]!;
    let axis = known.get(i);
    if (axis) return axis;
    const runs = axisRuns(this.maps[d]!, start[d]!, shape[d]!, this.plan.array.shape[d]!);
    const [read, made] = [true, false].map((is) => runs.filter(({ kind }) => (kind === "read") === is));
    axis = { read: read!, made: made! };
    if (known.size >= KNOWN_TILES) known.clear();
    if (runs.length <= KNOWN_RUNS) known.set(i, axis);
    return axis;
  }

  /** Closes the sources. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.samples[Symbol.asyncDispose]();
  }

  /** Reads every box of the product of `runs`; throws if the sources have changed since they were opened. */
  async #read(
    runs: readonly (readonly AxisRun[])[],
    { pointer, shape }: ViewPlace,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      if (runs.every(({ length }) => length === 1)) {
        const wait = this.samples.read(runs.map(([run]) => run!), pointer, signal, shape);
        if (wait) await wait;
      } else for (const box of product(runs)) await this.samples.read(box, pointer, signal, shape);
      this.samples.recheck();
    } catch (error) {
      throw unlessChanged(error, () => this.samples.recheck());
    }
  }
}

/** Where a view is. */
interface ViewPlace {
  readonly pointer: number;
  readonly shape: Shape;
}

/** All combinations of one run per dimension; one empty combination for no dimensions. */
function* product(lists: readonly (readonly AxisRun[])[]): Generator<AxisRun[]> {
  const counts = lists.map((runs) => runs.length);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    yield unravel(flat, counts).map((i, d) => lists[d]![i]!);
  }
}

// Loads views of joined arrays: one view after another, in the type that holds the samples of all.

/** Loads views. */
export interface Loader extends AsyncDisposable {
  /** Fills the bytes at `pointer` with the view of tile `index`. */
  load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry>;
}

/** The views of joined arrays, as workers load them; plain data. */
export interface JoinedViews {
  /** The views of each array. */
  readonly layouts: readonly SingleLayout[];
  /** The memory with the samples of each array, if they lie in one. */
  readonly samples: readonly (WebAssembly.Memory | undefined)[];
  /** Bytes from the view of one array to that of the next. */
  readonly apart: number;
}

/** Loads the views of joined arrays. */
export class JoinedLoader implements Loader {
  private constructor(
    private readonly loaders: readonly ViewLoader[],
    private readonly apart: number,
  ) {}

  /** Opens the sources of all arrays. */
  static async open(views: JoinedViews, options: SampleReaderOptions): Promise<JoinedLoader> {
    const loaders: ViewLoader[] = [];
    const all = new JoinedLoader(loaders, views.apart);
    try {
      for (const [k, layout] of views.layouts.entries()) {
        const samples = views.samples[k];
        loaders.push(await ViewLoader.open(layout, { ...options, ...defined({ samples }) }));
      }
      return all;
    } catch (error) {
      await all[Symbol.asyncDispose]();
      throw error;
    }
  }

  async load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry> {
    let geometry: ViewGeometry | undefined;
    for (const [k, loader] of this.loaders.entries()) {
      geometry = await loader.load(index, pointer + k * this.apart, signal);
    }
    return geometry!; // that of all of them; there is one array at least
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const loader of this.loaders) await loader[Symbol.asyncDispose]();
  }
}
