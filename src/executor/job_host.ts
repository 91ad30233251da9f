/**
 * The worker side of the pool: keeps one handler per run and does what the messages say, one after another.
 *
 * @module
 */

import { type Board, useBoard } from "../activity.ts";
import { TilewiseError, toWire } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { Control } from "./control.ts";
import { makeHandler } from "./handler.ts";
import { taskEnded } from "../memory/first_page.ts";
import { learnFencing } from "../memory/fencing.ts";
import { platformLocks } from "./locks.ts";
import type { Done, FromWorker, Hello, Open, Task, ToWorker } from "./protocol.ts";
import { systemThread } from "./system_thread.ts";
import type { JobHandler, WorkerContext } from "./task.ts";

/** Milliseconds between two checks whether work was broken off. */
const LOOK = 250;

/** How a thread that gets its messages only between pauses works: when it pauses, and that it tells what it has done. */
export interface Pace {
  /** Whether it should pause. */
  readonly due: boolean;
  /** Pauses. */
  rest(): Promise<void>;
  /** It has counted units. */
  moved(): void;
}

/** The pace of threads that see the memory of their caller: they never pause. */
const STEADY: Pace = { due: false, rest: () => Promise.resolve(), moved: () => {} };

/** One run on this worker. */
interface OpenJob {
  readonly message: Open;
  readonly control: Control;
  readonly stop: AbortController;
  handler?: JobHandler<unknown, unknown>;
}

/** Handles the messages of the pool. */
export class JobHost {
  readonly #post: (message: FromWorker) => void;
  readonly #jobs = new Map<number, OpenJob>();
  readonly #index: number;
  readonly #board: Board;
  #turn: Promise<void> = Promise.resolve();
  #busy = false;
  #inside = false;

  /** A host that answers with `post`; its first message says that the worker is ready. */
  constructor(
    post: (message: FromWorker) => void,
    { index, lock, limited }: Pick<Hello, "index" | "lock" | "limited">,
    board: Board,
    private readonly pace: Pace = STEADY,
  ) {
    this.#post = post;
    this.#index = index;
    this.#board = board;
    useBoard(this.#board);
    if (limited) setInterval(() => this.#look(), LOOK);
    this.#live(lock);
  }

  /** Takes a message; work is done in the order of messages. */
  receive(message: ToWorker): void {
    if (message.kind === "cancel") return this.#jobs.get(message.run)?.stop.abort();
    if (message.kind === "open") this.#add(message);
    this.#turn = this.#turn.then(() => this.#work(message));
  }

  /** Reports an error that no task has caught. */
  crashed(error: unknown): void {
    this.#post({ kind: "crashed", busy: this.#busy, error: toWire(error) });
  }

  /**
   * If the heap of a thread is limited, a full heap breaks off the running code, without an error and without `finally`; other
   * waiting code continues. So if a timer fires while this thread is noted to be inside a call, that call will never return.
   */
  #look(): void {
    if (this.#inside || this.#board.current) this.#post({ kind: "full" });
  }

  #live(lock: string | undefined): void {
    const system = systemThread();
    const ready = () => this.#post({ kind: "ready", ...(system === undefined ? {} : { system }) });
    if (lock === undefined) return ready();
    // Never released here: the platform releases it when this thread ends, and the pool waits for that.
    const held = platformLocks()!.request(lock, {}, () => {
      ready();
      return new Promise<never>(() => {});
    });
    held.catch((error) => this.crashed(error));
  }

  #add(message: Open): void {
    const control = new Control(message.control);
    this.#jobs.set(message.run, { message, control, stop: new AbortController() });
  }

  async #work(message: ToWorker): Promise<void> {
    this.#busy = true;
    const job = this.#jobs.get((message as Task).run);
    if (job && message.kind === "open") await this.#open(job);
    if (job && message.kind === "task") await this.#run(job, message);
    if (job && message.kind === "close") await this.#close(job);
    this.#busy = false;
  }

  async #open(job: OpenJob): Promise<void> {
    const { message, control, stop } = job;
    const { pace } = this;
    const context: WorkerContext = {
      index: this.#index,
      memory: message.memory,
      signal: stop.signal,
      cancelled: () => control.stopped,
      get due() {
        return pace.due;
      },
      rest: () => pace.rest(),
      advance: (units) => {
        control.advance(units);
        pace.moved();
      },
    };
    try {
      await learnFencing(message.job.fencing);
      job.handler = await makeHandler(message.job, context);
      this.#post({ kind: "opened", run: message.run });
    } catch (error) {
      this.#post({ kind: "failed", run: message.run, error: toWire(error) });
    }
  }

  async #run({ handler, control, message: { memory } }: OpenJob, { run, index, task }: Task): Promise<void> {
    if (!handler) return; // `open` has reported why
    try {
      if (control.stopped) throw new TilewiseError("aborted", "The run is over");
      const value = await this.#within(() => handler.run(task));
      taskEnded(memory);
      this.#done({ kind: "done", run, index, value, units: control.units });
    } catch (error) {
      this.#post({ kind: "failed", run, index, error: toWire(error) });
    }
  }

  #within<T>(call: () => T): T {
    this.#inside = true;
    try {
      return call();
    } finally {
      this.#inside = false;
    }
  }

  #done(done: Done): void {
    try {
      this.#post(done);
    } catch (error) {
      const text = `Cannot send the result of task ${done.index} to the main thread: ${reasonOf(error)}`;
      throw new TilewiseError("udf", text, {}, { cause: error });
    }
  }

  async #close({ handler, message }: OpenJob): Promise<void> {
    const { run } = message;
    this.#jobs.delete(run);
    try {
      await handler?.close?.();
      this.#post({ kind: "closed", run });
    } catch (error) {
      this.#post({ kind: "closed", run, error: toWire(error) });
    }
  }
}
