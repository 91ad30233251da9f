/**
 * The sources of the command line as what a server has: under which names, and which files belong together.
 *
 * @module
 */

import { realpath } from "node:fs/promises";
import { frameSources } from "../../dataset/sources.ts";
import { isTilewiseError } from "../../errors.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { openStoreOr, STORE_NAMES } from "../../formats/common/store_input.ts";
import { openAllStored } from "../../formats/open.ts";
import { openSource } from "../../io/open.ts";
import { ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { type Contents, FileContents, type Served, SourceContents } from "./contents.ts";
import { BrowsedFolder } from "./folder.ts";
import { isBelow, openInside, pathIn } from "./roots.ts";

/**
 * What a source of the command line is. A source that cannot be understood yet is served all the same: the page asks for what
 * is missing; a folder without a data set of its own is browsed. Errors: those of files that are not there or may not be read.
 */
export async function servedSource(source: string, options: OpenOptions): Promise<Served> {
  return await servedAt(source, options) ?? await servedFolder(source, options);
}

/** A source, with no other files than those below `roots`, if they are given; `undefined`: a folder to browse. */
async function servedAt(
  source: string,
  options: OpenOptions,
  roots?: readonly string[],
): Promise<Served | undefined> {
  const { store, spec } = await lookAt(source, options) ?? {};
  if (spec === undefined || (store?.kind === "folder" && isAround(store))) return undefined;
  if (store?.kind === "folder") return await servedStore(store.path, options.root);
  if (store?.kind === "web") {
    return storeOf(baseName(source), async (key, signal) => {
      const found = await store.store.open(key, signal);
      return found && new SourceContents(found);
    });
  }
  return await servedFiles(source, spec, options, roots);
}

/** A folder that is browsed. */
async function servedFolder(source: string, options: OpenOptions): Promise<Served> {
  const { root } = options;
  const roots = await Promise.all(
    [source, ...(root === undefined ? [] : [root])].map((one) => realpath(one)),
  );
  const folder = new BrowsedFolder(roots, (path, within) => servedAt(path, options, within));
  const { total } = (await folder.list("", 0))!;
  if (total === 0) await openAllStored(source, options); // which says what the folder is
  return {
    name: baseName(roots[0]!),
    files: [],
    contents: (key, signal) => folder.contents(key, signal),
    folder,
  };
}

/** Whether a folder is not a store itself, but has one in it, perhaps beside other sources. */
function isAround({ path, mark }: { readonly path: string; readonly mark: string }): boolean {
  return mark.includes("/") && !STORE_NAMES.test(path);
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
async function servedStore(path: string, root?: string): Promise<Served> {
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
async function servedFiles(
  source: string,
  spec: SourceSpec,
  options: OpenOptions,
  roots?: readonly string[],
): Promise<Served> {
  const specs = [...ownSpecs(spec), ...await relatedTo(source, options)];
  const known = new Map<string, () => Promise<Contents | undefined>>();
  for (const one of specs) {
    const name = baseName(one.kind === "file" ? one.path : one.kind === "http" ? one.url : "");
    const open = name === "" || known.has(name) ? undefined : await opener(one, roots);
    if (open) known.set(name, open);
  }
  return {
    name: baseName(source),
    files: [...known.keys()],
    contents: async (key) => await known.get(key)?.(),
  };
}

/** Opens what `spec` describes, as it is then; `undefined` for a file that is not below `roots`. */
async function opener(
  spec: SourceSpec,
  roots?: readonly string[],
): Promise<(() => Promise<Contents | undefined>) | undefined> {
  if (spec.kind === "http") return async () => new SourceContents(await openSource(spec.url));
  const real = await realpath(spec.kind === "file" ? spec.path : "");
  if (roots && !isBelow(real, roots)) return undefined;
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
