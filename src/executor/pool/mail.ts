/**
 * What passes between a pool and a thread: messages alone if both see the memory of runs; otherwise the bytes go with them.
 *
 * @module
 */

import { type Activity, Board } from "../../activity.ts";
import { Copies } from "../copies.ts";
import type { CopyAnswer, CopyMail } from "../own_memory.ts";
import { bare, type FromWorker, type Opening, type ToWorker } from "../protocol.ts";
import { joinedBytes } from "../../space/bytes.ts";
import { spread } from "../memory_rows.ts";

/** How messages pass to one thread and back. */
export interface Mail {
  /** Whether the thread can write to the memory of runs. */
  readonly sharesMemory: boolean;
  /** Where the thread writes what it is doing, if it can. */
  readonly board?: Board;
  /** Changes with every sign of life that does not belong to a run. */
  readonly beat: number;
  /** What the thread is doing, as far as it is known. */
  readonly activity: Activity | undefined;
  /** Sends a message; throws what `postMessage` throws. */
  send(port: MessagePort, message: Opening | ToWorker): void;
  /** Takes what has arrived: a message for the pool, or nothing. Errors: `worker` if it makes no sense. */
  take(data: unknown): FromWorker | undefined;
}

/** To a thread that sees the memory of runs. */
export class SharedMail implements Mail {
  readonly sharesMemory = true;
  readonly board: Board = new Board();

  get beat(): number {
    return this.board.beat;
  }

  get activity(): Activity | undefined {
    return this.board.current;
  }

  send(port: MessagePort, message: Opening | ToWorker): void {
    port.postMessage(message.kind === "open" ? { ...message, job: bare(message.job) } : message);
  }

  take(data: unknown): FromWorker {
    return data as FromWorker;
  }
}

/** To a thread that has its own memory. */
export class CopiedMail implements Mail {
  readonly sharesMemory = false;
  readonly #copies = new Copies();

  get beat(): number {
    return this.#copies.beat;
  }

  get activity(): Activity | undefined {
    return this.#copies.activity;
  }

  send(port: MessagePort, message: Opening | ToWorker): void {
    const parcel = this.#copies.pack(message);
    const bytes = joinedBytes(parcel.views);
    port.postMessage({ message: parcel.message, bytes } satisfies CopyMail, [bytes.buffer]);
    this.#copies.sent(parcel);
  }

  take(data: unknown): FromWorker | undefined {
    const { message, bytes } = data as CopyAnswer;
    if (message.kind === "beat") {
      this.#copies.alive(message);
      return undefined;
    }
    if (message.kind === "closed") this.#copies.closed(message.run);
    if (message.kind !== "done") return message;
    spread(bytes ?? new Uint8Array(0), this.#copies.placesOf(message, bytes?.length ?? 0));
    this.#copies.done(message);
    return message;
  }
}
