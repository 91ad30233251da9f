/**
 * Inputs that are stores of many entries: a folder, a URL that entries are below, the files of a folder as a list.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError } from "../../errors.ts";
import { openSource, type SourceInput, webUrl } from "../../io/open.ts";
import { BytesSource } from "../../io/source/bytes.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { WebStore } from "../../io/store/web.ts";
import type { OpenOptions } from "./options.ts";

/** Files whose presence makes a folder a Zarr store; the first that is found counts. */
export const MARKS: readonly string[] = ["zarr.json", ".zgroup", ".zarray", ".zmetadata", ".zattrs"];

/** The file that makes a folder a table of casacore: it is opened instead of the folder. */
export const TABLE = "table.dat";

/** What all inputs that are stores have. */
interface Marked {
  /** Path or URL, as the user gave it. */
  readonly name: string;
  /** Which file showed that it is a store. */
  readonly mark: string;
}

/** A folder. */
interface FolderInput extends Marked {
  /** Says which kind of store this is. */
  readonly kind: "folder";
  /** Its path. */
  readonly path: string;
  /** When it was opened, in milliseconds. */
  readonly since: number;
  /** Further folder that links may lead to. */
  readonly root?: string;
}

/** URLs with a common beginning. */
interface WebInput extends Marked {
  /** Says which kind of store this is. */
  readonly kind: "web";
  /** The store. */
  readonly store: WebStore;
}

/** Files of a folder, given as a list. */
interface ListInput extends Marked {
  /** Says which kind of store this is. */
  readonly kind: "list";
}

/** An input that is a store. */
export type StoreInput = FolderInput | WebInput | ListInput;

/** An opened source, and the store if it is the mark of one. */
export interface Opened {
  /** What was opened. */
  readonly source: ByteSource;
  /** The store. */
  readonly store?: StoreInput;
}

/** Most bytes of the document of a store on a server. */
const MOST_BYTES = 64 * 2 ** 20;

/** Opens `input`, which may be a store. Errors: those of {@link openSource}. */
export async function openStoreOr(input: SourceInput, options: OpenOptions): Promise<Opened> {
  const url = webUrl(input);
  if (url && looksLikeStore(url)) {
    const found = await onServer(url, options);
    if (found) return found;
  }
  try {
    const source = await openSource(input, options);
    const own = besideMark(source, options);
    return own ? { source, store: own } : { source };
  } catch (error) {
    const isMissing = isTilewiseError(error, "not-found") || isTilewiseError(error, "permission");
    const store = isTilewiseError(error, "not-a-file") && error.details.found === "a directory"
      ? await inFolder(error.details.file!, options)
      : url && isMissing && !looksLikeStore(url) && !looksLikeFile(url)
      ? await onServer(url, options).catch(() => undefined)
      : undefined;
    if (store) return store;
    throw error;
  }
}

/** The list of files with one of the marks, if there is one. */
export function listStore(given: readonly ByteSource[]): ListInput | undefined {
  const names = given.map(({ name }) => name.replace(/^.*[/\\]/, ""));
  const mark = MARKS.find((one) => names.includes(one));
  return mark === undefined ? undefined : { kind: "list", name: given[0]!.name, mark };
}

/** The folder of a document that was given itself. */
function besideMark(source: ByteSource, options: OpenOptions): StoreInput | undefined {
  const spec = source.describe();
  const [, folder, mark] = /^(.*?)([^/\\]*)$/.exec(spec.kind === "file" ? spec.path : "") ?? [];
  if (spec.kind !== "file" || !MARKS.includes(mark!)) return undefined;
  return folderInput(folder!.replace(/[/\\]$/, "") || ".", folder!, mark!, options);
}

/** How folders that are stores are called. */
export const STORE_NAMES = /\.(zarr|zspy)$/i;

/** The folder at `path`, if it is a store, or has one in a folder in it. */
async function inFolder(path: string, options: OpenOptions): Promise<Opened | undefined> {
  const plain = path.replace(/[/\\]+$/, "") || path;
  const store = (mark: string) => folderInput(plain, path, mark, options);
  const table = await openIfThere(`${plain}/${TABLE}`);
  if (table) return { source: table };
  for (const mark of MARKS) {
    const source = await openIfThere(`${plain}/${mark}`);
    if (source) return { source, store: store(mark) };
  }
  const { listEntries } = await import("../../io/file/folder.ts");
  for (const { name, isFolder } of listEntries(plain)) {
    if (!isFolder || !(STORE_NAMES.test(name) || STORE_NAMES.test(plain))) continue;
    for (const mark of MARKS) {
      const source = await openIfThere(`${plain}/${name}/${mark}`);
      if (source) return { source, store: store(`${name}/${mark}`) };
    }
  }
  return undefined;
}

function folderInput(path: string, name: string, mark: string, { root }: OpenOptions): FolderInput {
  return { kind: "folder", name, path, mark, since: Date.now(), ...defined({ root }) };
}

async function openIfThere(path: string): Promise<ByteSource | undefined> {
  try {
    return await openSource(path);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}

function looksLikeStore({ pathname }: URL): boolean {
  return /(\/|\.zarr|\.zspy)$/i.test(pathname) || MARKS.includes(pathname.replace(/^.*\//, ""));
}

/** Whether the last name of a URL has an ending: nothing else is looked for where there is no such file. */
function looksLikeFile({ pathname }: URL): boolean {
  return /\.[a-z0-9]{1,5}$/i.test(pathname);
}

/** The store at `url`, or at the URL of its document. */
async function onServer(url: URL, { http, signal }: OpenOptions): Promise<Opened | undefined> {
  const base = new URL(url);
  const last = base.pathname.replace(/^.*\//, "");
  if (MARKS.includes(last)) base.pathname = base.pathname.slice(0, -last.length);
  const { WebStore } = await import("../../io/store/web.ts");
  const store = new WebStore({ kind: "web", url: base.href }, http);
  for (const mark of MARKS) {
    const found = await store.get(mark, MOST_BYTES, signal);
    if (!found || !isDocument(found.bytes)) continue;
    const source = new BytesSource(found.bytes, store.name);
    return { source, store: { kind: "web", name: url.href, mark, store } };
  }
  return undefined;
}

/** Whether bytes may be JSON: some servers answer with a page for everything. */
function isDocument(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.slice(0, 64)).trimStart().startsWith("{");
}
