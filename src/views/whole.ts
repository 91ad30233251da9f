/**
 * A filter as one run: its bands as they come, or the whole image.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { sizeOf } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import type { FilterPlan } from "./filter_plan.ts";
import { type Band, boxFilter, type FilterRunOptions } from "./map.ts";

/**
 * A run of a filter: await it for the image, or iterate over its bands. Each iteration is a pass of its own.
 * @category Views
 */
export class FilterRun implements AsyncIterable<Band>, PromiseLike<NDArray<"float32">> {
  #whole: Promise<NDArray<"float32">> | undefined;
  #first: AsyncIterableIterator<Band, undefined> | undefined;

  /** A run that has not begun; what it cannot be is refused. */
  constructor(private readonly plan: FilterPlan, private readonly options: FilterRunOptions) {
    this.#first = boxFilter(plan, options);
  }

  /** The bands from the first row to the last. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Band, undefined> {
    const bands = this.#first ?? boxFilter(this.plan, this.options);
    this.#first = undefined;
    return bands;
  }

  /** The image. `over-budget` where the context has no room for it: then iterate over its bands. */
  then<A = NDArray<"float32">, B = never>(
    resolve?: ((image: NDArray<"float32">) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return (this.#whole ??= this.#collect()).then(resolve, reject);
  }

  async #collect(): Promise<NDArray<"float32">> {
    const { views: { array: { shape } }, memory, context } = this.plan;
    const sum = memory.total + 4 * sizeOf(shape);
    if (sum > context.memory) {
      const text = `Cannot hold the filtered image: with the filter it needs ${formatBytes(sum)} of the ` +
        `${
          formatBytes(context.memory)
        } of the context; iterate over its bands, or give the context more memory`;
      throw new TilewiseError("over-budget", text, {
        option: "memory",
        expected: sum,
        found: context.memory,
      });
    }
    const image = new Float32Array(sizeOf(shape));
    for await (const { row, data } of this) image.set(data, row * shape[1]!);
    return ndarray(image, shape, "float32");
  }
}
