/**
 * Stores: bytes by keys, as in a folder or below a URL; entries may be missing.
 *
 * @module
 */

import { cannot, type TilewiseError } from "../../errors.ts";
import type { HttpTimeouts, RetryOptions } from "../source/watch.ts";
import type { ByteSource, SourceSpec } from "../source/source.ts";

/**
 * A folder as a store; keys are paths below it.
 * @category Data sets
 */
export interface FolderStoreSpec {
  /** Says which kind of store this is. */
  readonly kind: "folder";
  /** Path of the folder. */
  readonly path: string;
  /** Further folder below which entries may lie, if links lead there. */
  readonly root?: string;
  /** When it was opened, in milliseconds: entries that were touched later have changed. */
  readonly since: number;
}

/**
 * URLs with a common beginning as a store.
 * @category Data sets
 */
export interface WebStoreSpec {
  /** Says which kind of store this is. */
  readonly kind: "web";
  /** Where it is; ends with a slash, query strings are sent with every request. */
  readonly url: string;
  /** Headers to send along. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long an answer may take, if the caller has set this. */
  readonly timeouts?: HttpTimeouts;
  /** How often to try again, if the caller has set this. */
  readonly retry?: Omit<RetryOptions, "random">;
  /** When it was opened, by the clock of the server, in milliseconds: entries that were changed later have changed. */
  readonly since?: number;
}

/**
 * How to open a store again, as data that `postMessage` can carry.
 * @category Data sets
 */
export type StoreSpec = FolderStoreSpec | WebStoreSpec;

/** What is below a key. */
export interface Listed {
  /** The part of its key after the last slash. */
  readonly name: string;
  /** Whether further keys begin with it. */
  readonly isFolder: boolean;
}

/** The bytes of an entry, and where they come from. */
export interface Entry {
  /** All bytes. */
  readonly bytes: Uint8Array;
  /** The file, archive or URL. */
  readonly source: SourceSpec;
}

/** Bytes by keys. */
export interface Store {
  /** Path or URL, for messages. */
  readonly name: string;
  /** An entry; `undefined`: there is none. Errors: `malformed` if it has more than `most` bytes. */
  get(key: string, most: number, signal?: AbortSignal): Promise<Entry | undefined>;
  /** Whether there is an entry. */
  has(key: string, signal?: AbortSignal): Promise<boolean>;
  /** What is directly below a key without its slash; absent where this is unknown. */
  list?(folder: string): Promise<readonly Listed[]>;
}

/** A store as readers of chunks use it. */
export interface ChunkStore extends AsyncDisposable {
  /** Path or URL, for messages. */
  readonly name: string;
  /**
   * Copies an entry to the start of `into`, synchronously where the store can; the number of bytes, −1 if there is no entry.
   * Errors: `malformed` if there is no room.
   */
  fill(key: string, into: Uint8Array, signal?: AbortSignal): number | Promise<number>;
  /** An entry for reads of ranges; `undefined`: there is none. */
  open(key: string, signal?: AbortSignal): Promise<ByteSource | undefined>;
  /** Throws `changed` when an entry that was read, or was missing, has changed since the store was opened. */
  recheck(): void;
}

/**
 * Whether `key` stays inside of any store: names between slashes, none of them empty or leading elsewhere. Keys follow the name
 * of a store and a slash, so a colon leads nowhere.
 */
export function isKey(key: string): boolean {
  return !/[\\\0]/.test(key) && key.split("/").every((part) => !["", ".", ".."].includes(part));
}

/** The error for a key that leaves its store. */
export function keyError(store: string, key: string): TilewiseError {
  const text = `the key ${JSON.stringify(key)} in it leads out of the store`;
  return cannot("read", store, "malformed", text, { found: key });
}

/** The error for an entry with too many bytes. */
export function tooLarge(file: string, expected: number, found: number | "more"): TilewiseError {
  const text = `it has ${found === "more" ? "more" : `${found} bytes, more`} than the ` +
    `${expected} bytes that it may have`;
  return cannot("read", file, "malformed", text, { expected, found });
}
