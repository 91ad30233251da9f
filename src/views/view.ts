/**
 * Views as a user takes them: loaded into leases of an arena, returned after use.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { instantiateKernels } from "../kernels/wasm.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import { type TypedArray, typedArray } from "../space/dtype.ts";
import { type Shape, showShape, sizeOf, unravel } from "../space/shape.ts";
import type { ViewGeometry } from "./geometry.ts";
import { ViewLoader } from "./loader.ts";
import type { ViewPlan } from "./plan.ts";

/** A tile with its halo, in memory until it is returned: with `using`, or by `release()` once. */
export class View implements Disposable {
  /** A loaded view in `lease`. */
  constructor(
    /** What it is a view of. */
    readonly plan: ViewPlan,
    /** Where it lies. */
    readonly geometry: ViewGeometry,
    private readonly lease: Lease,
  ) {}

  /** Samples per dimension. */
  get shape(): Shape {
    return this.plan.shape;
  }

  /** Address of the first sample; kernels take it. */
  get pointer(): number {
    return this.lease.offset;
  }

  /** The samples, row-major, halo included. An error once the view has been returned. */
  get data(): TypedArray {
    const { buffer, byteOffset } = this.lease.bytes();
    return typedArray(this.plan.array.dtype, buffer, byteOffset, sizeOf(this.shape));
  }

  /** Gives the memory back. An error the second time. */
  release(): void {
    this.lease.release();
  }

  /** Gives the memory back, unless that has happened. */
  [Symbol.dispose](): void {
    this.lease[Symbol.dispose]();
  }
}

/**
 * Loads views of one plan on this thread, each into a lease of its own.
 *
 * @example The corner of an image, its edge repeated
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { BytesSource } from "../io/source/bytes.ts";
 * import { Arena } from "../memory/arena.ts";
 * import { planViews } from "./plan.ts";
 * const source = new BytesSource(Uint8Array.of(1, 2, 3, 4, 5, 6)).describe();
 * const array = { source, offset: 0, shape: [2, 3], dtype: "uint8", byteOrder: "little" } as const;
 * await using views = await ViewReader.open(planViews(array, { tile: [1, 2], radius: 1, border: "edge" }), new Arena());
 * using view = await views.read([0, 0]);
 * assertEquals(view.data, Uint8Array.of(1, 1, 2, 3, 1, 1, 2, 3, 4, 4, 5, 6));
 * ```
 */
export class ViewReader implements AsyncDisposable {
  /** What it reads. */
  readonly plan: ViewPlan;

  private constructor(
    private readonly loader: ViewLoader,
    private readonly arena: Arena,
    private readonly memory: Lease | undefined,
  ) {
    this.plan = loader.plan;
  }

  /**
   * Opens the sources of `plan`; `over-budget` when not one view, with `plan.readerBytes` to read it, fits the arena.
   */
  static async open(plan: ViewPlan, arena: Arena): Promise<ViewReader> {
    const { byteLength, readerBytes, shape, array } = plan;
    if (byteLength + readerBytes > arena.budget) {
      const reading = readerBytes > 0 ? ` and takes ${readerBytes} to read` : "";
      const text = `Cannot hold a view of ${showShape(shape)} ${array.dtype}: it has ${byteLength} ` +
        `bytes${reading}, the budget ${arena.budget}; use smaller tiles`;
      throw new TilewiseError("over-budget", text, {
        expected: byteLength + readerBytes,
        found: arena.budget,
      });
    }
    const memory = readerBytes > 0 ? arena.lease(readerBytes, "the reader of views") : undefined;
    try {
      const slab = memory ? { slab: new Slab(arena.memory, memory.offset, memory.byteLength) } : {};
      const loader = await ViewLoader.open(plan, { kernels: instantiateKernels(arena.memory), ...slab });
      return new ViewReader(loader, arena, memory);
    } catch (error) {
      memory?.release();
      throw error;
    }
  }

  /** Loads the view of tile `index`; `over-budget` while the arena has no room for it. */
  async read(index: Shape, signal?: AbortSignal): Promise<View> {
    const lease = this.arena.lease(this.plan.byteLength, `the view of tile (${index.join(", ")})`);
    try {
      return new View(this.plan, await this.loader.load(index, lease.offset, signal), lease);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** All views in row-major order of their tiles; each goes back when the next one is asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<View, void> {
    const { counts } = this.plan.grid;
    for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
      using view = await this.read(unravel(flat, counts));
      yield view;
    }
  }

  /** Closes the sources; views stay as they are. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.loader[Symbol.asyncDispose]();
    this.memory?.[Symbol.dispose]();
  }
}
