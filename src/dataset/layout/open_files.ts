/**
 * The open files of a data set on one thread: opened when first read; when there are too many, the least recently
 * used one is closed.
 *
 * @module
 */

import { openSpec } from "../../io/open.ts";
import type { ByteSource, SourceSpec } from "../../io/source/source.ts";
import type { FileSpan } from "./layout.ts";

/** Most files that are open at the same time: far below the limits of operating systems. */
const MOST_OPEN = 32;

/** Opens a source; tests give another one. */
export type OpenSource = (spec: SourceSpec) => Promise<ByteSource>;

/** Files of a data set, opened on demand. */
export class OpenFiles implements AsyncDisposable {
  /** By file number, the longest unused first. */
  readonly #open = new Map<number, ByteSource>();
  #last = -1;
  #lastSource: ByteSource | undefined;

  /** The `files`, none of them open yet. */
  constructor(
    private readonly files: readonly FileSpan[],
    private readonly openSource: OpenSource = openSpec,
  ) {}

  /** The file, if it is open. */
  get(file: number): ByteSource | undefined {
    if (file === this.#last) return this.#lastSource;
    const source = this.#open.get(file);
    if (source) this.#use(file, source);
    return source;
  }

  /** Opens the file. No read may be under way, as another file may be closed. */
  async open(file: number): Promise<ByteSource> {
    const found = this.get(file);
    if (found) return found;
    if (this.#open.size >= MOST_OPEN) {
      const [oldest, source] = this.#open.entries().next().value!;
      this.#open.delete(oldest);
      await closeAfterLook(source);
    }
    const source = await this.openSource(this.files[file]!.source);
    this.#use(file, source);
    return source;
  }

  /** Throws `changed` when one of the open files has changed; the others were checked when they were closed. */
  recheck(): void {
    for (const source of this.#open.values()) source.recheck?.();
  }

  /** Closes all files. */
  async [Symbol.asyncDispose](): Promise<void> {
    const sources = [...this.#open.values()];
    this.#open.clear();
    this.#last = -1;
    this.#lastSource = undefined;
    await Promise.all(sources.map((source) => source[Symbol.asyncDispose]()));
  }

  #use(file: number, source: ByteSource): void {
    this.#open.delete(file);
    this.#open.set(file, source);
    this.#last = file;
    this.#lastSource = source;
  }
}

/** Closes a source from which something was read, unless it has changed since then. */
async function closeAfterLook(source: ByteSource): Promise<void> {
  try {
    source.recheck?.();
  } finally {
    await source[Symbol.asyncDispose]();
  }
}
