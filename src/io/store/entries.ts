/**
 * Stores whose entries are known: the files of a list, and the entries of a zip archive.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, type SourceSpec } from "../source/source.ts";
import { type Entry, type Listed, type Store, tooLarge } from "./store.ts";
import { readDirectory, readEntry, type ZipEntry } from "./zip.ts";

/** Where an entry lies in a source. */
interface Placed {
  /** The source. */
  readonly source: SourceSpec;
  /** Its first byte there. */
  readonly at: number;
  /** Bytes from there on that belong to it. */
  readonly span: number;
  /** The entry of an archive, if it is one. */
  readonly zip?: ZipEntry;
}

/** A store that knows all of its entries. */
export interface KnownStore extends Store {
  /** All keys in a folder, without its slash, and in folders in it. */
  below(folder: string): Iterable<string>;
  /** Where an entry lies. */
  placeOf(key: string): Placed | undefined;
}

/** Files of a list as a store. */
export class ListStore implements KnownStore {
  readonly #tree: Tree;

  /** The files of `sources` by their keys. */
  constructor(readonly name: string, private readonly sources: ReadonlyMap<string, ByteSource>) {
    this.#tree = new Tree(sources.keys());
  }

  /** All bytes of a file. */
  async get(key: string, most: number, signal?: AbortSignal): Promise<Entry | undefined> {
    const source = this.sources.get(key);
    if (!source) return undefined;
    if (source.size > most) throw tooLarge(source.name, most, source.size);
    return { bytes: await readBytes(source, 0, source.size, signal), source: source.describe() };
  }

  /** Whether there is such a file. */
  has(key: string): Promise<boolean> {
    return Promise.resolve(this.sources.has(key));
  }

  /** What is below a key. */
  list(folder: string): Promise<readonly Listed[]> {
    return Promise.resolve(this.#tree.list(folder));
  }

  /** All keys in a folder. */
  below(folder: string): Iterable<string> {
    return this.#tree.below(folder);
  }

  /** A file. */
  placeOf(key: string): Placed | undefined {
    const source = this.sources.get(key);
    return source && { source: source.describe(), at: 0, span: source.size };
  }
}

/** The entries of a zip archive as a store. */
export class ZipStore implements KnownStore {
  /** Name of the archive. */
  readonly name: string;
  readonly #tree: Tree;
  readonly #spec: SourceSpec;

  private constructor(
    private readonly source: ByteSource,
    private readonly entries: ReadonlyMap<string, ZipEntry>,
    /** What precedes all keys. */ private readonly root: string,
  ) {
    this.name = source.name;
    this.#spec = source.describe();
    const names = [...entries.keys()].filter((name) => name.startsWith(root));
    this.#tree = new Tree(names.map((name) => name.slice(root.length)));
  }

  /** The archive in `source`; with one of `marks` only in one folder, this folder is the store. */
  static async open(
    source: ByteSource,
    marks: readonly string[],
    signal?: AbortSignal,
  ): Promise<ZipStore> {
    const entries = await readDirectory(source, signal);
    return new ZipStore(source, entries, rootOf(entries.keys(), marks));
  }

  /** All bytes of an entry. */
  async get(key: string, most: number, signal?: AbortSignal): Promise<Entry | undefined> {
    const entry = this.entries.get(this.root + key);
    return entry &&
      { bytes: await readEntry(this.source, entry, this.root + key, most, signal), source: this.#spec };
  }

  /** Whether there is such an entry. */
  has(key: string): Promise<boolean> {
    return Promise.resolve(this.entries.has(this.root + key));
  }

  /** What is below a key. */
  list(folder: string): Promise<readonly Listed[]> {
    return Promise.resolve(this.#tree.list(folder));
  }

  /** All keys in a folder. */
  below(folder: string): Iterable<string> {
    return this.#tree.below(folder);
  }

  /** An entry. */
  placeOf(key: string): Placed | undefined {
    const zip = this.entries.get(this.root + key);
    return zip && { source: this.#spec, at: zip.at, span: zip.span, zip };
  }
}

/**
 * The folder that has one of `marks`, if none is at the top and there is only one such folder at the top: an archive of a
 * folder. Otherwise the top.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(rootOf(["a.zarr/.zgroup", "a.zarr/0/.zarray"], [".zgroup"]), "a.zarr/");
 * assertEquals(rootOf([".zgroup", "0/.zarray"], [".zgroup"]), "");
 * ```
 */
export function rootOf(keys: Iterable<string>, marks: readonly string[]): string {
  const folders = new Set<string>();
  for (const key of keys) {
    const [first, second] = key.split("/", 2);
    if (second === undefined && marks.includes(first!)) return "";
    folders.add(key.includes("/") ? `${first}/` : "");
  }
  const [only] = folders;
  if (folders.size !== 1 || only === undefined || only === "") return "";
  return only;
}

/** Folders and files by their folder. */
class Tree {
  readonly #folders = new Map<string, Map<string, boolean>>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#add(key, false);
  }

  list(folder: string): Listed[] {
    const found = [...this.#folders.get(folder) ?? []];
    return found.map(([name, isFolder]) => ({ name, isFolder })).sort((a, b) => a.name < b.name ? -1 : 1);
  }

  *below(folder: string): Generator<string> {
    for (const [name, isFolder] of this.#folders.get(folder) ?? []) {
      const key = folder === "" ? name : `${folder}/${name}`;
      if (isFolder) yield* this.below(key);
      else yield key;
    }
  }

  #add(key: string, isFolder: boolean): void {
    const slash = key.lastIndexOf("/");
    const folder = key.slice(0, Math.max(0, slash)), name = key.slice(slash + 1);
    let inside = this.#folders.get(folder);
    if (!inside) {
      this.#folders.set(folder, inside = new Map());
      if (folder !== "") this.#add(folder, true);
    }
    inside.set(name, isFolder || (inside.get(name) ?? false));
  }
}

/** The error for a list that is not a store. */
export function noStore(name: string): TilewiseError {
  const text =
    `Cannot read ${name} alone: it is part of a Zarr store; open its folder, or a list of all its files`;
  return new TilewiseError("invalid", text, { file: name });
}
