/**
 * Loads views of joined arrays: one view after another, in the type that holds the samples of all.
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";
import type { ViewGeometry } from "./geometry.ts";
import { ViewLoader } from "./loader.ts";
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
        loaders.push(await ViewLoader.open(layout, { ...options, ...(samples ? { samples } : {}) }));
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
