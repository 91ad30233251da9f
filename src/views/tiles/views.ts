/**
 * Views of an array of any size, for users: requested, loaded ahead on workers, and handed over one after another.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { abortedError, TilewiseError } from "../../errors.ts";
import { checkOptionNames, inWords, type OptionNames, withOption } from "../../options.ts";
import { list, must, signal as signalRule, whole } from "../../options/rules.ts";
import type { Runner } from "../../runner/runner.ts";
import type { Box, Grid } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { orderOf, type TileOrder, type TraversalInput } from "../../space/traversal.ts";
import { checkIndex } from "../geometry.ts";
import type { LevelPlan } from "./levels.ts";
import { LOADING_OPTIONS, type LoadingFacts } from "./plan.ts";
import type { Batch, Target } from "./requests.ts";
import type { Session } from "./session.ts";
import { diagramOf, type LoadingStatistics, pictureOf } from "./statistics.ts";
import type { TiledView } from "./tiled_view.ts";

/**
 * Options of requests for views.
 * @category Views
 */
export interface ViewRequestOptions {
  /** The level. Whole, at least 0. Default: the first one that was opened. */
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

/** Numbers that have an order. */
const priorityRule = must<number>(
  "a number, not NaN",
  (value) => typeof value === "number" && !Number.isNaN(value),
);

// deno-fmt-ignore: written by `deno task build`
const REQUEST_OPTIONS: OptionNames<ViewRequestOptions> = {
  level: whole(0), priority: priorityRule, signal: signalRule,
};
// deno-fmt-ignore: written by `deno task build`
const ALL_VIEWS_OPTIONS: OptionNames<AllViewsOptions> = {
  priority: priorityRule, signal: signalRule, levels: list, box: true, traversal: LOADING_OPTIONS.traversal,
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

  /** `openViews()` makes it. */
  constructor(session: Session, runner: Runner<never>, parts: AsyncIterableIterator<Session, undefined>) {
    this.#session = session;
    this.#runner = runner;
    this.#parts = parts;
    runner.signal.addEventListener("abort", () => void this[Symbol.asyncDispose](), { once: true });
  }

  /** The plan: levels, memory, order. */
  get plan(): LoadingFacts {
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
    mustBeIndices(indices);
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
    const read = withResolvers<TiledView>();
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
        priorityRule("request()", "priority", value);
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
    checkIndex(views.grid, index);
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

/** Indices come from a list or another iterable; a string is not a list of indices. */
function mustBeIndices(indices: unknown): void {
  const isIterable = typeof (indices as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === "function";
  if (isIterable && typeof indices !== "string") return;
  const found = inWords(indices);
  const text = `requestMany() takes indices of tiles, such as [[0, 0], [0, 1]]; it was given ${found}`;
  throw new TilewiseError("invalid", text, { found });
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
