/**
 * A folder that is browsed: its folders and sources, in parts, and what is served of them. A folder that is a data set is a source.
 * Nothing outside of it is looked at, wherever links lead, and no hidden name.
 *
 * @module
 */

import { access, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { MARKS, STORE_NAMES, TABLE } from "../../formats/common/store_input.ts";
import { FORMATS } from "../../formats/registry.ts";
import { listEntries } from "../../io/file/folder.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";
import type { Contents, FolderPart, FolderSource, Served, ServedFolder } from "./contents.ts";
import { isBelow } from "./roots.ts";

/** Looks at a source, of whose files only those below `roots` are served; `undefined`: there is none. */
type LookAt = (path: string, roots: readonly string[]) => Promise<Served | undefined>;

/** Most names of a part: of each source a few bytes are read. */
const MOST = 100;

/** What a path in the folder leads to. */
type Found =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "source"; readonly key: string; readonly path: string; readonly rest: string };

const ORDER = new Intl.Collator("en", { numeric: true });

/** Names as people sort them: 2 before 10, and `scan.hdr`, which names its files, before `scan_000.mib`. */
function compare(a: string, b: string): number {
  return ORDER.compare(stemOf(a), stemOf(b)) || ORDER.compare(a, b);
}

const ENDINGS = new Set(FORMATS.flatMap(({ extensions }) => extensions));

/** A folder that is browsed. */
export class BrowsedFolder implements ServedFolder {
  readonly #known = new Map<string, Promise<Served | undefined>>();

  /** The folder whose real path is the first of `roots`; links may lead below the others as well. */
  constructor(readonly roots: readonly string[], readonly look: LookAt) {}

  /** A part of a folder, from that name on; of a source, the source alone; `undefined`: there is neither. */
  async list(key: string, from: number): Promise<FolderPart | undefined> {
    const place = await this.#placeOf(key);
    if (place?.kind === "folder") return await this.#part(key, place.path, from);
    const served = place && await this.#lookAt(place.key, place.path, false);
    return served && { folders: [], sources: [{ key: place.key, served }], total: 1 };
  }

  /** What is under the key of a source and that of one of its files. */
  async contents(key: string, signal: AbortSignal): Promise<Contents | undefined> {
    const place = await this.#placeOf(key);
    if (place?.kind !== "source" || place.rest === "") return undefined;
    return await (await this.#lookAt(place.key, place.path, false))?.contents(place.rest, signal);
  }

  async #part(key: string, path: string, from: number): Promise<FolderPart> {
    const names = listEntries(path).filter(({ name, isFolder }) => isShown(name, isFolder))
      .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || compare(a.name, b.name));
    const folders: string[] = [];
    const sources: FolderSource[] = [];
    let next = from;
    while (next < names.length && folders.length + sources.length < MOST) {
      const { name, isFolder } = names[next++]!;
      const below = key === "" ? name : `${key}/${name}`;
      if (sources.some(({ served }) => served.files.includes(name))) continue; // a file of a series
      const real = await this.#inside(join(path, name));
      if (real === undefined) continue;
      if (isFolder && !await isDataset(real)) folders.push(name);
      else {
        const served = await this.#lookAt(below, join(path, name), true);
        if (served) sources.push({ key: below, served });
      }
    }
    return { folders, sources, total: names.length, ...(next < names.length ? { next } : {}) };
  }

  /** Goes down the names of a key until one is a source. */
  async #placeOf(key: string): Promise<Found | undefined> {
    const names = key === "" ? [] : key.split("/");
    let path = this.roots[0]!;
    for (const [i, name] of names.entries()) {
      path = join(path, name);
      const real = isHidden(name) ? undefined : await this.#inside(path);
      if (real === undefined) return undefined;
      const isFolder = (await stat(real)).isDirectory();
      if (isFolder && !await isDataset(real)) continue;
      if (!isShown(name, isFolder)) return undefined;
      return {
        kind: "source",
        key: names.slice(0, i + 1).join("/"),
        path,
        rest: names.slice(i + 1).join("/"),
      };
    }
    return { kind: "folder", path };
  }

  /** The real path, if it is below the roots and nothing on the way to it is hidden. */
  async #inside(path: string): Promise<string | undefined> {
    const real = await realpath(path).catch(() => undefined);
    const root = real === undefined ? undefined : this.roots.find((one) => isBelow(real, [one]));
    return root === undefined || relative(root, real!).split(sep).some(isHidden) ? undefined : real;
  }

  /** Looks at a source: once, unless it is listed again. */
  #lookAt(key: string, path: string, isNew: boolean): Promise<Served | undefined> {
    const known = isNew ? undefined : this.#known.get(key);
    if (known) return known;
    const looked = this.look(path, this.roots).catch(() => undefined); // others are shown all the same
    this.#known.set(key, looked);
    return looked;
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** Whether a name is listed: folders, and files that are called like those that are read. */
function isShown(name: string, isFolder: boolean): boolean {
  return !isHidden(name) && (isFolder || ENDINGS.has(extensionOf(name)));
}

/** Whether a folder is a data set: called like a store, or with the mark of a store or of a table in it. */
async function isDataset(folder: string): Promise<boolean> {
  if (STORE_NAMES.test(folder)) return true;
  const marks = [TABLE, ...MARKS].map((mark) => access(join(folder, mark)).then(() => true, () => false));
  return (await Promise.all(marks)).includes(true);
}
