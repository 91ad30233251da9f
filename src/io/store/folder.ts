/**
 * A folder as a store. Entries are files; those that were touched after the store was opened have changed.
 *
 * @module
 */

import { cannot } from "../../errors.ts";
import { type FileCalls, type FileFacts, specOf, SYSTEM_CALLS } from "../file/facts.ts";
import { attempt, fileError, isMissing, noteOpened } from "../file/error.ts";
import { FileSource } from "../file/file.ts";
import { type ByteSource, changedError, readBytes } from "../source/source.ts";
import {
  type ChunkStore,
  type Entry,
  type FolderStoreSpec,
  type Listed,
  type Store,
  tooLarge,
} from "./store.ts";

/** Times of touches that systems give may be rounded down by less than this, in milliseconds. */
const SECOND = 1000;

/** A folder as a store. */
export class FolderStore implements Store, ChunkStore {
  /** Path of the folder. */
  readonly name: string;
  /** Entries that were read or were missing since the last check, with their sizes; −1: missing. */
  readonly #seen = new Map<string, number>();
  /** Folders inside that are not links. */
  readonly #plain = new Set<string>([""]);

  /** The store that `spec` describes; nothing is opened yet. */
  constructor(private readonly spec: FolderStoreSpec, private readonly calls: FileCalls = SYSTEM_CALLS) {
    this.name = spec.path;
  }

  /** Copies an entry to the start of `into`. */
  fill(key: string, into: Uint8Array): number | Promise<number> {
    const path = this.#pathOf(key);
    return path instanceof Promise
      ? path.then((found) => this.#fillFrom(found, into))
      : this.#fillFrom(path, into);
  }

  /** All bytes of an entry. */
  async get(key: string, most: number): Promise<Entry | undefined> {
    await using source = await this.open(key);
    if (!source) return undefined;
    if (source.size > most) throw tooLarge(source.name, most, source.size);
    return { bytes: await readBytes(source, 0, source.size), source: source.describe() };
  }

  /** An entry as a file. */
  async open(key: string): Promise<ByteSource | undefined> {
    const path = await this.#pathOf(key);
    const facts = this.#facts(path);
    this.#seen.set(path, facts?.size ?? -1);
    if (!facts) return undefined;
    return FileSource.reopen(specOf(path, facts), this.calls);
  }

  /** Whether there is such a file. */
  async has(key: string): Promise<boolean> {
    const path = await this.#pathOf(key);
    return this.#facts(path) !== undefined;
  }

  /** Files and folders below a key. */
  async list(folder: string): Promise<readonly Listed[]> {
    const path = folder === "" ? this.name : await this.#pathOf(folder);
    const { listEntries } = await import("../file/folder.ts");
    return listEntries(path);
  }

  /** Checks the entries that were used since the last check. */
  recheck(): void {
    for (const [path, size] of this.#seen) {
      const now = this.#facts(path);
      if ((now?.size ?? -1) !== size) {
        const show = (bytes: number) => bytes < 0 ? "none" : bytes;
        throw changedError(path, "size", show(size), show(now?.size ?? -1));
      }
      if (now) this.#checkTime(path, now);
      else this.#checkFolder(path);
    }
    this.#seen.clear();
  }

  /** Nothing stays open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #fillFrom(path: string, into: Uint8Array): number {
    const fd = this.#openFile(path);
    if (fd === undefined) {
      this.#seen.set(path, -1);
      return -1;
    }
    try {
      const facts = regular(path, attempt(path, () => this.calls.fstat(fd)));
      if (facts.size > into.length) throw tooLarge(path, into.length, facts.size);
      for (let done = 0; done < facts.size;) {
        const got = attempt(path, () => this.calls.read(fd, into, done, facts.size - done, done));
        if (got === 0) throw changedError(path, "size", facts.size, done);
        done += got;
      }
      this.#seen.set(path, facts.size);
      noteOpened(path);
      return facts.size;
    } finally {
      this.calls.close(fd);
    }
  }

  #openFile(path: string): number | undefined {
    try {
      return this.calls.open(path);
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw fileError(path, cause);
    }
  }

  /** Facts of a file; `undefined` if there is none. */
  #facts(path: string): FileFacts | undefined {
    try {
      return regular(path, this.calls.stat(path));
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw fileError(path, cause);
    }
  }

  /** The time of contents may be set to any value; that of touches may be rounded down to a second. */
  #checkTime(path: string, { modified, touched = modified }: FileFacts): void {
    const { since } = this.spec;
    if (touched <= since && (touched <= since - SECOND || modified <= since)) return;
    const [then, now] = [since, Math.max(touched, modified)].map((time) => new Date(time).toISOString());
    throw changedError(path, "time of change", `before ${then!}`, now!);
  }

  /** An entry that is missing was missing before, unless the folder where it would lie was touched. */
  #checkFolder(path: string): void {
    for (let folder = path; folder.length > this.name.length;) {
      folder = folder.slice(0, folder.lastIndexOf("/"));
      let facts: FileFacts;
      try {
        facts = this.calls.stat(folder);
      } catch {
        continue; // neither exists the folder: look at the one above
      }
      return this.#checkTime(folder, facts);
    }
  }

  /** The path of an entry; where links are in between, only if they stay inside. */
  #pathOf(key: string): string | Promise<string> {
    const path = `${this.name}/${key}`;
    for (let end = key.indexOf("/"); end >= 0; end = key.indexOf("/", end + 1)) {
      const folder = key.slice(0, end);
      if (this.#plain.has(folder)) continue;
      if (this.#isLink(`${this.name}/${folder}`)) return this.#linked(key);
      this.#plain.add(folder);
    }
    return this.#isLink(path) ? this.#linked(key) : path;
  }

  #isLink(path: string): boolean {
    try {
      return this.calls.isLink?.(path) ?? false;
    } catch (cause) {
      if (isMissing(cause)) return false;
      throw fileError(path, cause);
    }
  }

  async #linked(key: string): Promise<string> {
    const { linkInside } = await import("../file/folder.ts");
    return linkInside(this.name, key, this.spec.root);
  }
}

function regular(path: string, facts: FileFacts): FileFacts {
  if (facts.kind === "file") return facts;
  const found = facts.kind === "directory" ? "a directory" : "a pipe or a device";
  throw cannot("read", path, "malformed", `it is ${found}, not a file`, { expected: "a file", found });
}
