/**
 * The sources of the command line as what a server has: under which names, and which files belong together.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import { frameSources } from "../../dataset/sources.ts";
import { isTilewiseError } from "../../errors.ts";
import { extensionOf } from "../../io/file/names.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { openStoreOr } from "../../formats/common/store_input.ts";
import { openAllStored } from "../../formats/open.ts";
import { FORMATS } from "../../formats/registry.ts";
import { listEntries } from "../../io/file/folder.ts";
import { openSource } from "../../io/open.ts";
import { ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { type Contents, FileContents, SourceContents } from "./contents.ts";
import { openInside, pathIn } from "./roots.ts";

/** What the server has of one source. */
export interface Served {
  /** What the user called it, without its folder. */
  readonly name: string;
  /** Names of the files to open, the first is the source itself; a name with a slash at its end is that of a store. */
  readonly files: readonly string[];
  /** What is under a name; `undefined`: nothing. */
  contents(key: string, signal: AbortSignal): Promise<Contents | undefined>;
}

/** Most files of a folder that are looked at. */
const MOST_FILES = 200;

/**
 * What a source of the command line is. A source that cannot be understood yet is served all the same: the page asks for what
 * is missing. Errors: those of files that are not there or may not be read.
 */
export async function servedSources(source: string, options: OpenOptions): Promise<Served[]> {
  const { store, spec } = await lookAt(source, options) ?? {};
  if (spec === undefined || (store?.kind === "folder" && isAround(store))) {
    return await filesOf(source, options);
  }
  if (store?.kind === "folder") return [await servedFolder(store.path, options.root)];
  if (store?.kind === "web") {
    return [storeOf(baseName(source), async (key, signal) => {
      const found = await store.store.open(key, signal);
      return found && new SourceContents(found);
    })];
  }
  return [await servedFiles(source, spec, options)];
}

/** Whether a folder is not a store itself, but has one in it, perhaps beside other sources. */
function isAround({ path, mark }: { readonly path: string; readonly mark: string }): boolean {
  return mark.includes("/") && !isStoreName(path);
}

function isStoreName(name: string): boolean {
  return /\.(zarr|zspy)$/i.test(name);
}

/** What is at `source`: a store, or something with bytes; `undefined` for a folder that is neither. */
async function lookAt(source: string, options: OpenOptions) {
  try {
    const { source: opened, store } = await openStoreOr(source, options);
    await using _ = opened;
    return { store, spec: opened.describe() };
  } catch (error) {
    if (isTilewiseError(error, "not-a-file") && error.details.found === "a directory") return undefined;
    throw error;
  }
}

/** A folder that is a store: all files below it. */
async function servedFolder(path: string, root?: string): Promise<Served> {
  const real = await realpath(path);
  const roots = [real, ...(root === undefined ? [] : [await realpath(root)])];
  return storeOf(baseName(real), async (key) => {
    const file = await openInside(pathIn(real, key), roots);
    return file && new FileContents(file);
  });
}

/** A store: its entries are below its name. */
function storeOf(name: string, entry: Served["contents"]): Served {
  const home = `${name}/`;
  return {
    name,
    files: [home],
    contents: (key, signal) =>
      key.startsWith(home) ? entry(key.slice(home.length), signal) : Promise.resolve(undefined),
  };
}

/** A file, and those that belong to it. */
async function servedFiles(source: string, spec: SourceSpec, options: OpenOptions): Promise<Served> {
  const specs = [...ownSpecs(spec), ...await relatedTo(source, options)];
  const known = new Map<string, () => Promise<Contents | undefined>>();
  for (const one of specs) {
    const name = baseName(one.kind === "file" ? one.path : one.kind === "http" ? one.url : "");
    if (name !== "" && !known.has(name)) known.set(name, await opener(one));
  }
  return {
    name: baseName(source),
    files: [...known.keys()],
    contents: async (key) => await known.get(key)?.(),
  };
}

/** Opens what `spec` describes, as it is then. */
async function opener(spec: SourceSpec): Promise<() => Promise<Contents | undefined>> {
  if (spec.kind === "http") return async () => new SourceContents(await openSource(spec.url));
  const real = await realpath(spec.kind === "file" ? spec.path : "");
  return async () => {
    const file = await openInside(real, [real]);
    return file && new FileContents(file);
  };
}

/** The files that a source turns out to have, if it can be opened as it is. */
async function relatedTo(source: string, options: OpenOptions): Promise<SourceSpec[]> {
  try {
    const arrays = await openAllStored(source, options);
    const specs = arrays.flatMap(({ layout, beside }) => [...frameSources(layout), ...beside]).flatMap(
      ownSpecs,
    );
    const paths = arrays.flatMap(({ filesRead }) => filesRead);
    return [...specs, ...paths.map((path): SourceSpec => ({ kind: "file", path, size: 0 }))];
  } catch (error) {
    if (!isTilewiseError(error) || error.code === "aborted") throw error;
    return [];
  }
}

/** The sources in a folder: all files that are called like those that can be read, and stores. */
async function filesOf(folder: string, options: OpenOptions): Promise<Served[]> {
  const endings = FORMATS.flatMap(({ extensions }) => extensions);
  const found = listEntries(folder).filter(({ name, isFolder }) =>
    isFolder ? isStoreName(name) : endings.includes(extensionOf(name))
  );
  const served: Served[] = [];
  for (const { name } of found.slice(0, MOST_FILES)) {
    if (served.some(({ files }) => files.includes(name))) continue; // a file of a series
    served.push(...await servedSources(`${folder.replace(/[/\\]+$/, "")}/${name}`, options).catch(() => []));
  }
  if (served.length > 0) return served;
  await openAllStored(folder, options); // which says what the folder is
  return [];
}

/** The last name of a path or URL. */
function baseName(place: string): string {
  const isUrl = /^https?:\/\//i.test(place);
  const path = (isUrl ? place.replace(/[?#].*$/, "") : place).replace(/[/\\]+$/, "");
  const name = path.replace(/^.*[/\\]/, "");
  try {
    return isUrl ? decodeURIComponent(name) : name;
  } catch {
    return name; // a lone %
  }
}
