/**
 * The store behind the input of the format: a folder, URLs, files of a list, or an archive.
 *
 * @module
 */

import { type KnownStore, ListStore, noStore, ZipStore } from "../../io/store/entries.ts";
import { isKey, keyError } from "../../io/store/store.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenedStore } from "./layout.ts";
import { MARKS } from "../common/store_input.ts";
import { severalStores, storeRoots } from "../common/store_roots.ts";
import { isZip } from "../common/zip_names.ts";

/** The store of `input`. */
export async function storeOf(input: FormatInput, signal?: AbortSignal): Promise<OpenedStore> {
  const { source, store } = input;
  if (isZip(input.head) && !store) return known(await ZipStore.open(source, MARKS, signal));
  if (!store) throw noStore(source.name);
  if (store.kind === "list") return known(listOf(input));
  if (store.kind === "web") return { store: store.store, keyed: store.store.describe() };
  const { FolderStore } = await import("../../io/store/folder.ts");
  const spec = {
    kind: "folder",
    path: store.path,
    since: store.since,
    ...(store.root === undefined ? {} : { root: store.root }),
  } as const;
  return { store: new FolderStore(spec), keyed: spec };
}

function known(store: KnownStore): OpenedStore {
  return { store, known: store };
}

/** The files of a list by their keys: what follows the folder of the store. Errors: `not-a-file` if there are several. */
function listOf({ given }: FormatInput): ListStore {
  const names = given.map(({ name }) => name.replaceAll("\\", "/"));
  const stores = storeRoots(names);
  if (stores.length > 1) throw severalStores("the list of files", stores);
  const folder = stores[0] === "" ? "" : `${stores[0]}/`;
  const files = new Map<string, (typeof given)[number]>();
  names.forEach((name, i) => {
    if (!name.startsWith(folder)) return;
    const key = name.slice(folder.length);
    if (!isKey(key)) throw keyError(folder, key);
    files.set(key, given[i]!);
  });
  return new ListStore(folder.replace(/\/$/, "") || "the list of files", files);
}
