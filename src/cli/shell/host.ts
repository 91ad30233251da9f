/**
 * The environment of the command line on this machine: stdout, stderr, the terminal and Ctrl-C. A thread watches this one:
 * while code of users runs here and does not return, only another thread can handle Ctrl-C or a time limit. Threads of Node get no
 * signals, so in Node there is no such thread.
 *
 * @module
 */

import { forbidExits } from "../../executor/exits.ts";
import { reasonOf } from "../../reason.ts";
import { type CliIo, oneLine } from "./io.ts";
import { endSignals } from "./signals.ts";
import { environment } from "./permissions.ts";
import { coloursOf, Streams, systemStreams } from "./streams.ts";
import { system } from "./system.ts";
import { withResolvers } from "../../portable.ts";
import { Board, useBoard } from "../../activity.ts";
import { unreadableCode } from "../../executor/thread_code.ts";
import { type EndSignal, STALL, type Watched } from "./watched.ts";

/** Milliseconds between two signs of life of this thread. */
const BEAT = 100;

/** Watches this thread from its start on. */
class Watchdog {
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

/** Columns if their number is unknown. */
const COLUMNS = 80;

/** Ends the process. Code of users cannot: what it finds under this name throws an error. */
export const exitProcess: (code: number) => never = system.exit;

/** Milliseconds after which a thread begins to watch this one; shorter commands need none. */
const UNWATCHED = 1000;

/**
 * The streams of this process. The first interrupt fires `signal`, the second ends the process; once a thread watches
 * this one, this works even while this thread is busy.
 */
export function hostIo(): CliIo {
  const controller = new AbortController();
  const streams = new Streams({ ...systemStreams, exit: exitProcess });
  const signals = endSignals(controller, exitProcess);
  const watchdog = once(() => {
    const started = new Watchdog(system.isTerminal(2), signals.heard);
    started.ready.then((watches) => watches && signals.stop());
    return started;
  });
  const [outIsTerminal, errIsTerminal] = [system.isTerminal(1), system.isTerminal(2)];
  const mayAsk = system.isTerminal(0) && errIsTerminal;
  setTimeout(watchdog, UNWATCHED);
  return {
    out: (text) => streams.out(text),
    err: (text) => streams.err(text),
    goOn: () => streams.goOn(),
    ...(mayAsk ? { ask: (question) => ask(question, streams, controller.signal) } : {}),
    outIsTerminal,
    errIsTerminal: errIsTerminal && environment("TERM") !== "dumb",
    colour: coloursOf({
      env: environment,
      isTerminal: outIsTerminal,
      system: system.platform,
    }),
    columns: outIsTerminal && system.columns() || COLUMNS,
    signal: controller.signal,
    watch: async (limit) => {
      forbidExits();
      system.onStray((error) => strayError(error, streams));
      watchdog().limit(limit);
      await watchdog().ready;
    },
  };
}

/** Whether a line of the terminal says yes; an interrupt says no. */
async function ask(question: string, streams: Streams, signal: AbortSignal): Promise<boolean> {
  streams.err(question);
  const interrupted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined));
  });
  const line = await Promise.race([system.line(), interrupted]);
  return line !== undefined && /^\s*y(es)?\s*$/i.test(line);
}

/** Handles an error of code of users that could not be caught: from a timer, or from a promise without a handler. */
function strayError(error: unknown, streams: Streams): void {
  const text = reasonOf(error);
  streams.err(
    `tilewise: [udf] code failed that nobody waits for, such as a timer of a UDF: ${oneLine(text)}\n`,
  );
  exitProcess(1);
}

/** `make`, called once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
