/**
 * A thread that watches over this one: while code of users runs here and does not return, nobody else could hear Ctrl-C or
 * see that time is up. Threads of Node hear no signals: there is none there.
 *
 * @module
 */

import { Board, useBoard } from "../../activity.ts";
import { unreadableCode } from "../../executor/thread_code.ts";
import { type EndSignal, STALL, type Watched } from "./watched.ts";

/** Milliseconds between two signs of life of this thread. */
const BEAT = 100;

/** Watches over this thread from its start on. */
export class Watchdog {
  /** Resolves once it watches, or with false where no thread can. */
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
    const { promise, resolve } = Promise.withResolvers<boolean>();
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

  /** From now on, code of users that does not return for so many milliseconds ends the process. */
  limit(milliseconds: number): void {
    Atomics.store(this.#cells, STALL, Math.min(milliseconds, 2 ** 31 - 1));
  }
}
