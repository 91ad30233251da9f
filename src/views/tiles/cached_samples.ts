/**
 * Samples of views from tiles: the reader that the loader of views has for arrays in tiles.
 *
 * @module
 */

import { type Shape, sizeOf } from "../../space/shape.ts";
import type { AxisRun } from "../geometry.ts";
import { placeOfStored } from "../loader.ts";
import type { SampleReader } from "../samples.ts";
import type { LevelPlan } from "./levels.ts";
import { partsOf, type Segment, segmentsOf } from "./copy_part.ts";
import type { TileSupply, ViewInProgress } from "./tile_supply.ts";

/** Reads the samples of the views of one level from tiles; several views at the same time. */
export class CachedSamples implements SampleReader {
  readonly #views = new Map<number, ViewInProgress>();
  /** The segments of runs: all views of a row of tiles have the same run. */
  readonly #segments = new WeakMap<AxisRun, readonly Segment[]>();

  /** Views of `level`, which is at `place` in the list of levels. */
  constructor(
    private readonly supply: TileSupply,
    private readonly level: LevelPlan,
    private readonly place: number,
  ) {}

  /** What is read for the view at address `pointer` is for `view`, until the returned function is called. */
  begin(pointer: number, view: ViewInProgress): () => void {
    this.#views.set(pointer, view);
    return () => {
      if (this.#views.get(pointer) === view) this.#views.delete(pointer);
    };
  }

  /** Copies a box from the tiles that it lies in. */
  async read(
    box: readonly AxisRun[],
    pointer: number,
    _signal?: AbortSignal,
    shape: Shape = this.level.views.shape,
  ): Promise<void> {
    const view = this.#views.get(pointer - placeOfStored(this.level.views, 0, sizeOf(shape)))!;
    const parts = partsOf(box.map((run, d) => this.#segmentsOf(run, d)));
    await this.supply.fill(view, this.place, parts, { pointer, shape });
  }

  #segmentsOf(run: AxisRun, d: number): readonly Segment[] {
    let segments = this.#segments.get(run);
    if (!segments) this.#segments.set(run, segments = segmentsOf(run, this.level.tiles.tile[d]!));
    return segments;
  }

  /** Loaders have checked it. */
  recheck(): void {}

  /** Nothing to close. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
