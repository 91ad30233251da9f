/**
 * Copies the samples that a view shows of a tile from the tile to the view.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import type { CopyRows } from "../../memory/copy_box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { Segment } from "./segments.ts";

/** Where dense samples lie in memory. */
export interface Placed {
  /** Address of the first one. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
}

/** The same step along both sides of a copy, several times. */
interface Loop {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

const ONCE: Loop = { count: 1, from: 0, to: 0 };

/**
 * Copies parts of tiles in one memory. There are several parts per view, so that this makes few objects: usually it is one
 * call of a kernel for the rows of a part.
 */
export class PartCopier {
  readonly #itemSize: number;
  readonly #rows: CopyRows;

  /** Tiles and views have samples of `dtype`, and lie in the memory of `kernels`. */
  constructor(kernels: Kernels, dtype: DType) {
    this.#itemSize = dtypeInfo(dtype).itemSize;
    this.#rows = copierWithin(kernels);
  }

  /** Copies the samples of `segments` from `tile` to `view`; the bytes copied. */
  copy(segments: readonly Segment[], tile: Placed, view: Placed): number {
    const loops: Loop[] = []; // of the dimensions that are not part of the row, the last dimension first
    let [row, all, from, to] = [this.#itemSize, this.#itemSize, tile.pointer, view.pointer];
    let [fromStride, toStride] = [row, row];
    for (let d = segments.length - 1; d >= 0; d--) {
      const { count, from: first, at, step } = segments[d]!;
      from += first * fromStride;
      to += at * toStride;
      all *= count;
      // what both sides have without gaps is one row
      if (loops.length === 0 && step === 1 && row === fromStride && row === toStride) row *= count;
      else if (count > 1) loops.push({ count, from: step * fromStride, to: toStride });
      fromStride *= tile.shape[d]!;
      toStride *= view.shape[d]!;
    }
    this.#walk(loops, loops.length - 1, to, from, row);
    return all;
  }

  #walk(loops: readonly Loop[], depth: number, to: number, from: number, row: number): void {
    const loop = loops[depth] ?? ONCE;
    if (depth <= 0) return this.#rows(to, from, row, loop.count, loop.to, loop.from);
    for (let i = 0; i < loop.count; i++) {
      this.#walk(loops, depth - 1, to + i * loop.to, from + i * loop.from, row);
    }
  }
}
