/**
 * From what the state says of a source to what can be opened. Files live here: an address has only their names.
 *
 * @module
 */

/// <reference lib="dom" />

import type { OpenInput } from "@tilewise/tilewise/formats";
import { pathOf } from "../../src/io/picked_files.ts";
import { MOST_NAMES } from "../state/address.ts";
import type { SourceChoice } from "../state/state.ts";
import type { DrawOptions } from "./samples.ts";

/** Most files that one chooses among: a folder with more is a series or a store. */
const MOST_CHOICES = 200;

/** What can be opened, or what is missing. */
export type Found =
  | { readonly kind: "input"; readonly input: OpenInput; readonly name: string; readonly bytes?: number }
  /** Only the user can give the files again. */
  | { readonly kind: "files"; readonly names: readonly string[] }
  /** There is no such sample. */
  | { readonly kind: "unknown"; readonly name: string };

/** Files that were given together. */
interface Given {
  readonly files: readonly File[];
  /** How many of them, from the first, are opened: all, or those of one of several stores. */
  readonly own: number;
}

/** The sources of this page. */
export class Sources {
  readonly #given = new Map<string, Given>();

  /** @param served what to open for an address on the page's own server, such as all files of a series */
  constructor(readonly served: (url: string) => Promise<string | readonly string[]>) {}

  /**
   * Keeps files, and says how the state names them: several files of one folder by the folder. Of several folders that are
   * stores, which were given side by side, the first is opened; where exactly one has the name that is `asked` for,
   * that one, so that what lies beside it is there again.
   */
  keep(files: readonly File[], asked?: SourceChoice): SourceChoice {
    const paths = files.map(pathOf);
    const units = unitsAmong(paths);
    const [name, ...more] = asked?.kind === "files" ? asked.names : [];
    const [path, ...same] = units.filter((path) => nameAt(path) === name);
    if (name && path && same.length + more.length === 0) return this.#keep([name], ...ownFirst(files, path));
    const folder = files.length > 1 ? folderOf(paths) : undefined;
    if (folder !== undefined) return this.#keep([folder], files, files.length);
    return this.#keep(units.slice(0, MOST_NAMES).map(nameAt), ...ownFirst(files, units[0] ?? ""));
  }

  /** Keeps the files of a source with those at `path`, a file or the folder of a store, first: they are opened. */
  choose(source: SourceChoice, path: string): SourceChoice {
    const [files, own] = this.firstOf(source, path);
    const isOne = own < files.length && folderOf(files.map(pathOf)) !== undefined;
    return isOne ? this.#keep([nameAt(path)], files, own) : this.keep(files);
  }

  #keep(names: readonly string[], files: readonly File[], own: number): SourceChoice {
    this.#given.set(keyOf(names), { files, own });
    return { kind: "files", names };
  }

  #givenOf(source: SourceChoice | undefined): Given | undefined {
    return source?.kind === "files" ? this.#given.get(keyOf(source.names)) : undefined;
  }

  /** Its files, if they are few enough to choose among. */
  filesOf(source: SourceChoice | undefined): readonly File[] {
    const { files = [] } = this.#givenOf(source) ?? {};
    return files.length <= MOST_CHOICES ? files : [];
  }

  /** The paths of what can be chosen among: files, and folders that are stores. */
  pathsOf(source: SourceChoice): readonly string[] {
    const units = unitsAmong((this.#givenOf(source)?.files ?? []).map(pathOf));
    return units.length <= MOST_CHOICES ? units : [];
  }

  /** What can be opened instead of the store that is, if there are several. */
  besideStore(source: SourceChoice | undefined): readonly string[] {
    const { files = [], own = 0 } = this.#givenOf(source) ?? {};
    return own < files.length ? sourcesAmong(unitsAmong(files.slice(own).map(pathOf))) : [];
  }

  /** Its files with those at `path` first, and how many of them are opened: of a file all, as some may belong to it. */
  firstOf(source: SourceChoice, path: string): readonly [files: readonly File[], own: number] {
    return ownFirst(this.#givenOf(source)?.files ?? [], path);
  }

  /** Whether a source can be opened without asking the user for files. */
  has(source: SourceChoice): boolean {
    return source.kind !== "files" || this.#givenOf(source) !== undefined;
  }

  /** Bytes of the only file of a source, if it is known. */
  bytesOf(source: SourceChoice): number | undefined {
    const { files = [] } = this.#givenOf(source) ?? {};
    return files.length === 1 ? files[0]?.size : undefined;
  }

  /** Tells files from others of the same names: how many, their bytes, the latest change; of anything else the address is enough. */
  versionOf(source: SourceChoice | undefined): string {
    const { files = [], own = 0 } = this.#givenOf(source) ?? {};
    let bytes = 0, changed = 0;
    for (const { size, lastModified } of files.slice(0, own)) {
      bytes += size;
      changed = Math.max(changed, lastModified);
    }
    return own === 0 ? "" : [own, bytes, changed].join();
  }

  /** What to open. */
  async find(source: SourceChoice, options: DrawOptions): Promise<Found> {
    if (source.kind === "sample") {
      const { drawSample } = await import("./samples.ts");
      const input = await drawSample(source.name, options);
      return input === undefined
        ? { kind: "unknown", name: source.name }
        : { kind: "input", input, name: source.name };
    }
    if (source.kind === "url") {
      return { kind: "input", input: await this.inputAt(source.url), name: source.url };
    }
    const given = this.#givenOf(source);
    if (!given) return { kind: "files", names: source.names };
    return { kind: "input", input: inputOf(given.files, given.own), name: nameOf(source) };
  }

  /** What to open for an address. */
  async inputAt(url: string): Promise<OpenInput> {
    const found = await this.served(url);
    const absolute = (one: string) => new URL(one, document.baseURI).href;
    return typeof found === "string" ? absolute(found) : found.map(absolute);
  }
}

/** What is opened of files: the first `own`. */
export function inputOf(files: readonly File[], own: number): OpenInput {
  return own === 1 && files.length === 1 ? files[0]! : own < files.length ? files.slice(0, own) : files;
}

/** Files with those at `path` first, and how many are opened: those of a folder, else all. */
function ownFirst(files: readonly File[], path: string): readonly [readonly File[], number] {
  const below = files.filter((file) => pathOf(file).startsWith(`${path}/`));
  const own = below.length > 0 ? below : files.filter((file) => pathOf(file) === path);
  const chosen = new Set(own);
  const all = files[0] === own[0] && own.length === files.length
    ? files
    : [...own, ...files.filter((file) => !chosen.has(file))];
  return [all, below.length > 0 ? own.length : all.length];
}

/** Names that make a folder a store or a table: what is below it is a part of one source. */
const MARKS = /(^|\/)(zarr\.json|\.z(group|array|attrs|metadata)|table\.dat)$/;

/** How folders are called that are stores. */
const STORE = /\.(zarr|zspy)$/i;

/** What is one source by itself: a folder that is a store or a table, with all below it, or a file. */
function unitsAmong(paths: readonly string[]): readonly string[] {
  const stores = new Set(paths.filter((path) => MARKS.test(path)).map(storeOf));
  return [...new Set(paths.map((path) => foldersOf(path).find((folder) => stores.has(folder)) ?? path))];
}

/** The folders that a file is in, the outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, d) => names.slice(0, d + 1).join("/"));
}

/** The store that a document of one is in: the outermost folder that is called like a store, else its own. */
function storeOf(path: string): string {
  return foldersOf(path).find((folder) => STORE.test(folder)) ?? path.replace(/\/?[^/]*$/, "");
}

/**
 * The paths that may be sources by themselves: neither hidden, nor lists and texts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(sourcesAmong(["d/a.tif", "d/b.zarr", "d/list.csv", "d/.DS_Store"]), ["d/a.tif", "d/b.zarr"]);
 * ```
 */
export function sourcesAmong(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !/(^|\/)\.|\.(csv|txt|skymodel|sky|model|reg|json|osm|crtf|md)$/i.test(path));
}

/** What a source is called on the page. */
export function nameOf(source: SourceChoice): string {
  switch (source.kind) {
    case "sample":
      return `Sample ${source.name}`;
    case "url":
      return lastPart(source.url);
    case "files":
      return source.names.length === 1
        ? source.names[0] ?? ""
        : `${source.names[0]} and ${source.names.length - 1} more`;
  }
}

/**
 * The name of what was opened: of files of the user the one that was, or the folder of a store, not what happened to be first
 * in a folder. `opened` is the source of the data set.
 */
export function openedName(source: SourceChoice, opened: string | undefined): string {
  const parts = opened?.split(/[\\/]/) ?? [];
  const isAmong = source.kind === "files" && (source.names.length > 1 || parts.length > 1);
  const name = isAmong &&
    (parts.find((part) => STORE.test(part)) ?? parts.findLast((part) => !/^(\..*|zarr\.json|)$/.test(part)));
  return name || nameOf(source);
}

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function lastPart(url: string): string {
  const path = url.replace(/[?#].*$/, "").replace(/\/+$/, "");
  const part = path.slice(path.lastIndexOf("/") + 1) || url;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The name of the innermost folder that holds all of these paths; nothing, if they have none. */
function folderOf(paths: readonly string[]): string | undefined {
  const [first = [], ...others] = paths.map((path) => path.split("/").slice(0, -1));
  const end = first.findIndex((name, d) => others.some((other) => other[d] !== name));
  return first.slice(0, end < 0 ? first.length : end).at(-1);
}

function keyOf(names: readonly string[]): string {
  return names.join("\0");
}
