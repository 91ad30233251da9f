/**
 * The thread that watches over the one of the command line, see `watchdog.ts`.
 *
 * @module
 */

import { Board } from "../../activity.ts";
import { END_SIGNALS, type EndSignal, STALL, type Watched } from "./watched.ts";

/** Milliseconds between two checks. */
const LOOK = 100;

/** Milliseconds in which nothing moves after which a user who interrupts is told why nothing happens. */
const HINT = 1000;

self.onmessage = ({ data }: MessageEvent<Watched>) => {
  new Watch(data);
  self.postMessage("ready");
};

class Watch {
  readonly #board: Board;
  readonly #cells: Int32Array;
  readonly #isTerminal: boolean;
  #beat = 0;
  #quiet = 0; // milliseconds
  #hears = false; // a first signal has come
  #last = performance.now();
  readonly #listeners = END_SIGNALS.map((name) => [name, () => this.#heard(name)] as const);

  constructor({ board, cells, isTerminal }: Watched) {
    this.#board = new Board(board);
    this.#cells = new Int32Array(cells);
    this.#isTerminal = isTerminal;
    for (const [name, heard] of this.#listeners) listen(name, heard);
    setInterval(() => this.#look(), LOOK);
  }

  /** Handles the first signal and stops listening, so that the second one ends the process with its exit code. */
  #heard(name: EndSignal): void {
    this.#stopListening();
    self.postMessage(name);
    this.#hears = true;
  }

  #stopListening(): void {
    for (const [name, heard] of this.#listeners) unlisten(name, heard);
  }

  /** Says once what the first signal waits for, when that has not moved for a while. */
  #hint(): void {
    const { current } = this.#board;
    if (!this.#hears || this.#quiet < HINT || !current) return;
    this.#hears = false;
    this.#say(`waiting for ${current.text}; interrupt again to end the process`);
  }

  #look(): void {
    const now = performance.now();
    const elapsed = Math.min(now - this.#last, 2 * LOOK); // a late look: the machine slept, or this thread
    this.#last = now;
    const { beat } = this.#board;
    this.#quiet = beat === this.#beat ? this.#quiet + elapsed : 0;
    this.#beat = beat;
    this.#hint();
    const limit = Atomics.load(this.#cells, STALL);
    if (limit === 0 || this.#quiet < limit) return;
    const { current } = this.#board;
    if (!current || current.ours) return;
    const time = `${limit / 1000} s`;
    this.#say(
      `[timeout] ${current.text} has not returned for ${time}; raise --stall-timeout if it may take longer`,
    );
    this.#stopListening();
    endProcess();
  }

  #say(text: string): void {
    const bytes = new TextEncoder().encode(`${this.#isTerminal ? "\r\x1b[K" : ""}tilewise: ${text}\n`);
    for (let at = 0; at < bytes.length;) at += Deno.stderr.writeSync(bytes.subarray(at));
  }
}

function listen(name: EndSignal, heard: () => void): void {
  try {
    Deno.addSignalListener(name, heard);
  } catch {
    // a system without this signal
  }
}

function unlisten(name: EndSignal, heard: () => void): void {
  try {
    Deno.removeSignalListener(name, heard);
  } catch {
    // a system without this signal
  }
}

/** Where `_exit` is, by operating system. */
const LIBRARIES: Readonly<Record<string, string>> = { linux: "libc.so.6", darwin: "libSystem.dylib" };

/** Ends the process from this thread: with code 1 where native calls are permitted, else by a signal (143). */
function endProcess(): void {
  try {
    const library = LIBRARIES[Deno.build.os];
    if (library && Deno.permissions.querySync({ name: "ffi" }).state === "granted") {
      Deno.dlopen(library, { _exit: { parameters: ["i32"], result: "void" } }).symbols._exit(1);
    }
  } finally {
    Deno.kill(Deno.pid, "SIGTERM");
  }
}
