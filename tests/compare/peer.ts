/**
 * The peer: one Python process that opens the data sets and computes the same with LiberTEM, line by line.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { NDArray } from "../../src/space/ndarray.ts";
import { fromWire, toWire, type WireArray } from "./data/wire.ts";

/** What the peer says to a request: results by name, or why there are none. */
export type Answer = { readonly results: Readonly<Record<string, NDArray>> } | { readonly error: string };

interface Reply {
  readonly id: number;
  readonly results?: Readonly<Record<string, WireArray>>;
  readonly error?: string;
}

/** The process. Requests may be sent before earlier ones have been answered. */
export class Peer implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #reading: Promise<void>;
  #next = 0;

  /** Starts it with a Python that has LiberTEM. */
  constructor(python: string) {
    this.#process = new Deno.Command(python, {
      args: [fromFileUrl(new URL("./peers/main.py", import.meta.url))],
      env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "ignore", OMP_NUM_THREADS: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Sends a request and waits for its answer. */
  async ask(request: Readonly<Record<string, unknown>>): Promise<Answer> {
    const id = this.#next++;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(id, answer);
    const line = JSON.stringify({ id, ...request }, (_key, value) => isArray(value) ? toWire(value) : value);
    await this.#input.write(new TextEncoder().encode(line + "\n"));
    return await answer.promise;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const chunk of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#answer(JSON.parse(line) as Reply);
    }
    const { code } = await this.#process.status;
    for (const answer of this.#waiting.values()) {
      answer.reject(new Error(`The peer ended with ${code}, in the middle of the work`));
    }
  }

  #answer({ id, results, error }: Reply): void {
    const answer = this.#waiting.get(id)!;
    this.#waiting.delete(id);
    if (error !== undefined || !results) return answer.resolve({ error: error ?? "no results" });
    const arrays = Object.entries(results).map(([name, array]) => [name, fromWire(array)] as const);
    answer.resolve({ results: Object.fromEntries(arrays) });
  }

  /** Ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#reading;
  }
}

function isArray(value: unknown): value is NDArray {
  return typeof value === "object" && value !== null && "data" in value && "stride" in value;
}
