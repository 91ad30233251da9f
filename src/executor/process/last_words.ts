/**
 * What a process writes to its standard error: it is copied to the standard error of this process, and its end is kept for the
 * error that reports the death of the process.
 *
 * @module
 */

import { withResolvers } from "../../portable.ts";

/** Most letters that are kept. */
const MOST = 2000;

/** Milliseconds to wait for the end of the stream: a child of the process may keep it open. */
const PATIENCE = 200;

/** The end of what a stream brings. */
export class LastWords {
  readonly #over: Promise<void>;
  #kept = "";

  /** Reads `stream` to its end. */
  constructor(stream: ReadableStream<Uint8Array>) {
    this.#over = this.#read(stream).catch(() => {}); // the process is gone
  }

  /** The kept text, when the stream has ended. */
  async all(): Promise<string> {
    const { promise, resolve } = withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE);
    await Promise.race([this.#over, promise]);
    clearTimeout(timer);
    // deno-lint-ignore no-control-regex -- colours
    return this.#kept.replace(/\x1b\[[0-9;]*m/g, "").trim();
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      this.#kept = (this.#kept + decoder.decode(bytes, { stream: true })).slice(-MOST);
      Deno.stderr.writeSync(bytes);
    }
  }
}
