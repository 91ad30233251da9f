/**
 * The main thread's side of one worker thread: its start, its messages, its end.
 *
 * How the end of a thread is noticed: errors arrive as events or `crashed` messages. A thread that closes itself sends
 * nothing. A thread that was stopped may run for a while: in a call of the platform, or, if it is a web worker of Deno, in a
 * loop. If the platform closes the channel of a thread with it, this shows its end. Otherwise a Web Lock does: the worker
 * holds it for life, and the platform releases it within milliseconds after the real end of the thread. Workers hold the lock
 * in any case: when Deno 2.9 ends a thread, it breaks off a loop only if the thread holds a lock.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import type { Activity } from "../../activity.ts";
import { fromWire } from "../../errors.ts";
import type { Death } from "../failure.ts";
import { type Locks, platformLocks } from "../locks.ts";
import type { FromWorker, Hello, Opening, ToWorker } from "../protocol.ts";
import { type Mail, SharedMail } from "./mail.ts";
import type { Remote, RemoteEvents } from "./slot.ts";
import { mappedPackages } from "../../packages.ts";
import { waitedBy } from "../system_thread.ts";
import { newThreadNumber, threadEnded } from "../thread_number.ts";
import { startThread, type Thread, type ThreadOptions } from "../threads.ts";

/** Milliseconds a worker may take to load its own module. */
const START_LIMIT = 30_000;

/** How to start a worker. */
export interface RemoteOptions extends ThreadOptions {
  /** Its number. */
  readonly index: number;
  /** Milliseconds that it may take to end after it was stopped; without those in which it had no processor. */
  readonly stuckTimeout: number;
}

/** One worker thread. */
export class RemoteWorker implements Remote {
  /** Whether it can be given work. */
  ready = false;
  /** Resolves with `true` when the thread has ended, with `false` if it still runs after `stuckTimeout`. */
  readonly gone: Promise<boolean>;
  readonly #thread: Thread;
  readonly #port: MessagePort;
  readonly #events: RemoteEvents;
  readonly #stuckTimeout: number;
  readonly #locks: Locks | undefined = platformLocks();
  readonly #lock = `tilewise-${newThreadNumber()}`;
  readonly #watch = new AbortController();
  readonly #leave: (gone: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the operating system calls it, where it tells. */
  #system: string | undefined;
  #dead = false;

  /** Starts a thread. */
  constructor(
    options: RemoteOptions,
    events: RemoteEvents,
    private readonly mail: Mail = new SharedMail(),
  ) {
    const { index, stuckTimeout } = options;
    this.#events = events;
    this.#stuckTimeout = stuckTimeout;
    const { promise, resolve } = withResolvers<boolean>();
    this.gone = promise;
    this.#leave = resolve;
    this.#thread = startThread(options, {
      failed: (cause) => this.#crashed(cause),
      full: () => this.stop("out of memory"),
      strayed: () => this.#dead || events.strayed(),
    });
    this.#timer = setTimeout(() => this.stop("no start", new Error("no answer for 30 s")), START_LIMIT);
    // Made after the thread: a channel made before its thread of Node does not report its end.
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<unknown>) => this.#arrived(data);
    port1.onmessageerror = () => this.#crashed(new Error("a message of the worker cannot be read"));
    const { limited, closes } = this.#thread;
    if (closes) port1.addEventListener("close", () => this.#ended());
    const thread = newThreadNumber();
    this.gone.then((gone) => threadEnded(thread, gone));
    const { board } = mail;
    const packages = mappedPackages();
    const hello: Hello = {
      index,
      thread,
      port,
      limited,
      packages,
      ...(board ? { board: board.buffer } : {}),
    };
    this.#thread.greet(this.#locks ? { ...hello, lock: this.#lock } : hello);
  }

  /** Signs of life of code that tasks call. */
  get beat(): number {
    return this.mail.beat;
  }

  get waited(): number {
    return this.#system === undefined ? 0 : waitedBy(this.#system);
  }

  /** What it is doing, as far as it is known. */
  get activity(): Activity | undefined {
    return this.mail.activity;
  }

  /** Always: a thread has the permissions of its caller. */
  serves(): boolean {
    return true;
  }

  /** Sends a message; throws what `postMessage` throws. */
  post(message: Opening | ToWorker): void {
    this.mail.send(this.#port, message);
  }

  /** Ends the thread; the owner must treat it as dead from now on. */
  stop(how: Death["how"], cause?: unknown): void {
    this.#die({ how, busy: true, ...(cause === undefined ? {} : { cause }) });
  }

  /** Stops waiting for the end of a stopped thread. */
  giveUp(): void {
    clearInterval(this.#timer);
    this.#watch.abort();
    this.#leave(!this.mail.sharesMemory);
  }

  #arrived(data: unknown): void {
    if (this.#dead) return; // another run may use the memory by now
    try {
      const message = this.mail.take(data);
      if (message) this.#received(message);
    } catch (error) {
      this.stop("nonsense", error);
    }
  }

  #received(message: FromWorker): void {
    if (message.kind === "ready") return this.#started(message.system);
    if (message.kind === "full") return this.stop("out of memory");
    if (message.kind !== "crashed") return this.#events.message(message);
    this.#die({ how: "crashed", busy: message.busy, cause: fromWire(message.error) });
  }

  #started(system: string | undefined): void {
    clearTimeout(this.#timer);
    this.#system = system;
    if (this.#locks && !this.#thread.closes) this.#watchLock(this.#locks);
    this.ready = true;
    this.#events.ready();
  }

  #watchLock(locks: Locks): void {
    const { signal } = this.#watch;
    locks.request(this.#lock, { signal }, () => this.#ended()).catch(() =>
      this.#leave(!this.mail.sharesMemory)
    );
  }

  #ended(): void {
    this.#leave(true);
    this.#die({ how: this.ready ? "ended" : "no start", busy: true });
  }

  #crashed(cause: unknown): void {
    this.#die({ how: this.ready ? "crashed" : "no start", busy: true, cause });
  }

  #die(death: Death): void {
    if (this.#dead) return;
    this.#dead = true;
    clearTimeout(this.#timer);
    const { activity } = this;
    this.#thread.terminate();
    // Without anything to watch there is no better answer; a thread that was not ready has touched no memory of a run.
    if (!this.#locks && !this.#thread.closes || !this.ready) this.#leave(true);
    else this.#timer = countdown(this.#stuckTimeout, () => this.waited, () => this.giveUp());
    this.gone.then(() => {
      clearInterval(this.#timer);
      this.#port.close();
    });
    this.#events.died(activity ? { ...death, activity } : death);
  }
}

/** Milliseconds of one step: what has happened meanwhile is handled between two of them. */
const STEP = 100;

/**
 * Calls `over` when a thread has had `milliseconds`: without the time in which it wanted to run and had no processor, of which
 * `waited` says the sum, and without that in which this thread was held up. `clearInterval` cancels it.
 */
export function countdown(
  milliseconds: number,
  waited: () => number,
  over: () => void,
): ReturnType<typeof setInterval> {
  const step = Math.min(STEP, milliseconds);
  let left = milliseconds, before = waited();
  const timer = setInterval(() => {
    const now = waited();
    left -= Math.max(0, step - Math.max(0, now - before)); // of a thread that has ended nothing is told
    before = now;
    if (left > 0) return;
    clearInterval(timer);
    over();
  }, step);
  return timer;
}
