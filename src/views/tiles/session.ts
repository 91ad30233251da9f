/**
 * A session: requests wait for a place in memory, views in their places are put together from tiles, and are delivered.
 *
 * ```text
 *   requests ──place──▶ in progress ──all samples──▶ ready ──iterator or promise──▶ held ──release──▶ place is free
 * ```
 *
 * Everything but the loading of tiles happens on the calling thread, without locks.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Lease } from "../../memory/arena.ts";
import type { ViewGeometry } from "../geometry.ts";
import { ViewLoader } from "../loader.ts";
import { type Active, Delivery, type Outcome, type Undelivered } from "./delivery.ts";
import { CachedSamples } from "./cached_samples.ts";
import { PartCopier } from "./copy_part.ts";
import { stuckError, TimeLimit, viewError } from "./failures.ts";
import { keysNear } from "./levels.ts";
import { HeldView, type TilePlacement } from "./memory.ts";
import type { LoadingFacts } from "./plan.ts";
import { Batch, type Receiver, RequestQueue, type Target, Uses, type ViewRequest } from "./requests.ts";
import { type Counting, type LoadingStatistics, noStatistics } from "./statistics.ts";
import { TileSupply } from "./tile_supply.ts";
import { TiledView } from "./tiled_view.ts";

/** How a session behaves. */
export interface SessionOptions {
  /** Whether other code returns views while the iterator waits. */
  readonly waitForReturns: boolean;
  /** Milliseconds that a caller waits while all views are held. */
  readonly stallTimeout: number;
  /** Called when memory has become free. */
  readonly roomAgain: () => void;
}

/** The views of one plan, under way. */
export class Session {
  /** The tiles. */
  readonly supply: TileSupply;
  readonly #counting: Counting = noStatistics();
  readonly #uses = new Uses();
  readonly #queue: RequestQueue;
  readonly #delivery: Delivery<TiledView>;
  readonly #samples: readonly CachedSamples[];
  readonly #free: Lease[];
  readonly #active = new Set<Active>();
  readonly #working = new Set<Promise<void>>();
  readonly #held = new Set<HeldView>();
  /** Errors of traversals. */
  readonly #broken: unknown[] = [];
  /** Views that have not been delivered. */
  readonly #undelivered = new Map<TiledView, Undelivered>();
  #batches = 0;
  #generation = 0;
  #failure: { readonly error: unknown } | undefined;
  #finished = false;
  readonly #limit: TimeLimit;

  private constructor(
    /** Its plan. */
    readonly plan: LoadingFacts,
    placement: TilePlacement,
    kernels: Kernels,
    private readonly options: SessionOptions,
    private readonly loaders: ViewLoader[],
  ) {
    const { levels, origin, policy, retries, loadTimeout, keep, ordered } = plan;
    this.supply = new TileSupply({
      levels,
      slots: placement.slots,
      copier: new PartCopier(kernels, origin.dtype),
      uses: this.#uses,
      counting: this.#counting,
      policy,
      retries,
      loadTimeout,
      keep,
      name: origin.name,
    });
    this.#samples = levels.map((level, place) => new CachedSamples(this.supply, level, place));
    this.#free = [...placement.places];
    this.#limit = new TimeLimit(options.stallTimeout, () => this.#giveUp());
    this.#queue = new RequestQueue(ordered, (error) => this.#broken.push(error));
    this.#delivery = new Delivery({
      ordered,
      standing: () => ({ coming: this.#queue.streaming, held: this.#isStuck && !options.waitForReturns }),
      stuck: () => stuckError(this.#held.size, plan.memory.views),
      leaves: (view) => this.#leaves(view),
    });
  }

  /** A session in the memory of `placement`. */
  static async open(
    plan: LoadingFacts,
    placement: TilePlacement,
    kernels: Kernels,
    options: SessionOptions,
  ): Promise<Session> {
    const session = new Session(plan, placement, kernels, options, []);
    for (const [place, { views }] of plan.levels.entries()) {
      session.loaders.push(await ViewLoader.over(views, session.#samples[place]!, kernels));
    }
    return session;
  }

  /** Requests views. */
  request(targets: Iterable<Target>, receiver: Receiver, priority: number): Batch {
    if (this.#failure) throw this.#failure.error;
    if (this.#finished) {
      throw new TilewiseError("invalid", "Cannot request views after finish(): open the views again");
    }
    const { levels } = this.plan;
    const near = ({ place, index }: Target) => keysNear(levels[place]!, index);
    const batch = new Batch(this.#batches++, targets, receiver, priority, near, this.#uses);
    this.#queue.add(batch);
    this.#proceed();
    return batch;
  }

  /** The next view of the iterator; absent if none is to come. */
  next(): Promise<TiledView | undefined> {
    const view = this.#delivery.next();
    this.#watch();
    return view;
  }

  /** Cancels the views of `batch` that have not been delivered. */
  cancel(batch: Batch, reason: unknown): void {
    this.#queue.remove(batch);
    const dropped = batch.drop();
    const active = [...this.#active].filter(({ request }) => request.batch === batch);
    this.#counting.views.cancelled += dropped.length;
    if (dropped.length > 0) batch.receiver.read?.reject(reason);
    for (const one of active) this.#stop(one, reason);
    for (const [view, one] of this.#undelivered) if (one.batch === batch) this.#drop(view, one);
    this.#proceed();
  }

  /** Cancels all views that have not been delivered. */
  cancelAll(reason: unknown): void {
    const active = [...this.#active].map(({ request }) => request.batch);
    const undelivered = [...this.#undelivered.values()].map(({ batch }) => batch);
    const all = new Set([...this.#queue.batches, ...active, ...undelivered]);
    for (const batch of all) this.cancel(batch, reason);
  }

  /** Takes no more requests. */
  finish(): void {
    this.#finished = true;
  }

  /** What has happened so far. */
  statistics(): LoadingStatistics {
    const { now } = this.#counting;
    now.requested = this.#queue.length;
    now.ready = this.#delivery.ready;
    now.held = this.#held.size;
    return structuredClone(this.#counting);
  }

  /** Ends it: whoever waits gets `error`. Resolves when nothing is written to its memory by this thread. */
  async close(error: unknown): Promise<void> {
    if (!this.#failure) this.#end(error);
    await Promise.all(this.#working);
  }

  #end(error: unknown): void {
    this.#failure = { error };
    this.#limit.end();
    this.#delivery.fail(error);
    for (const batch of [...this.#queue.batches]) {
      batch.receiver.read?.reject(error);
      this.#queue.remove(batch);
      batch.drop();
    }
    for (const one of [...this.#active]) this.#stop(one, error);
    for (const held of this.#held) held.end();
    this.supply.close(error);
  }

  /** Whether no view can come before the caller returns one. */
  get #isStuck(): boolean {
    return this.#held.size === this.plan.memory.views;
  }

  /** Gives places to requests. */
  #proceed(): void {
    const { now, most } = this.#counting;
    while (!this.#failure && this.#free.length > 0) {
      const request = this.#queue.take();
      if (!request) break;
      const work = this.#load(request, this.#free.pop()!);
      this.#working.add(work);
      void work.then(() => this.#working.delete(work));
      for (const error of this.#broken.splice(0)) this.#put(this.#delivery.serve(), { error });
    }
    most.requested = Math.max(most.requested, this.#queue.length);
    now.loading = this.#active.size;
    most.loading = Math.max(most.loading, now.loading);
    this.#delivery.proceed();
    this.#watch();
  }

  async #load(request: ViewRequest, lease: Lease): Promise<void> {
    const { read } = request.batch.receiver;
    const active: Active = {
      request,
      lease,
      turn: read ? -1 : this.#delivery.serve(),
      since: performance.now(),
    };
    this.#active.add(active);
    try {
      this.#loaded(active, await this.#together(active));
    } catch (error) {
      this.#free.push(active.lease);
      this.#failed(active, error);
    } finally {
      this.#active.delete(active);
      this.#uses.remove(request.number, request.tiles);
      this.#checkOver(request.batch);
      this.#proceed();
    }
  }

  /** Tells a batch that none of its views is to come any more. */
  #checkOver(batch: Batch): void {
    if (batch.window.length > 0 || [...this.#active].some(({ request }) => request.batch === batch)) return;
    batch.over?.();
  }

  /** Puts the view together; if it is cancelled, this fails when nothing is written to its place any more. */
  async #together(active: Active): Promise<ViewGeometry> {
    const { request: { place, index }, lease: { offset } } = active;
    const ended = this.#samples[place]!.begin(offset, active);
    try {
      const geometry = await this.loaders[place]!.load(index, offset);
      if (active.cancelled) throw active.cancelled.reason;
      return geometry;
    } catch (error) {
      this.supply.leave(active, error);
      throw active.cancelled ? active.cancelled.reason : error;
    } finally {
      ended();
    }
  }

  /** A view that is being put together is not wanted any more. */
  #stop(active: Active, reason: unknown): void {
    if (active.cancelled) return;
    active.cancelled = { reason };
    this.supply.leave(active, reason);
  }

  #loaded(active: Active, geometry: ViewGeometry): void {
    const { request: { batch, index, place }, lease, since, turn } = active;
    const { levels, users } = this.plan;
    const level = levels[place]!;
    const label = `the view of tile (${index.join(", ")}) of level ${level.level}`;
    this.#counting.time.total += performance.now() - since;
    const held: HeldView = new HeldView(
      lease,
      level.views.byteLength,
      label,
      ++this.#generation,
      users,
      () => {
        this.#held.delete(held);
        this.#counting.views.returned++;
        this.#giveBack(lease);
      },
    );
    const view = new TiledView(level, geometry, held);
    this.#undelivered.set(view, { held, batch, lease });
    const { read } = batch.receiver;
    if (!read) return this.#put(turn, { view });
    this.#leaves(view);
    read.resolve(view);
  }

  #put(turn: number, outcome: Outcome<TiledView>): void {
    this.#delivery.put(turn, outcome);
    this.#counting.most.ready = Math.max(this.#counting.most.ready, this.#delivery.ready);
  }

  #leaves(view: TiledView): void {
    const { views, most } = this.#counting;
    this.#held.add(this.#undelivered.get(view)!.held);
    this.#undelivered.delete(view);
    views.delivered++;
    most.held = Math.max(most.held, this.#held.size);
  }

  /** Drops a view that is ready, and uses its memory for others. */
  #drop(view: TiledView, { held, lease }: Undelivered): void {
    this.#undelivered.delete(view);
    this.#counting.views.cancelled++;
    held.end();
    this.#delivery.drop(view);
    this.#free.push(lease);
  }

  #failed({ request, turn, cancelled }: Active, error: unknown): void {
    const { batch, index, place } = request;
    this.#counting.views[cancelled ? "cancelled" : "failed"]++;
    const located = cancelled ? error : viewError(index, this.plan.levels[place]!.level, error);
    const { read } = batch.receiver;
    if (read) read.reject(located);
    else if (!this.#failure) this.#put(turn, cancelled ? "cancelled" : { error: located });
  }

  #giveBack(lease: Lease): void {
    if (this.#failure) return;
    this.#free.push(lease);
    this.options.roomAgain();
    this.#proceed();
  }

  /** Lets the time run while somebody waits and the caller holds all views. */
  #watch(): void {
    const waits = () => this.#delivery.waiting || this.#queue.batches.some(({ receiver }) => receiver.read);
    this.#limit.watch(this.#isStuck && waits());
  }

  #giveUp(): void {
    const error = stuckError(this.#held.size, this.plan.memory.views);
    for (const batch of [...this.#queue.batches]) if (batch.receiver.read) this.cancel(batch, error);
    this.#delivery.refuse(error);
  }
}
