/**
 * The workers of a pool: started when they are needed, replaced when they die, stopped when no run needs them.
 *
 * @module
 */

import { type Resolvers, withResolvers } from "../../portable.ts";
import { TilewiseError } from "../../errors.ts";
import type { Death } from "../failure.ts";
import type { RunMessage } from "../protocol.ts";
import type { RemoteOptions } from "./remote.ts";
import { type Remote, type RemoteEvents, Slot } from "./slot.ts";

/** How many workers in a row may die before they have started. */
const START_ATTEMPTS = 3;

/** Starts a worker, or throws. */
export type StartWorker = (options: RemoteOptions, events: RemoteEvents) => Remote;

/** What all workers have in common. */
interface StaffOptions {
  /** Their name; a number is added. */
  readonly name?: string;
  /** Most bytes of the heap of one. */
  readonly heap?: number;
  /** Milliseconds until one that does not end counts as stuck. */
  readonly stuckTimeout?: number;
}

/** The owner of the workers, which is told what happens to them. */
interface StaffOwner {
  /** A worker can be given work. */
  usable(): void;
  /** A worker has sent a message about a run. */
  received(slot: Slot, message: RunMessage): void;
  /** Code of users on a worker has sent a message. */
  strayed(slot: Slot): void;
  /** A worker has died, and its current work is lost. */
  lost(slot: Slot, remote: Remote, death: Death): void;
  /** No worker can be started. */
  cannotStart(error: TilewiseError): void;
}

/** The workers of a pool, each in its slot. */
export class Staff {
  /** A place for each. */
  readonly slots: readonly Slot[];
  /** How many have been replaced. */
  replaced = 0;
  /** How many workers hang and could not be stopped. */
  stuck = 0;
  readonly #leaving = new Set<Remote>();
  #starting: Resolvers<void> | undefined;
  #failedStarts = 0;
  #spawning: ReturnType<typeof setTimeout> | undefined;
  #ending = false;
  #retired = false;

  /** None of them runs yet. */
  constructor(
    count: number,
    private readonly options: StaffOptions,
    private readonly startWorker: StartWorker,
    private readonly owner: StaffOwner,
  ) {
    this.slots = Array.from({ length: count }, (_, index) => new Slot(index));
  }

  /** Starts the workers that do not run; resolves when all can be used. */
  start(): Promise<void> | undefined {
    if (this.slots.every(({ remote }) => remote?.ready)) return undefined;
    if (this.slots.some(({ remote }) => !remote)) this.#failedStarts = 0;
    const { promise } = this.#starting ??= withResolvers();
    promise.catch(() => {}); // the runs are told as well
    this.#spawnNext();
    return promise;
  }

  /** Stops all of them; those that are needed again are started again. */
  stop(): void {
    clearTimeout(this.#spawning);
    this.#ending = true;
    for (const { remote } of this.slots) remote?.stop("stopped");
    this.#ending = false;
  }

  /** Stops replacing workers. */
  retire(): void {
    this.#retired = true;
  }

  /** Stops all of them for good: pending calls of `start` fail with `error`. Resolves when they have ended, or were given up. */
  async end(error: TilewiseError, stuckTimeout: number): Promise<void> {
    this.#starting?.reject(error);
    this.stop();
    const timer = setTimeout(() => this.#leaving.forEach((remote) => remote.giveUp()), stuckTimeout);
    await Promise.all([...this.#leaving].map(({ gone }) => gone));
    clearTimeout(timer);
  }

  /**
   * Starts the first thread that does not run, and the others after it, one by one. Threads with limited heaps block this thread
   * while they start; in between, the first of them can already begin to work.
   */
  #spawnNext(): void {
    clearTimeout(this.#spawning);
    for (const slot of this.slots) {
      if (slot.remote) continue;
      this.#spawn(slot);
      if (this.options.heap === undefined) continue;
      this.#spawning = setTimeout(() => this.#spawnNext(), 0);
      return;
    }
  }

  #spawn(slot: Slot): void {
    const { name = "tilewise", stuckTimeout = 5000, heap } = this.options;
    const { index } = slot;
    const options = {
      index,
      name: `${name} ${index}`,
      stuckTimeout,
      ...(heap === undefined ? {} : { heap }),
    };
    try {
      const remote: Remote = this.startWorker(options, {
        ready: () => this.#ready(),
        message: (message) => this.owner.received(slot, message),
        strayed: () => this.owner.strayed(slot),
        died: (death) => this.#died(slot, remote, death),
      });
      slot.remote = remote;
    } catch (cause) {
      this.#cannotStart({ how: "no start", busy: true, cause }); // a page may forbid workers
    }
  }

  #ready(): void {
    this.#failedStarts = 0;
    if (this.slots.every(({ remote }) => remote?.ready)) {
      this.#starting?.resolve();
      this.#starting = undefined;
    }
    this.owner.usable();
  }

  #died(slot: Slot, remote: Remote, death: Death): void {
    slot.remote = undefined;
    slot.owner = undefined;
    this.#leaving.add(remote);
    remote.gone.then((gone) => {
      this.#leaving.delete(remote);
      if (!gone) this.stuck++;
    });
    this.owner.lost(slot, remote, death);
    if (this.#ending || this.#retired) return;
    const failed = !remote.ready && death.how !== "killed";
    if (failed && ++this.#failedStarts >= START_ATTEMPTS) return this.#cannotStart(death);
    if (death.how !== "renewed") this.replaced++;
    this.#spawn(slot);
    this.owner.usable();
  }

  #cannotStart({ cause }: Death): void {
    clearTimeout(this.#spawning);
    const error = startError(cause);
    this.#starting?.reject(error);
    this.#starting = undefined;
    this.owner.cannotStart(error);
  }
}

function startError(cause: unknown): TilewiseError {
  if (cause instanceof TilewiseError) return cause;
  const reason = cause instanceof Error ? cause.message : "it ended before it could be used";
  return new TilewiseError("worker", `Cannot start a worker: ${reason}`, {}, { cause });
}
