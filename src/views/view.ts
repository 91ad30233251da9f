/**
 * Views for users: loaded into leases of an arena, returned after use.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { instantiateKernels, loadPacks } from "../kernels/wasm.ts";
import { account, fits, type Limits, overBudget } from "../memory/account.ts";
import type { Arena, Lease } from "../memory/arena.ts";
import { copyView } from "../memory/copy_box.ts";
import { Slab } from "../memory/slab.ts";
import { stridedView, viewOf } from "../memory/strided.ts";
import { inWords, type OptionNames } from "../options.ts";
import { admissionOf, insideOf } from "../runner/context.ts";
import { checkRunOptions } from "../runner/rules.ts";
import { RUN_SETTINGS, Runner, type RunSettings } from "../runner/runner.ts";
import { type Box, box, boxEnd, wholeBox } from "../space/box.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray, unitsOf } from "../space/dtype.ts";
import { covers, type Halo, haloOf, type Radius, showHalo, withHalo } from "../space/halo.ts";
import { type NDArray, zeroArray } from "../space/ndarray.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "../space/shape.ts";
import { packsOfArray, partNames, sourcesOfArray } from "./array.ts";
import { checkIndex, type ViewGeometry } from "./geometry.ts";
import { JoinedLoader, type Loader, ViewLoader } from "./loader.ts";
import { bytesApart, layoutsOf, type ViewLayout, type ViewPlan } from "./plan.ts";
import type { SampleReaderOptions } from "./samples.ts";

// Parts of views: the tile, or the tile with a smaller halo, as strided arrays over the samples of the view.

/** The place in a view of its tile with a smaller halo: what a view of that radius would be. */
function placeAround(
  { clipped, grid, halo }: Pick<ViewLayout, "clipped" | "grid" | "halo">,
  { central, shape }: ViewGeometry,
  radius: Radius,
): Box {
  const wanted = haloOf(radius, grid.shape);
  if (!covers(halo, wanted)) throw tooWide(halo, wanted);
  const start = central.origin.map((o, d) => o - wanted.front[d]!);
  if (!clipped) return box(start, withHalo(grid.tile, wanted));
  const end = boxEnd(central).map((e, d) => Math.min(shape[d]!, e + wanted.back[d]!));
  const origin = start.map((s) => Math.max(0, s));
  return box(origin, end.map((e, d) => e - origin[d]!));
}

/** The samples of a part of a dense array of `shape`, where they are. */
function partOf<D extends DType>(data: TypedArray, dtype: D, shape: Shape, part: Box): NDArray<D> {
  const end = boxEnd(part);
  const inside = part.shape.length === shape.length &&
    part.origin.every((o, d) => o >= 0 && part.shape[d]! >= 0 && end[d]! <= shape[d]!);
  if (!inside) {
    const found = `${showShape(part.shape)} at ${part.origin.join(", ")}`;
    const text = `A view of ${showShape(shape)} has no part of ${found}`;
    throw new TilewiseError("invalid", text, { expected: showShape(shape), found });
  }
  const stride = stridesOf(shape);
  const first = part.origin.reduce((sum, o, d) => sum + o * stride[d]!, 0);
  const span = sizeOf(part.shape) === 0
    ? 0
    : 1 + part.shape.reduce((sum, n, d) => sum + (n - 1) * stride[d]!, 0);
  const units = unitsOf(dtype);
  // a part of an array is an array of the same class
  const samples = data.subarray(first * units, (first + span) * units) as NDArray<D>["data"];
  return { data: samples, shape: part.shape, stride, dtype };
}

/** The samples of a strided array as a dense one of its own. */
function denseCopy<D extends DType>({ data, shape, stride, dtype }: NDArray<D>): NDArray<D> {
  const copy = zeroArray(shape, dtype);
  const { itemSize } = dtypeInfo(dtype);
  const strides = stride.map((samples) => samples * itemSize);
  if (sizeOf(shape) > 0) {
    const from = stridedView(data.buffer, data.byteOffset, dtype, shape, strides);
    copyView(from, viewOf(copy.data, dtype, shape));
  }
  return copy;
}

function tooWide(halo: Halo, wanted: Halo): TilewiseError {
  const [expected, found] = [showHalo(halo), showHalo(wanted)];
  const text = `A view with a halo of ${expected} has no part with a halo of ${found}`;
  return new TilewiseError("invalid", text, { option: "radius", expected, found });
}

/**
 * A tile with its halo, in memory until it is released: with `using`, or by one call of `release()`.
 * @category Views
 */
export class View implements Disposable {
  /** A loaded view in `lease`. */
  constructor(
    /** The plan of its reader. */
    readonly plan: ViewPlan,
    /** Its place. */
    readonly geometry: ViewGeometry,
    private readonly lease: Lease,
    private readonly returned: () => void,
  ) {}

  /** Samples per dimension. */
  get shape(): Shape {
    return this.geometry.shape;
  }

  /** Address of the first sample; kernels take it. */
  get pointer(): number {
    return this.lease.offset;
  }

  /** The samples, row-major, including the halo; of joined arrays those of the first. Throws after the view has been released. */
  get data(): TypedArray {
    return this.#samplesOf(0);
  }

  /** The samples of each array that was joined, by name, including the halo; of one array there is nothing here. */
  get arrays(): Readonly<Record<string, NDArray>> {
    const { shape, plan: { dtype } } = this;
    const names = partNames(this.plan.array) ?? [];
    return Object.fromEntries(names.map((name, k) => {
      return [name, partOf(this.#samplesOf(k), dtype, shape, wholeBox(shape))];
    }));
  }

  #samplesOf(k: number): TypedArray {
    const { buffer, byteOffset } = this.lease.bytes();
    const { dtype } = this.plan;
    return typedArray(dtype, buffer, byteOffset + k * bytesApart(this.plan), sizeOf(this.shape));
  }

  /**
   * The tile alone, without halo, clipped to the array: a strided array over the samples of the view. As `data`, it must
   * not be used after the view has been released.
   */
  get core(): NDArray {
    return this.part(this.geometry.central);
  }

  /** The tile with a smaller halo, strided: the samples that a view with this radius would have. */
  around(radius: Radius, name?: string): NDArray {
    return this.part(placeAround(this.plan, this.geometry, radius), name);
  }

  /** The samples of a box, strided; positions are those in the view. `name`: of joined arrays, which one. Default: the first. */
  part(box: Box, name?: string): NDArray {
    return partOf(this.#samplesOf(this.#placeOf(name)), this.plan.dtype, this.shape, box);
  }

  #placeOf(name: string | undefined): number {
    if (name === undefined) return 0;
    const names = partNames(this.plan.array) ?? [];
    if (names.includes(name)) return names.indexOf(name);
    const expected = names.length > 0 ? `there are ${names.join(", ")}` : "one array has no name";
    throw new TilewiseError("invalid", `A view has no array ${inWords(name)}; ${expected}`, {
      expected: names.join(", "),
      found: inWords(name),
    });
  }

  /**
   * A dense copy of the view, or of the tile with a smaller halo, in memory of its own: it stays valid after the view has
   * been released.
   */
  copy(radius?: Radius, name?: string): NDArray {
    return denseCopy(
      radius === undefined ? this.part(wholeBox(this.shape), name) : this.around(radius, name),
    );
  }

  /** Gives the memory back. Throws if it is called twice. */
  release(): void {
    this.lease.release();
    this.returned();
  }

  /** Gives the memory back, unless that has been done. */
  [Symbol.dispose](): void {
    this.lease[Symbol.dispose]();
    this.returned();
  }
}

/**
 * Options of {@link ViewReader.open}.
 * @category Views
 */
export type ViewReaderOptions = Pick<RunSettings<never>, "signal" | "wait" | "stallTimeout">;

const { signal, wait, stallTimeout } = RUN_SETTINGS;
const READER_OPTIONS: OptionNames<ViewReaderOptions> = { signal, stallTimeout, wait };

/**
 * Loads views of one plan on this thread, each into separate memory in the context of the plan.
 *
 * @example The corner of an image, its edge repeated
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayOf, planViews, ViewReader } from "@tilewise/tilewise/unstable/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
 * await using context = createContext({ memory: "1MiB" });
 * const plan = planViews(arrayOf(image), { tile: [1, 2], radius: 1, border: "edge", context });
 * await using views = await ViewReader.open(plan);
 * using view = await views.read([0, 0]);
 * assertEquals(view.data, Uint8Array.of(1, 1, 2, 3, 1, 1, 2, 3, 4, 4, 5, 6));
 * ```
 * @category Views
 */
export class ViewReader implements AsyncDisposable {
  /** The last requested read: reads run one at a time, as all use the same memory to decode. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    /** The plan of the views. */
    readonly plan: ViewPlan,
    private readonly reading: Reading,
    private readonly runner: Runner<never>,
    private readonly parts: AsyncIterableIterator<Reading, undefined>,
  ) {
    runner.signal.addEventListener("abort", () => void this[Symbol.asyncDispose](), { once: true });
  }

  /**
   * Opens the sources of `plan`, and takes the memory to read them; waits if runs hold that memory. `over-budget` if
   * one view, with `plan.readerBytes` to read it, does not fit the context.
   */
  static async open(plan: ViewPlan, options: ViewReaderOptions = {}): Promise<ViewReader> {
    checkRunOptions("ViewReader.open()", plan, options, READER_OPTIONS);
    checkPlan(plan);
    mustFit(plan, insideOf(plan.context));
    const runner = new Runner<never>(plan.context, options, () => undefined as never);
    const parts = runner.parts(() => readingOf(plan, runner));
    const { value } = await parts.next();
    return new ViewReader(plan, value!, runner, parts);
  }

  /** Loads the view of tile `index`, after all views requested before; `over-budget` while there is no room for it. */
  read(index: Shape, signal?: AbortSignal): Promise<View> {
    const read = this.#turn.then(() => this.#read(index, signal));
    this.#turn = read.catch(() => {});
    return read;
  }

  async #read(index: Shape, signal: AbortSignal | undefined): Promise<View> {
    this.runner.mustGoOn();
    const { arena, loader } = this.reading;
    checkIndex(this.plan.grid, index);
    const lease = arena.lease(this.plan.byteLength, `the view of tile (${index.join(", ")})`);
    try {
      const both = signal ? AbortSignal.any([signal, this.runner.signal]) : this.runner.signal;
      const geometry = await loader.load(index, lease.offset, both);
      return new View(this.plan, geometry, lease, () => this.#roomAgain());
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** Runs may wait for the memory of a view. */
  #roomAgain(): void {
    admissionOf(insideOf(this.plan.context)).proceed();
  }

  /** The views of all tiles in the order of the traversal; each is released when the next one is requested. */
  async *[Symbol.asyncIterator](): AsyncGenerator<View, void> {
    const { traversal, grid: { counts } } = this.plan;
    for (const index of traversal.tiles(counts)) {
      using view = await this.read(index);
      yield view;
    }
  }

  /** Stops reads in progress, and closes the sources; existing views stay valid. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.runner.stop();
    await this.#turn;
    await this.parts.return!();
  }
}

/** The reader of views, and the memory for them. */
interface Reading {
  readonly loader: Loader;
  readonly arena: Arena;
}

/** To the runner, a reader is a run that waits for requests instead of computing. */
async function* readingOf(plan: ViewPlan, runner: Runner<never>): AsyncGenerator<Reading, void> {
  runner.mustGoOn();
  const { readerBytes, array } = plan;
  const { arena, slab } = await runner.enter((leases) => {
    const { arena } = leases;
    const place = readerBytes > 0 ? leases.lease(readerBytes, "the reader of views") : undefined;
    return { arena, slab: place ? { slab: new Slab(arena.memory, place.offset, readerBytes) } : {} };
  }, sourcesOfArray(array));
  await loadPacks(packsOfArray(array));
  const kernels = instantiateKernels(arena.memory);
  const options = { kernels, ...slab, signal: runner.signal };
  await using loader = await loaderOf(plan, options);
  yield* runner.handOver({ loader, arena });
}

/** The loader of one array, or of several. */
async function loaderOf(plan: ViewPlan, options: SampleReaderOptions): Promise<Loader> {
  const layouts = layoutsOf(plan);
  if (!("parts" in plan.array)) return await ViewLoader.open(layouts[0]!, options);
  return await JoinedLoader.open({ layouts, samples: [], apart: bytesApart(plan) }, options);
}

function checkPlan(plan: Partial<ViewPlan>): void {
  if (plan?.grid && plan.array && plan.context) return;
  const found = inWords(plan);
  const text = `ViewReader.open() takes a plan, as planViews() makes it; it was given ${found}`;
  throw new TilewiseError("invalid", text, { option: "plan", found });
}

function mustFit({ byteLength, readerBytes, shape, dtype }: ViewPlan, limits: Limits): void {
  const held = account([
    { what: "a view", each: byteLength, count: 1 },
    { what: "reading", each: readerBytes, count: 1 },
  ]);
  if (fits(held, limits)) return;
  throw overBudget(`Cannot hold a view of ${showShape(shape)} ${dtype}`, held, limits, "smaller tiles, or ");
}
