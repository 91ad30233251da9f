/**
 * The worker side of a box filter: loads the view of one tile and writes the means of its tile to a band.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../executor/task.ts";
import type { KernelFamilies } from "../kernels/families/families.ts";
import { kernel } from "../kernels/registry.ts";
import { instantiateKernels, type KernelCode, moduleOf } from "../kernels/bind.ts";
import { Slab } from "../memory/slab.ts";
import { dtypeInfo } from "../space/dtype.ts";
import type { Shape } from "../space/shape.ts";
import { ViewLoader } from "./loader.ts";
import type { ViewLayout } from "./plan.ts";

/** What all tiles of a filter share. */
export interface FilterShared {
  /** The views. */
  readonly views: ViewLayout;
  /** The kernels. */
  readonly module: KernelCode;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
}

/** One tile to filter. */
export interface FilterTask {
  /** Which tile. */
  readonly index: Shape;
  /** Address of the band that its means go to; the band is as wide as the image. */
  readonly band: number;
}

/** Makes the handler of a filter on one worker; a task results in the number of its band. */
export async function filterJob(
  { views, module, slabs }: FilterShared,
  worker: WorkerContext,
): Promise<JobHandler<FilterTask, void>> {
  const kernels = instantiateKernels(worker.memory, moduleOf(module));
  const { offset, byteLength } = slabs[worker.index]!;
  const slab = new Slab(worker.memory, offset, byteLength);
  const pointer = slab.take(views.byteLength, "a view");
  const columns = slab.take(8 * views.shape[1]!, "sums of columns");
  const mean: KernelFamilies["box_mean"] = kernel(kernels, "box_mean", views.array.dtype);
  const loader = await ViewLoader.open(views, { kernels, slab, signal: worker.signal });
  const rowStride = views.shape[1]! * dtypeInfo(views.array.dtype).itemSize;
  const [ry, rx] = views.radius as [number, number];
  const width = views.array.shape[1]!;
  return {
    async run({ index, band }) {
      const { tile: { origin, shape } } = await loader.load(index, pointer, worker.signal);
      mean(band + 4 * origin[1]!, 4 * width, pointer, rowStride, shape[0]!, shape[1]!, ry, rx, columns);
      worker.advance(shape[0]! * shape[1]!);
    },
    close: () => loader[Symbol.asyncDispose](),
  };
}
