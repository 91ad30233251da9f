/**
 * Hands views to the caller: in the order of their requests, or as they are ready.
 *
 * Waiting for a view always ends. If no view is to come, it ends with `undefined`. If all places for views are held by
 * the caller, no view can come before one is returned: that is an error, unless the caller has said that others return
 * views meanwhile.
 *
 * @module
 */

import type { TilewiseError } from "../../errors.ts";
import type { Lease } from "../../memory/arena.ts";
import { type Resolvers, withResolvers } from "../../portable.ts";
import { InOrder } from "../../runner/in_order.ts";
import type { HeldView } from "./memory.ts";
import type { Batch } from "./requests.ts";
import type { ViewInProgress } from "./tile_supply.ts";

/** The end of a request: a view, an error, or nothing if it was cancelled. */
export type Outcome<V> = { readonly view: V } | { readonly error: unknown } | "cancelled";

/** How a queue of views stands. */
interface Standing {
  /** Whether requests for the iterator wait. */
  readonly coming: boolean;
  /** Whether the caller holds all places for views. */
  readonly held: boolean;
}

type Waiter<V> = Resolvers<V | undefined>;

/** Views on their way to the iterator. */
export class Delivery<V> {
  readonly #order = new InOrder<Outcome<V>>();
  readonly #ready: Exclude<Outcome<V>, "cancelled">[] = [];
  readonly #waiting: Waiter<V>[] = [];
  /** Views that will be left out at their turn. */
  readonly #gone = new Set<V>();
  /** Requests that have been served and have not left. */
  #served = 0;
  #turns = 0;
  #failure: { readonly error: unknown } | undefined;

  /** Nothing is ready. */
  constructor(
    private readonly options: {
      readonly ordered: boolean;
      /** How it stands now. */
      standing(): Standing;
      /** The error for a caller that holds all places. */
      stuck(): TilewiseError;
      /** Called when a view leaves. */
      leaves(view: V): void;
    },
  ) {}

  /** Outcomes that wait for the caller. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Whether somebody waits. */
  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** A request is served: the number of it. */
  serve(): number {
    this.#served++;
    return this.#turns++;
  }

  /** Takes the outcome of the request that was served as number `number`. */
  put(number: number, outcome: Outcome<V>): void {
    if (this.options.ordered) { for (const [, one] of this.#order.put(number, outcome)) this.#add(one); }
    else this.#add(outcome);
    this.proceed();
  }

  /** Leaves out a view that has been put. */
  drop(view: V): void {
    const at = this.#ready.findIndex((outcome) => "view" in outcome && outcome.view === view);
    if (at < 0) return void this.#gone.add(view); // it waits for its turn
    this.#ready.splice(at, 1);
    this.#served--;
  }

  /** The next view; absent if none is to come. */
  next(): Promise<V | undefined> {
    const waiter = withResolvers<V | undefined>();
    this.#waiting.push(waiter);
    this.proceed();
    return waiter.promise;
  }

  /** Serves those who wait, as far as that is possible. */
  proceed(): void {
    while (this.#waiting.length > 0 && this.#ready.length > 0) {
      const outcome = this.#ready.shift()!;
      this.#served--;
      const { resolve, reject } = this.#waiting.shift()!;
      if ("error" in outcome) reject(outcome.error);
      else {
        this.options.leaves(outcome.view);
        resolve(outcome.view);
      }
    }
    if (this.#waiting.length === 0) return;
    if (this.#failure) return this.refuse(this.#failure.error);
    const { coming, held } = this.options.standing();
    if (!coming && this.#served === 0) {
      for (const { resolve } of this.#waiting.splice(0)) {
        resolve(undefined);
      }
    } else if (held) this.refuse(this.options.stuck());
  }

  /** All who wait get `error`, now and later. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#ready.length = 0;
    this.refuse(error);
  }

  /** All who wait get `error`. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #add(outcome: Outcome<V>): void {
    const gone = outcome === "cancelled" || ("view" in outcome && this.#gone.delete(outcome.view));
    if (gone) this.#served--;
    else this.#ready.push(outcome);
  }
}

// Views under way: being put together, or ready and not delivered yet.

/** A view that is being put together. */
export interface Active extends ViewInProgress {
  /** The number in which it was served, among those that go to the iterator; −1 for others. */
  readonly turn: number;
  /** When it got its place. */
  readonly since: number;
}

/** A view that is ready. */
export interface Undelivered {
  /** Its memory, as its user will see it. */
  readonly held: HeldView;
  /** Its request. */
  readonly batch: Batch;
  /** Its memory, as the session sees it. */
  readonly lease: Lease;
}
