/**
 * Asks geotiff.js and zarrita.js, which read files in a process of their own, and starts another one when it ends.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { Told } from "../maker.ts";

/** What is asked for. */
export interface Question {
  /** Which of them reads. */
  readonly kind: "tiff" | "zarr";
  /** The file. */
  readonly path: string;
  /** The arrays. */
  readonly arrays: readonly Told[];
}

/** Digests by names of arrays, or what went wrong. */
export type Answer = Readonly<Record<string, string>>;

/** A process in which others read. */
export class Second implements AsyncDisposable {
  #process: Deno.ChildProcess | undefined;
  #lines: AsyncIterator<string> | undefined;

  /** Their answer, `undefined` if the process ended while it read. */
  async ask(question: Question): Promise<Answer | undefined> {
    if (!this.#process) this.#start();
    const process = this.#process!;
    try {
      const writer = process.stdin.getWriter();
      await writer.write(new TextEncoder().encode(JSON.stringify(question) + "\n"));
      writer.releaseLock();
      const { value, done } = await this.#lines!.next();
      if (!done) return JSON.parse(value) as Answer;
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
    this.#process = undefined;
    await process.status;
    return undefined;
  }

  #start(): void {
    const script = fromFileUrl(new URL("./main.ts", import.meta.url));
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", script],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#lines = linesOf(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#process) return;
    await this.#process.stdin.close();
    await this.#lines!.return?.();
    await this.#process.status;
  }
}

/** The lines of a stream. */
export async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
