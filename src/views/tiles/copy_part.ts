/**
 * Copies the samples that a view shows of a tile from the tile to the view.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import { type CopyRows, copyView } from "../../memory/copy_box.ts";
import { denseStrides, stridedView } from "../../memory/strided.ts";
import type { DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { Segment } from "./segments.ts";

/** Where dense samples lie in memory. */
export interface Placed {
  /** Address of the first one. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
}

/** Copies parts of tiles in one memory. */
export class PartCopier {
  readonly #buffer: ArrayBufferLike;
  readonly #rows: CopyRows;

  /** Tiles and views have samples of `dtype`, and lie in the memory of `kernels`. */
  constructor(kernels: Kernels, private readonly dtype: DType) {
    this.#buffer = kernels.memory.buffer;
    this.#rows = copierWithin(kernels);
  }

  /** Copies the samples of `segments` from `tile` to `view`; the bytes copied. */
  copy(segments: readonly Segment[], tile: Placed, view: Placed): number {
    const { dtype } = this;
    const counts = segments.map(({ count }) => count);
    const source = denseStrides(tile.shape, dtype);
    const target = denseStrides(view.shape, dtype);
    const from = segments.reduce((sum, { from }, d) => sum + from * source[d]!, tile.pointer);
    const to = segments.reduce((sum, { at }, d) => sum + at * target[d]!, view.pointer);
    const steps = segments.map(({ step }, d) => step * source[d]!);
    copyView(
      stridedView(this.#buffer, from, dtype, counts, steps),
      stridedView(this.#buffer, to, dtype, counts, target),
      this.#rows,
    );
    return counts.reduce((product, n) => product * n, source.at(-1) ?? 1);
  }
}
