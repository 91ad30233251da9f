/**
 * Loads views of joined arrays: one view after another, in the type that holds the samples of all.
 *
 * ```text
 *   place of array k in the view   |........................|   samples of the joined type
 *   loaded as they are             |............ssssssssssss|   to its end, then widened from its start
 * ```
 *
 * @module
 */

import { type DType, dtypeInfo, typedArray } from "../space/dtype.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import type { ViewGeometry } from "./geometry.ts";
import { ViewLoader } from "./loader.ts";
import { convert } from "./operations/function_arrays.ts";
import type { SingleLayout } from "./plan.ts";
import type { SampleReaderOptions } from "./samples.ts";

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
  /** Type that the samples get. */
  readonly dtype: DType;
  /** Bytes from the view of one array to that of the next. */
  readonly apart: number;
}

/** Loads the views of joined arrays. */
export class JoinedLoader implements Loader {
  private constructor(
    private readonly views: JoinedViews,
    private readonly loaders: readonly ViewLoader[],
    private readonly memory: WebAssembly.Memory,
  ) {}

  /** Opens the sources of all arrays. */
  static async open(views: JoinedViews, options: SampleReaderOptions): Promise<JoinedLoader> {
    await using opened = new AsyncDisposableStack();
    const loaders: ViewLoader[] = [];
    for (const [k, layout] of views.layouts.entries()) {
      const samples = views.samples[k];
      const own = { ...options, ...(samples ? { samples } : {}) };
      loaders.push(opened.use(await ViewLoader.open(layout, own)));
    }
    opened.move(); // from here on they are closed with this loader
    return new JoinedLoader(views, loaders, options.kernels.memory);
  }

  async load(index: Shape, pointer: number, signal?: AbortSignal): Promise<ViewGeometry> {
    const { dtype, apart } = this.views;
    let [place, geometry]: [number, ViewGeometry | undefined] = [pointer, undefined];
    for (const loader of this.loaders) {
      const { array: { dtype: own }, shape } = loader.plan;
      const count = sizeOf(shape);
      const end = place + count * (dtypeInfo(dtype).itemSize - dtypeInfo(own).itemSize);
      geometry = await loader.load(index, end, signal);
      if (own !== dtype) this.#widen(end, own, place, count);
      place += apart;
    }
    return geometry!; // that of all of them; there is one array at least
  }

  #widen(from: number, own: DType, to: number, count: number): void {
    const { memory: { buffer }, views: { dtype } } = this;
    convert(typedArray(own, buffer, from, count), own, typedArray(dtype, buffer, to, count), dtype);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const loader of this.loaders) await loader[Symbol.asyncDispose]();
  }
}
