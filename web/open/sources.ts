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

/** The sources of this page. */
export class Sources {
  readonly #files = new Map<string, readonly File[]>();

  /** @param served what to open for an address on the page's own server, such as all files of a series */
  constructor(readonly served: (url: string) => Promise<string | readonly string[]>) {}

  /** Keeps files, and says how the state names them: several files of one folder by the folder. */
  keep(files: readonly File[]): SourceChoice {
    const folder = files.length > 1 ? folderOf(files.map(pathOf)) : undefined;
    const names = folder ? [folder] : files.slice(0, MOST_NAMES).map(({ name }) => name);
    this.#files.set(keyOf(names), files);
    return { kind: "files", names };
  }

  /** Keeps those files of a source that are in a folder at `path`, as a source of their own. */
  keepBelow(source: SourceChoice, path: string): SourceChoice {
    const files = source.kind === "files" ? this.#files.get(keyOf(source.names)) ?? [] : [];
    return this.keep(files.filter((file) => pathOf(file).startsWith(`${path}/`)));
  }

  /** Its files, if they are few enough to choose among. */
  filesOf(source: SourceChoice | undefined): readonly File[] {
    const files = source?.kind === "files" ? this.#files.get(keyOf(source.names)) ?? [] : [];
    return files.length <= MOST_CHOICES ? files : [];
  }

  /** Their paths. */
  pathsOf(source: SourceChoice): readonly string[] {
    return this.filesOf(source).map(pathOf);
  }

  /** Its files with the one at `path` first: it is opened, with those that belong to it. */
  firstOf(source: SourceChoice, path: string): readonly File[] {
    const files = source.kind === "files" ? this.#files.get(keyOf(source.names)) ?? [] : [];
    const isFirst = (file: File) => pathOf(file) === path;
    return [...files.filter(isFirst), ...files.filter((file) => !isFirst(file))];
  }

  /** Whether a source can be opened without asking the user for files. */
  has(source: SourceChoice): boolean {
    return source.kind !== "files" || this.#files.has(keyOf(source.names));
  }

  /** Bytes of the only file of a source, if it is known. */
  bytesOf(source: SourceChoice): number | undefined {
    const files = source.kind === "files" ? this.#files.get(keyOf(source.names)) : undefined;
    return files?.length === 1 ? files[0]?.size : undefined;
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
    const files = this.#files.get(keyOf(source.names));
    if (!files) return { kind: "files", names: source.names };
    const [first] = files;
    return { kind: "input", input: files.length === 1 && first ? first : files, name: nameOf(source) };
  }

  /** What to open for an address. */
  async inputAt(url: string): Promise<OpenInput> {
    const found = await this.served(url);
    const absolute = (one: string) => new URL(one, document.baseURI).href;
    return typeof found === "string" ? absolute(found) : found.map(absolute);
  }
}

/** Names that make a folder a store or a table: what is below it is a part of one source. */
const MARKS = /(^|\/)(zarr\.json|\.z(group|array|attrs|metadata)|table\.dat)$/;

/**
 * The paths that may be sources by themselves: neither parts of a store, nor hidden, nor lists and texts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const paths = ["d/a.tif", "d/b.zarr/.zarray", "d/b.zarr/0.0", "d/list.csv", "d/.DS_Store"];
 * assertEquals(sourcesAmong(paths), ["d/a.tif"]);
 * ```
 */
export function sourcesAmong(paths: readonly string[]): readonly string[] {
  const stores = paths.filter((path) => MARKS.test(path)).map((path) => path.replace(/[^/]*$/, ""));
  return paths.filter((path) =>
    !stores.some((store) => path.startsWith(store)) &&
    !/(^|\/)\.|\.(csv|txt|skymodel|sky|model|reg|json|osm|crtf|md)$/i.test(path)
  );
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
  const name = isAmong && parts.findLast((part) => !/^(\..*|zarr\.json|)$/.test(part));
  return name || nameOf(source);
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
