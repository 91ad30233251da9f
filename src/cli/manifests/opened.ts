/**
 * Which files a command reads, for its manifest: a Zarr store is one of them, however many files it has.
 *
 * @module
 */

import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { sourcesOf } from "../../dataset/layout/layout.ts";
import { MARKS } from "../../formats/common/store_input.ts";
import { FileSource } from "../../io/file/file.ts";
import { logOpened } from "../../io/file/error.ts";
import { sha256 } from "../../io/hash.ts";
import { type Glance, glance } from "../../udf/results/digest.ts";
import { inputsOf } from "./compare.ts";

/** Paths of files; those in a Zarr store are not kept, but the outermost folder of the store. */
class Places extends Set<string> {
  readonly stores = new Set<string>();

  override add(path: string): this {
    const folder = dirname(path);
    if (MARKS.includes(basename(path)) && !this.hasStoreOf(folder)) {
      for (const place of [...this.stores].filter((store) => isIn(store, folder))) this.stores.delete(place);
      for (const place of [...this].filter((file) => isIn(file, folder))) this.delete(place);
      this.stores.add(folder);
    }
    return this.hasStoreOf(path) ? this : super.add(path);
  }

  hasStoreOf(path: string): boolean {
    return [...this.stores].some((store) => isIn(path, store));
  }
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && /^([/\\]|$)/.test(path.slice(folder.length));
}

/** Which files a command has read, besides those of its data set. */
export class Opened implements Disposable {
  readonly #places = new Places();
  readonly #log = logOpened(this.#places);

  /** Ends the record: what is opened from now on are samples, and results that are read back. */
  [Symbol.dispose](): void {
    this.#log[Symbol.dispose]();
  }

  /**
   * Size and ends of all files, or of all in a store together: first those of the data set, if there is one. Errors: `changed` if
   * one is not as it was opened.
   */
  async inputs(dataset?: Parameters<typeof inputsOf>[0]): Promise<Glance[]> {
    const own = dataset ? await inputsOf(dataset) : [];
    const sources = dataset ? sourcesOf(dataset.layout) : [];
    const known = new Set([
      ...own.map(({ name }) => name),
      ...sources.flatMap((one) => "path" in one ? [one.path] : []),
    ]);
    const found = own.filter(({ name }) => !this.#places.hasStoreOf(name));
    for (const store of this.#places.stores) found.push(await glanceInto(store));
    for (const path of this.#places) {
      if (!known.has(path) && !isPart(path)) found.push(await glanceAt(path));
    }
    return found;
  }
}

/** Whether a file is unpacked for a while. */
function isPart(path: string): boolean {
  return /\.tw-[^/\\]*\.part$/.test(path);
}

async function glanceAt(path: string): Promise<Glance> {
  await using source = FileSource.open(path);
  return await glance(source.describe());
}

/** The size of all files in a folder, and a digest of their names, sizes and ends. */
async function glanceInto(folder: string): Promise<Glance> {
  let bytes = 0;
  const lines: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || isPart(path)) continue;
    const one = await glanceAt(path);
    bytes += one.bytes;
    lines.push(`${relative(folder, path).replaceAll("\\", "/")} ${one.bytes} ${one.ends}`);
  }
  return { name: folder, bytes, ends: await sha256(new TextEncoder().encode(lines.sort().join("\n"))) };
}
