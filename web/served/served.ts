/**
 * What the server of this page has to show, if it is `tilewise view`; on other servers there is nothing, and nobody is asked.
 *
 * @module
 */

/// <reference lib="dom" />

import { TilewiseError } from "../../src/errors.ts";

/** A source that the server has. */
export interface ServedSource {
  /** Its name. */
  readonly name: string;
  /** Its address, as it stands in that of the page. */
  readonly url: string;
  /** What to give to `open`: the addresses of all files that belong together, or one address. */
  readonly files: readonly string[];
  /** Options of `open`, as text. */
  readonly options: Readonly<Record<string, string>>;
}

/** A folder: its name, and what the state of the page calls it. */
export interface ServedFolder {
  readonly name: string;
  readonly folder: string;
}

/** What the server has in one place, or a part of it. */
export interface ServedList {
  /** The folders on the way to it, itself at the end; nothing for what was named on the command line. */
  readonly way: readonly ServedFolder[];
  readonly folders: readonly ServedFolder[];
  readonly sources: readonly ServedSource[];
  /** Names in all parts. */
  readonly total: number;
  /** Where the next part begins; absent: this is the last. */
  readonly next?: number;
}

/** Where the list of sources is, and those of folders. */
const LIST = "data/sources.json", BELOW = "data/list/";

/** What an answer has. */
interface Answer {
  readonly folders?: readonly string[];
  readonly sources: readonly ServedSource[];
  readonly total?: number;
  readonly next?: number;
}

let given: Promise<Answer> | undefined;

/** All sources that the server has told of, by address: files of a series are known by its list only. */
const known = new Map<string, ServedSource>();

/**
 * Takes the token out of the address of the page and exchanges it for a cookie that scripts cannot read. To be called before
 * the address is read. Errors: `permission` if the server refuses it, `io` if it does not answer.
 */
export async function enter(): Promise<void> {
  const { token, rest } = withoutToken(location.hash);
  if (token === undefined) return;
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest}`);
  given = ask(LIST, { authorization: `Bearer ${token}` });
  await given;
}

/**
 * What was named on the command line, or a part of a folder among it or below; nothing on a server that is not `tilewise view`.
 * If the command was given one folder and nothing else, it is the place of all.
 */
export async function servedList(folder?: string, from: number = 0): Promise<ServedList> {
  if (!isServed()) return { way: [], folders: [], sources: [], total: 0 };
  const { sources } = await (given ??= ask(LIST));
  const isFolder = ({ files }: ServedSource) => files.length === 0;
  const roots = sources.filter(isFolder).map(({ name, url }): ServedFolder => ({ name, folder: url }));
  const place = folder ?? (roots.length === 1 && sources.length === 1 ? roots[0]!.folder : undefined);
  if (place === undefined) {
    const own = sources.filter((one) => !isFolder(one));
    return { way: [], folders: roots, sources: own, total: sources.length };
  }
  const found = await ask(`${BELOW}${place.split("/").map(encodeURIComponent).join("/")}?from=${from}`);
  const { folders = [], total = 0, next } = found;
  return {
    way: wayTo(place, roots),
    folders: folders.map((name) => ({ name, folder: `${place}/${name}` })),
    sources: found.sources,
    total,
    ...(next === undefined ? {} : { next }),
  };
}

/** The folders from that of the command line down to `place`. */
function wayTo(place: string, roots: readonly ServedFolder[]): ServedFolder[] {
  const [number, ...names] = place.split("/");
  const root = roots.find(({ folder }) => folder === number)?.name ?? "Folder";
  return [root, ...names].map((name, i) => ({ name, folder: [number, ...names.slice(0, i)].join("/") }));
}

/** What to give to `open` for an address: all files of a series that the server has under it; else the address itself. */
export async function servedInput(url: string): Promise<string | readonly string[]> {
  const data = new URL("data/", document.baseURI).href;
  const absolute = new URL(url, document.baseURI).href;
  if (!absolute.startsWith(data) || !isServed()) return url;
  await (given ??= ask(LIST));
  const path = absolute.slice(data.length);
  if (!known.has(absolute)) await ask(`${BELOW}${path.replace(/\/$/, "")}`).catch(() => {}); // it tells what belongs together
  const files = (known.get(absolute)?.files ?? [url]).map((file) => new URL(file, document.baseURI).href);
  return files.length === 1 ? files[0]! : files;
}

/**
 * The token in the fragment of an address, and the fragment without it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutToken("#token=abc&v=1&at=3,5"), { token: "abc", rest: "#v=1&at=3,5" });
 * assertEquals(withoutToken("#v=1"), { token: undefined, rest: "#v=1" });
 * ```
 */
export function withoutToken(hash: string): { readonly token: string | undefined; readonly rest: string } {
  const parts = hash.replace(/^#/, "").split("&").filter((part) => part !== "");
  const token = parts.find((part) => part.startsWith("token="))?.slice("token=".length);
  const rest = parts.filter((part) => !part.startsWith("token=")).join("&");
  return { token, rest: rest === "" ? "" : `#${rest}` };
}

/** Whether the server of this page is `tilewise view`, which says so in the page. */
export function isServed(): boolean {
  return document.querySelector('meta[name="tilewise-served"]') !== null;
}

async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(new URL(path, document.baseURI), { headers, cache: "no-store" })
    .catch((cause) => {
      const text = "Cannot reach tilewise view: is the command still running?";
      throw new TilewiseError("io", text, { file: LIST }, { cause });
    });
  if (response.status === 404) {
    const text = "Cannot show this folder: tilewise view has nothing under this name";
    throw new TilewiseError("not-found", text, { file: path });
  }
  if (!response.ok) {
    const text = "tilewise view refuses this page: open the link that the command has printed";
    throw new TilewiseError("permission", text, { file: LIST, found: response.status });
  }
  const answer: Answer = await response.json();
  for (const source of answer.sources) known.set(new URL(source.url, document.baseURI).href, source);
  return answer;
}
