/**
 * Reads manifests from their store, and puts them there.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { MANIFEST, type PartStore } from "../store/store.ts";
import { canonical, digestOf as digestOfJson } from "./json.ts";
import type { ClusterManifest } from "./manifest.ts";
import type { Data } from "./values.ts";

/**
 * A manifest and its digest, which names the run.
 * @category Cluster
 */
export interface StoredRun {
  /** The manifest. */
  readonly manifest: ClusterManifest;
  /** SHA-256 of its text. */
  readonly digest: string;
}

/** The digest of everything that decides the bits. */
async function digestOf({ command: _, ...rest }: ClusterManifest): Promise<string> {
  return await digestOfJson(rest);
}

/** What is in the store: the manifest, and its own digest, so that an edited one is found. */
interface Stored {
  readonly sha256: string;
  readonly run: ClusterManifest;
}

/**
 * The run of a store. Errors: `not-found` for a store without one, `malformed` for a manifest that was edited or damaged,
 * `unsupported` for one of a later version.
 * @category Cluster
 */
export async function readManifest(store: PartStore): Promise<StoredRun> {
  const bytes = await store.get(MANIFEST);
  if (!bytes) {
    const text =
      `There is no run in ${store.url}: its manifest is missing; plan one with tilewise run … --store`;
    throw new TilewiseError("not-found", text, { file: store.url });
  }
  const { sha256: digest, run } = parsed(bytes, store.url);
  if (run?.manifest !== "tilewise-cluster-1") throw unknown(store.url, String(run?.manifest));
  if (await digestOf(run) !== digest) throw edited(store.url, "its digest is another one");
  return { manifest: run, digest };
}

function parsed(bytes: Uint8Array, url: string): Stored {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Stored;
  } catch (cause) {
    throw edited(url, "it is not JSON", cause);
  }
}

function edited(url: string, why: string, cause?: unknown): TilewiseError {
  const text =
    `The manifest in ${url} was edited or damaged: ${why}. A manifest never changes; plan a new run in ` +
    "a new store";
  return new TilewiseError("malformed", text, { file: url }, defined({ cause }));
}

function unknown(url: string, found: string): TilewiseError {
  const text = `The manifest in ${url} is of the kind ${found}; this Tilewise knows tilewise-cluster-1`;
  return new TilewiseError("unsupported", text, { file: url, found });
}

/**
 * Puts a run into a store: its arrays, then its manifest. All workers that plan the same run may do this at once.
 *
 * Errors: `conflict` if the store has another run; those of the store.
 */
export async function commitManifest(
  store: PartStore,
  manifest: ClusterManifest,
  data: Data,
): Promise<StoredRun> {
  const digest = await digestOf(manifest);
  if (await isThere(store, manifest, digest)) return { manifest, digest };
  for (const [name, bytes] of data) {
    if (!await store.has(`data/${name}`)) await store.commit(`data/${name}`, [bytes]);
  }
  const text = canonical({ sha256: digest, run: manifest });
  try {
    await store.commit(MANIFEST, [new TextEncoder().encode(text)]);
  } catch (error) {
    if (!isTilewiseError(error, "conflict")) throw error;
    await isThere(store, manifest, digest); // another one was faster
  }
  return { manifest, digest };
}

/** Whether the store has this run; an error if it has another. */
async function isThere(store: PartStore, manifest: ClusterManifest, digest: string): Promise<boolean> {
  if (!await store.has(MANIFEST)) return false;
  const there = await readManifest(store);
  if (there.digest === digest) return true;
  const keys = Object.keys(manifest) as (keyof ClusterManifest)[];
  const differs = keys.filter((key) => key !== "command").filter((key) =>
    canonical(manifest[key]) !== canonical(there.manifest[key])
  );
  const text =
    `${store.url} has another run: ${differs.join(", ")} differ. One store holds one run; give this one ` +
    "a store of its own, or call it with the same source, UDFs and options, from the same code";
  throw new TilewiseError("conflict", text, { file: store.url, expected: digest, found: there.digest });
}

/** Reads the bytes of arrays of a manifest. */
export function dataReader(store: PartStore): (digest: string) => Promise<Uint8Array<ArrayBuffer>> {
  return async (digest) => {
    const bytes = await store.get(`data/${digest}`);
    if (bytes && await sha256(bytes) === digest) return bytes;
    const text = bytes
      ? `An array of the manifest in ${store.url} is damaged (data/${digest})`
      : `An array of the manifest is missing in ${store.url} (data/${digest})`;
    throw new TilewiseError(
      bytes ? "malformed" : "not-found",
      `${text}; plan the run again, in a new store`,
      {
        file: `${store.url}/data/${digest}`,
      },
    );
  };
}
