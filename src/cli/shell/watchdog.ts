/**
 * A thread that watches this one: while code of users runs here and does not return, only another thread can handle Ctrl-C or
 * a time limit. Threads of Node get no signals, so in Node there is no such thread.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";
import { Board, useBoard } from "../../activity.ts";
import { unreadableCode } from "../../executor/thread_code.ts";
import { type EndSignal, STALL, type Watched } from "./watched.ts";

/** Milliseconds between two signs of life of this thread. */
const BEAT = 100;

/** Watches this thread from its start on. */
export class Watchdog {
  /** Resolves with true when it watches, with false where no thread can. */
  readonly ready: Promise<boolean>;
  readonly #cells = new Int32Array(new SharedArrayBuffer(4));

  /** Starts the thread; `heard` is called at the first signal to end. The second one ends the process. */
  constructor(isTerminal: boolean, heard: (name: EndSignal) => void) {
    const board = new Board();
    useBoard(board);
    setInterval(() => board.alive(), BEAT);
    this.ready = "Deno" in globalThis && unreadableCode() === undefined
      ? this.#start(board, isTerminal, heard)
      : Promise.resolve(false);
  }

  #start(board: Board, isTerminal: boolean, heard: (name: EndSignal) => void): Promise<boolean> {
    const worker = new Worker(new URL("./watchdog_thread.ts", import.meta.url), {
      type: "module",
      name: "tilewise watchdog",
    });
    const { promise, resolve } = withResolvers<boolean>();
    worker.onmessage = ({ data }: MessageEvent<"ready" | EndSignal>) => {
      if (data === "ready") resolve(true);
      else heard(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(false); // the command is done without it
    };
    const watched: Watched = {
      board: board.buffer,
      cells: this.#cells.buffer as SharedArrayBuffer,
      isTerminal,
    };
    worker.postMessage(watched);
    return promise;
  }

  /** Makes code of users that does not return for this many milliseconds end the process. */
  limit(milliseconds: number): void {
    Atomics.store(this.#cells, STALL, Math.min(milliseconds, 2 ** 31 - 1));
  }
}
