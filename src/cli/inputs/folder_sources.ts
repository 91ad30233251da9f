/**
 * Several sources of a command: those of a folder are the files and stores in it that are called like a format, without those
 * that only belong to others.
 *
 * @module
 */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { selectAt } from "../../dataset/split_axes.ts";
import { stacked } from "../../dataset/stack.ts";
import { loadKinds } from "../../dataset/storage/kinds.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { extensionOf } from "../../io/file/names.ts";
import { MARKS, TABLE } from "../../formats/common/store_input.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { openStored } from "../../formats/open.ts";
import { FORMATS } from "../../formats/registry.ts";
import { listEntries } from "../../io/file/folder.ts";
import { logOpened } from "../../io/file/error.ts";

/** The sources, with those in a folder in place of it: in the order of their names, 2 before 10. */
export async function listedSources(sources: readonly string[], options: OpenOptions): Promise<string[]> {
  const all: string[][] = [];
  for (const source of sources) all.push(await inFolder(source, options) ?? [source]);
  return all.flat();
}

/** The sources in a folder; `undefined` for what is not a folder, or a source itself. */
async function inFolder(folder: string, options: OpenOptions): Promise<string[] | undefined> {
  const entries = entriesOf(folder);
  if (!entries || entries.some(({ name }) => name === TABLE || MARKS.includes(name))) return undefined;
  const extensions = FORMATS.flatMap((format) => format.extensions);
  const found = entries
    .filter(({ name, isFolder }) =>
      isFolder ? isStore(join(folder, name)) : extensions.includes(extensionOf(name))
    )
    .map(({ name }) => join(folder, name))
    .sort(new Intl.Collator("en", { numeric: true }).compare);
  const own = await withoutCompanions(found, options);
  if (own.length > 0) return own;
  const text = `Cannot take the sources in ${folder}: nothing in it is called like a file that is read`;
  throw new TilewiseError("not-a-file", text, { file: folder, found: entries.length });
}

function entriesOf(folder: string) {
  try {
    return listEntries(folder);
  } catch {
    return undefined; // a file, a URL, or nothing: the error of opening it says more
  }
}

/** Whether a folder is a store or a table. */
function isStore(folder: string): boolean {
  return (entriesOf(folder) ?? []).some(({ name }) => name === TABLE || MARKS.includes(name));
}

/** Those that are not read as parts of others: members of a series, headers, what a description names. */
async function withoutCompanions(paths: readonly string[], options: OpenOptions): Promise<string[]> {
  const read: Set<string>[] = [];
  for (const path of paths) read.push(await filesOf(path, options));
  const own = paths.map((path) => realpathSync(path));
  const isTaken = new Set<number>();
  own.forEach((path, n) => {
    const others = [...read.keys()].filter((other) =>
      other !== n && !isTaken.has(other) && read[other]!.has(path)
    );
    if (others.some((other) => other < n || !read[n]!.has(own[other]!))) isTaken.add(n);
  });
  return paths.filter((_, n) => !isTaken.has(n));
}

/** The files that are read where a path is opened; none where that fails. */
async function filesOf(path: string, options: OpenOptions): Promise<Set<string>> {
  const opened = new Set<string>();
  try {
    using _reading = logOpened(opened);
    const { filesRead } = await openStored(path, options);
    return new Set([...opened, ...filesRead].map((file) => realpathSync(file)));
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "aborted") return new Set();
    throw error;
  }
}

/** All sources as one series. */
export async function openSeries(sources: readonly string[], options: OpenOptions): Promise<StoredDataset> {
  const { select = {}, ...others } = options;
  const parts: StoredDataset[] = [];
  for (const source of await listedSources(sources, others)) parts.push(await openStored(source, others));
  const series = selectAt(stacked(parts), select);
  await loadKinds([series.layout]);
  return series;
}
