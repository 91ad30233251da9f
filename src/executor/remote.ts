/**
 * The main thread's side of one worker thread: its start, its messages, its end.
 *
 * How the end of a thread is noticed: errors arrive as events or `crashed` messages. A thread that closes
 * itself sends nothing, and one that was terminated in the middle of a loop goes on for as long as the loop
 * (Deno 2.9 never interrupts it). Both are told apart by a Web Lock: the worker holds it for life, the
 * platform releases it within milliseconds of the thread's real end.
 *
 * @module
 */

import { fromWire } from "../errors.ts";
import type { Death } from "./failure.ts";
import { type Locks, platformLocks } from "./locks.ts";
import type { FromWorker, RunMessage, ToWorker } from "./protocol.ts";

/** Milliseconds a worker may take to load its own module. */
const START_LIMIT = 30_000;

/** What the owner of a worker wants to know. */
export interface RemoteEvents {
  /** It can be given work. */
  ready(): void;
  /** It says something of a run. */
  message(message: RunMessage): void;
  /** It cannot be used any more; told once, and also after {@link RemoteWorker.stop}. */
  died(death: Death): void;
}

/** One worker thread. */
export class RemoteWorker {
  /** Whether it can be given work. */
  ready = false;
  /** Resolves once the thread is dead and gone: `true`; or still runs after all patience: `false`. */
  readonly gone: Promise<boolean>;
  readonly #worker: Worker;
  readonly #events: RemoteEvents;
  readonly #patience: number;
  readonly #locks: Locks | undefined = platformLocks();
  readonly #lock = `tilewise-${crypto.randomUUID()}`;
  readonly #watch = new AbortController();
  readonly #leave: (gone: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dead = false;

  /** Starts a thread with number `index`; `patience` is how long a stopped one may take to be gone, in ms. */
  constructor(index: number, name: string, patience: number, events: RemoteEvents) {
    this.#events = events;
    this.#patience = patience;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.gone = promise;
    this.#leave = resolve;
    this.#worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#received(data);
    this.#worker.onmessageerror = () => this.#crashed(new Error("a message of the worker cannot be read"));
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#crashed(new Error(event.message));
    };
    this.#timer = setTimeout(() => this.stop("no start", new Error("no answer for 30 s")), START_LIMIT);
    this.post({ kind: "hello", index, ...(this.#locks ? { lock: this.#lock } : {}) });
  }

  /** Sends a message; throws what `postMessage` throws. */
  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Ends the thread, now as far as the owner is concerned. */
  stop(how: Death["how"], cause?: unknown): void {
    this.#die({ how, busy: true, ...(cause === undefined ? {} : { cause }) });
  }

  /** Does not wait any longer for a stopped thread to be gone. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#watch.abort();
    this.#leave(false);
  }

  #received(message: FromWorker): void {
    if (this.#dead) return;
    if (message.kind === "ready") return this.#started();
    if (message.kind !== "crashed") return this.#events.message(message);
    this.#die({ how: "crashed", busy: message.busy, cause: fromWire(message.error) });
  }

  #started(): void {
    clearTimeout(this.#timer);
    if (this.#locks) this.#watchLock(this.#locks);
    this.ready = true;
    this.#events.ready();
  }

  #watchLock(locks: Locks): void {
    const { signal } = this.#watch;
    const ended = () => {
      this.#leave(true);
      clearTimeout(this.#timer);
      this.#die({ how: "ended", busy: true });
    };
    locks.request(this.#lock, { signal }, ended).catch(() => this.#leave(false));
  }

  #crashed(cause: unknown): void {
    this.#die({ how: this.ready ? "crashed" : "no start", busy: true, cause });
  }

  #die(death: Death): void {
    if (this.#dead) return;
    this.#dead = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    // Without a lock there is nothing to watch; a thread that was not ready has touched no memory of a run.
    if (!this.#locks || !this.ready) this.#leave(true);
    else this.#timer = setTimeout(() => this.giveUp(), this.#patience);
    this.gone.then(() => clearTimeout(this.#timer));
    this.#events.died(death);
  }
}
