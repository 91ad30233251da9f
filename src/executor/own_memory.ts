/**
 * The worker side of a pool whose threads share no memory with the caller, as in pages that are not isolated.
 *
 * The work is done by a {@link JobHost}, as on all threads. Its memory has the same bytes at the same addresses as that of the
 * run; what a task has written goes back with its result. Signs of life are messages. Messages of the caller arrive only when
 * this thread pauses, so that loops pause as they do on the thread of a caller.
 *
 * @module
 */

import { Board } from "../activity.ts";
import { toWire } from "../errors.ts";
import { Turns } from "../turns.ts";
import { Control } from "./control.ts";
import { CopiedRuns } from "./copied_runs.ts";
import type { Beat, OpenCopy, TaskCopy, ToCopy } from "./copies.ts";
import { JobHost, type Pace } from "./job_host.ts";
import type { FromWorker, Hello } from "./protocol.ts";
import { joinedBytes } from "../space/bytes.ts";
import { ownViews, spread, viewsOf } from "./memory_rows.ts";

/** Least milliseconds between two signs of life. */
const LOOK = 10;

/** Milliseconds that a task works without a pause. */
const LONGEST = 20;

/** To a worker with its own memory: a message, and the bytes that belong to it. */
export interface CopyMail {
  /** The message. */
  readonly message: ToCopy;
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/** From such a worker. */
export interface CopyAnswer {
  /** The message. */
  readonly message: FromWorker | Beat;
  /** The bytes that a task has written; absent: none. */
  readonly bytes?: Uint8Array;
}

/** A board that says when something was noted on it. */
class ToldBoard extends Board {
  /** Nobody else sees it. */
  constructor(private readonly noted: (activity: boolean) => void) {
    super();
  }

  override alive(): void {
    super.alive();
    this.noted(false);
  }

  override begin(number: number): number {
    const before = super.begin(number);
    this.noted(true);
    return before;
  }

  override end(before: number): void {
    super.end(before);
    this.noted(true);
  }
}

/** Handles the messages of a pool on a thread with its own memory. */
export class OwnMemoryHost {
  readonly #port: MessagePort;
  readonly #runs = new CopiedRuns();
  readonly #host: JobHost;
  readonly #board: Board = new ToldBoard((activity) => this.#tell(activity && this.#watched));
  readonly #turns = new Turns(LONGEST);
  #told = 0;
  /** Whether each activity is told at once, as the task has lost a worker before. Otherwise it may be over, and is not told. */
  #watched = false;

  /** Answers go to the port of `hello`. */
  constructor(hello: Hello) {
    this.#port = hello.port;
    const turns = this.#turns;
    const pace: Pace = {
      get due() {
        return turns.due;
      },
      rest: () => turns.give(),
      moved: () => this.#tell(false),
    };
    this.#host = new JobHost((message) => this.#post(message), hello, this.#board, pace);
  }

  /** Takes a message of the pool. */
  receive({ message, bytes }: CopyMail): void {
    if (message.kind === "open") return this.#open(message, bytes);
    if (message.kind === "task") return this.#task(message, bytes);
    if (message.kind === "cancel") this.#runs.get(message.run)?.control.stop();
    this.#host.receive(message);
  }

  /** Reports an error that no task has caught. */
  crashed(error: unknown): void {
    this.#host.crashed(error);
  }

  #open(message: OpenCopy, bytes: Uint8Array): void {
    const { run, job, reads } = message;
    try {
      const { memory, control } = this.#runs.open(message, new Control());
      spread(bytes, viewsOf(memory, reads));
      this.#host.receive({ kind: "open", run, job, memory, control: control.buffer });
    } catch (error) {
      this.#post({ kind: "failed", run, error: toWire(error) });
    }
  }

  #task({ reads, writes, ...task }: TaskCopy, bytes: Uint8Array): void {
    const run = this.#runs.get(task.run);
    if (!run) return; // it could not be opened
    spread(bytes, viewsOf(run.memory, reads));
    run.writes.set(task.index, writes);
    this.#watched = task.again ?? false;
    this.#host.receive(task);
  }

  /** The next task begins after this call, so that it may write to the same bytes. */
  #post(message: FromWorker): void {
    if (message.kind === "failed" && message.index !== undefined) {
      this.#runs.takeWrites(message.run, message.index);
    }
    if (message.kind === "closed") this.#runs.close(message.run);
    if (message.kind !== "done") return this.#send({ message });
    const memory = this.#runs.get(message.run)?.memory;
    const writes = this.#runs.takeWrites(message.run, message.index);
    if (!memory || writes.length === 0) return this.#send({ message });
    const bytes = joinedBytes(ownViews(memory, writes));
    this.#port.postMessage({ message, bytes } satisfies CopyAnswer, [bytes.buffer]);
  }

  /** Sends signs of life, unless some were sent a moment ago. */
  #tell(now: boolean): void {
    const time = performance.now();
    if (!now && time - this.#told < LOOK) return;
    this.#told = time;
    const { beat, current } = this.#board;
    this.#send({ message: this.#runs.beat({ beat, current: this.#watched ? current : undefined }) });
  }

  #send(answer: CopyAnswer): void {
    this.#port.postMessage(answer);
  }
}
