/**
 * Views of an array of any size, for users: requested, loaded ahead on workers, and handed over one after another.
 *
 * @module
 */

import { abortedError, TilewiseError } from "../../errors.ts";
import { instantiateKernels } from "../../kernels/wasm.ts";
import { checkOptionNames, type OptionNames, withOption } from "../../options.ts";
import { list, number, signal as signalRule, truth, whole } from "../../options/rules.ts";
import { admissionOf, type Context as Inside } from "../../runner/context.ts";
import { insideOf } from "../../runner/face.ts";
import { checkRunOptions } from "../../runner/rules.ts";
import { RUN_SETTINGS, Runner } from "../../runner/runner.ts";
import type { Box } from "../../space/box.ts";
import type { Grid } from "../../space/grid.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { orderOf, type TileOrder, type TraversalInput } from "../../space/traversal.ts";
import { viewGeometry } from "../geometry.ts";
import type { ViewReaderOptions } from "../view.ts";
import { loadHere, loadOnWorkers } from "./crew.ts";
import type { LevelPlan } from "./levels.ts";
import type { ViewsInput } from "./loaders/origin.ts";
import { placed } from "./placement.ts";
import { LOADING_OPTIONS, type LoadingOptions, type LoadingPlan, loadingPlan } from "./plan.ts";
import type { Batch, Target } from "./requests.ts";
import { Session, type SessionOptions } from "./session.ts";
import { diagramOf, type LoadingStatistics, pictureOf } from "./statistics.ts";
import type { TiledView } from "./tiled_view.ts";

/**
 * Options of {@link openViews}.
 * @category Views
 */
export interface OpenViewsOptions extends LoadingOptions, ViewReaderOptions {
  /**
   * Whether the iterator waits when the caller holds all views that fit, because other code returns them meanwhile. If
   * not, that is an error. Waiting ends after `stallTimeout`. Default: true if views have several users.
   */
  readonly waitForReturns?: boolean;
}

type Waiting = ViewReaderOptions;

const { signal, wait, stallTimeout } = RUN_SETTINGS;
const OPEN_OPTIONS: OptionNames<Waiting & Pick<OpenViewsOptions, "waitForReturns">> = {
  signal,
  wait,
  stallTimeout,
  waitForReturns: truth,
};
const ALL_OPTIONS: OptionNames<OpenViewsOptions> = { ...LOADING_OPTIONS, ...OPEN_OPTIONS };

/**
 * Options of requests for views.
 * @category Views
 */
export interface ViewRequestOptions {
  /** The level. Default: the first one that was opened. */
  readonly level?: number;
  /** Requests with a larger one are served first, unless views are ordered. Default 0. */
  readonly priority?: number;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

/**
 * Options of {@link Views.requestAll}.
 * @category Views
 */
export interface AllViewsOptions extends Omit<ViewRequestOptions, "level"> {
  /** The levels, in this order. Default: all that were opened. */
  readonly levels?: readonly number[];
  /** Only views of tiles that contain samples of this box of the level. Default: all. */
  readonly box?: Box;
  /** The order of views. Default: that of the plan. */
  readonly traversal?: TraversalInput;
}

const REQUEST_OPTIONS: OptionNames<ViewRequestOptions> = {
  level: whole(0),
  priority: number,
  signal: signalRule,
};
const ALL_VIEWS_OPTIONS: OptionNames<AllViewsOptions> = {
  levels: list,
  box: true,
  traversal: LOADING_OPTIONS.traversal,
  priority: number,
  signal: signalRule,
};

/**
 * Views that were requested together.
 * @category Views
 */
export interface Requested {
  /** Requests with a larger one are served first, unless views are ordered. It may be changed at any time. */
  priority: number;
  /** Cancels those that have not been delivered. */
  cancel(): void;
}

/**
 * Views of an array that come from tiles. Request them, then iterate: each view is yours until it is released. While
 * you work on one, the next ones are loaded.
 *
 * The iteration ends when all requested views have been delivered; it can then be continued with new requests. If a
 * view cannot be loaded, the iteration throws its error, and can be continued with the next view.
 *
 * @category Views
 */
export class Views<D extends DType = DType> implements AsyncDisposable, AsyncIterable<TiledView<D>> {
  readonly #session: Session;
  readonly #runner: Runner<never>;
  readonly #parts: AsyncIterableIterator<Session, undefined>;

  /** Use {@link openViews}. */
  constructor(session: Session, runner: Runner<never>, parts: AsyncIterableIterator<Session, undefined>) {
    this.#session = session;
    this.#runner = runner;
    this.#parts = parts;
    runner.signal.addEventListener("abort", () => void this[Symbol.asyncDispose](), { once: true });
  }

  /** The plan: levels, memory, order. */
  get plan(): LoadingPlan {
    return this.#session.plan;
  }

  /** Requests the view of tile `index`. `invalid`, at once, if there is no such tile. */
  request(index: Shape, options: ViewRequestOptions = {}): Requested {
    return this.requestMany([index], options);
  }

  /** Requests views in this order; an index may occur several times. */
  requestMany(indices: Iterable<Shape>, options: ViewRequestOptions = {}): Requested {
    checkOptionNames("request()", options, REQUEST_OPTIONS);
    const place = this.#placeOf(options.level);
    const targets = [...indices].map((index) => this.#target(place, index));
    return this.#request(targets, { planned: targets.length > 1 }, options);
  }

  /** Requests all views of all levels, or those of a part. */
  requestAll(options: AllViewsOptions = {}): Requested {
    checkOptionNames("requestAll()", options, ALL_VIEWS_OPTIONS);
    const { levels, box, traversal } = options;
    const places = levels?.map((level) => this.#placeOf(level)) ?? [...this.plan.levels.keys()];
    const order = traversal === undefined
      ? this.plan.traversal
      : withOption("traversal", () => orderOf(traversal));
    const parts = places.map((place) => [place, partOf(this.plan.levels[place]!, box)] as const);
    return this.#request(this.#all(parts, order), { planned: true }, options);
  }

  /**
   * Loads the view of tile `index`, beside the views of the iterator. Rejects after `stallTimeout` if the caller holds
   * all views that fit.
   */
  async read(index: Shape, options: ViewRequestOptions = {}): Promise<TiledView<D>> {
    checkOptionNames("read()", options, REQUEST_OPTIONS);
    const target = this.#target(this.#placeOf(options.level), index);
    const read = Promise.withResolvers<TiledView>();
    this.#request([target], { planned: false, read }, options);
    return await read.promise as TiledView<D>;
  }

  /** The next requested view, or `undefined` if all have been delivered. */
  async next(): Promise<TiledView<D> | undefined> {
    return await this.#session.next() as TiledView<D> | undefined;
  }

  /** The requested views. Leaving the loop cancels nothing: another loop continues where it ended. */
  [Symbol.asyncIterator](): AsyncIterator<TiledView<D>, undefined> {
    return {
      next: async () => {
        const value = await this.next();
        return value ? { done: false, value } : { done: true, value: undefined };
      },
    };
  }

  /** Cancels all views that have not been delivered. */
  cancel(): void {
    this.#session.cancelAll(new TilewiseError("aborted", "All views have been cancelled"));
  }

  /** Says that no more views will be requested: a later request is an error. */
  finish(): void {
    this.#session.finish();
  }

  /** Counts, bytes and times. */
  statistics(): LoadingStatistics {
    return this.#session.statistics();
  }

  /** The plan and the pipeline as text. */
  explain(): string {
    return `${this.plan.explain()}\n\n${pictureOf(this.statistics())}`;
  }

  /** The pipeline as a Mermaid diagram. */
  diagram(): string {
    return diagramOf(this.statistics());
  }

  /** Stops loading and returns all memory. Views that have not been released cannot be used any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#runner.stop();
    await this.#parts.return!();
  }

  #request(
    targets: Iterable<Target>,
    receiver: Batch["receiver"],
    { priority = 0, signal }: Pick<ViewRequestOptions, "priority" | "signal">,
  ): Requested {
    if (signal?.aborted) throw abortedError(signal);
    const session = this.#session;
    const batch = session.request(targets, receiver, priority);
    const cancel = () => session.cancel(batch, signal?.aborted ? abortedError(signal) : cancelled());
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal) batch.over = () => signal.removeEventListener("abort", cancel);
    return {
      get priority() {
        return batch.priority;
      },
      set priority(value) {
        batch.priority = value;
      },
      cancel,
    };
  }

  *#all(
    parts: Iterable<readonly [place: number, part: GridPart]>,
    order: TileOrder,
  ): Generator<Target, void> {
    for (const [place, { counts, first }] of parts) {
      for (const at of order.tiles(counts)) yield this.#target(place, at.map((i, d) => i + first[d]!));
    }
  }

  #target(place: number, index: Shape): Target {
    const { views } = this.plan.levels[place]!;
    viewGeometry(views.grid, views.halo, index); // throws if there is no such tile
    return { place, index };
  }

  #placeOf(level: number | undefined): number {
    const { levels } = this.plan;
    if (level === undefined) return 0;
    const place = levels.findIndex((one) => one.level === level);
    if (place >= 0) return place;
    const opened = levels.map(({ level }) => level).join(", ");
    const text = `Level ${level} has not been opened: levels ${opened} have`;
    throw new TilewiseError("invalid", text, { option: "level", expected: opened, found: level });
  }
}

function cancelled(): TilewiseError {
  return new TilewiseError("aborted", "The request has been cancelled");
}

/** Some tiles of a grid. */
interface GridPart {
  readonly counts: Shape;
  readonly first: Shape;
}

/** The tiles of a level with samples in `box`. */
function partOf({ views: { grid } }: LevelPlan, box: Box | undefined): GridPart {
  if (!box) return { counts: grid.counts, first: grid.counts.map(() => 0) };
  mustBeInside(grid, box);
  const first = box.origin.map((o, d) => Math.floor(o / grid.tile[d]!));
  const counts = first.map((f, d) => Math.ceil((box.origin[d]! + box.shape[d]!) / grid.tile[d]!) - f);
  return { first, counts };
}

function mustBeInside({ shape }: Grid, box: Box): void {
  const { origin = [], shape: size = [] } = (box ?? {}) as Partial<Box>;
  const isCount = (n: number | undefined) => Number.isSafeInteger(n) && n! >= 0;
  const fits = origin.length === shape.length && size.length === shape.length &&
    shape.every((n, d) =>
      isCount(origin[d]) && isCount(size[d]) && size[d]! > 0 && origin[d]! + size[d]! <= n
    );
  if (fits) return;
  const found = `${showShape(size)} at (${origin.join(", ")})`;
  const text = `Cannot request views of a box of ${found}: it must be inside of ${showShape(shape)}`;
  throw new TilewiseError("invalid", text, { option: "box", expected: showShape(shape), found });
}

/**
 * Opens views of a data set, of some levels of a pyramid, or of a tile loader of your own. The memory of the plan is
 * taken from the context at once, and waited for if runs hold it; nothing else is used.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { openViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * await using views = await openViews(image, { tile: [1, 2], radius: 1, border: "edge", context });
 * views.requestAll();
 * let count = 0;
 * for await (using view of views) count += view.data.length;
 * assertEquals(count, 4 * 12);
 * ```
 * @category Views
 */
export async function openViews<D extends DType = DType>(
  input: ViewsInput<D> | LoadingPlan<D>,
  options: OpenViewsOptions = {},
): Promise<Views<D>> {
  const { plan, settings } = await planOf(input, options);
  const inside = insideOf(plan.context);
  const runner = new Runner<never>(inside, settings, () => undefined as never);
  const parts = runner.parts(() =>
    sessionOf(plan, runner, {
      waitForReturns: options.waitForReturns ?? plan.users > 1,
      patience: settings.stallTimeout ?? 30_000,
      roomAgain: () => admissionOf(inside).proceed(),
    })
  );
  const { value } = await parts.next();
  return new Views(value!, runner, parts);
}

async function planOf(
  input: ViewsInput | LoadingPlan,
  options: OpenViewsOptions,
): Promise<{ readonly plan: LoadingPlan; readonly settings: Waiting }> {
  if (isPlan(input)) {
    checkRunOptions<Waiting>("openViews()", input, options, OPEN_OPTIONS);
    return { plan: input, settings: waitingOf(options) };
  }
  checkOptionNames("openViews()", options, ALL_OPTIONS);
  return { plan: await loadingPlan("openViews()", input, options), settings: waitingOf(options) };
}

function waitingOf({ signal, wait, stallTimeout }: OpenViewsOptions): Waiting {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(wait === undefined ? {} : { wait }),
    ...(stallTimeout === undefined ? {} : { stallTimeout }),
  };
}

function isPlan(input: ViewsInput | LoadingPlan): input is LoadingPlan {
  const { origin, memory } = (input ?? {}) as Partial<LoadingPlan>;
  return origin !== undefined && memory !== undefined;
}

/** To the runner, open views are a run that waits for requests. */
async function* sessionOf(
  plan: LoadingPlan,
  runner: Runner<never>,
  options: SessionOptions,
): AsyncGenerator<Session, void> {
  runner.mustGoOn();
  const { memory, origin } = plan;
  const placement = await runner.enter((leases) => placed(leases, memory), origin.sources);
  const kernels = instantiateKernels(placement.memory);
  const session = await Session.open(plan, placement, kernels, options);
  const loading = origin.spec.kind === "here"
    ? loadHere(plan, kernels, session.supply, runner.signal)
    : loadOnWorkers(plan, runner, placement, executorOf(plan), session.supply);
  const ended = loading.then(() => session.close(over()), (error) => session.close(error));
  if (origin.spec.kind === "here") runner.holds(ended.then(() => true));
  try {
    yield* runner.handOver(session);
  } finally {
    const closed = session.close(runner.signal.aborted ? abortedError(runner.signal) : over());
    runner.holds(closed.then(() => true));
    await closed;
  }
}

function executorOf({ context, memory, origin }: LoadingPlan): ReturnType<Inside["executorOf"]> {
  return insideOf(context).executorOf(memory.workers, origin.spec.kind === "module");
}

function over(): TilewiseError {
  return new TilewiseError("aborted", "The views have been closed");
}
