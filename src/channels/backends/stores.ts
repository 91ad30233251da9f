/**
 * Where the files of a host lie, as plain data that travels to its I/O workers.
 *
 * | store | files | kernel's own worker | I/O workers |
 * |---|---|---|---|
 * | system (default) | of the operating system, below `roots` if there are any | yes | all |
 * | {@link memoryFiles} | in the memory of the context, as long as the host is open | yes | all |
 * | {@link opfsFiles} | private to a page's origin, in browsers | no | one |
 * | {@link httpFiles} | of a server, read only | no | one |
 * | module of a user | what it does | if it says `synchronous` | all |
 *
 * @module
 */

import type { HttpOptions } from "../../io/http/link.ts";
import { parseUrl } from "../../io/http/link.ts";
import { HTTP_OPTIONS } from "../../io/http/options.ts";
import { checkOptionNames, defined, type OptionNames, type OptionRule } from "../../options.ts";
import { must, text, whole } from "../../options/rules.ts";
import { byteCount, bytes, bytesFrom } from "../../space/rules.ts";
import { TilewiseError } from "../../errors.ts";
import { blocksIn } from "./memory_tables.ts";
import type { UserFiles } from "./user.ts";

/**
 * Options of {@link memoryFiles}.
 * @category Channels
 */
export interface MemoryFilesOptions {
  /** Bytes of the context's memory for files and their names; also as text. Default 1 MiB. */
  readonly bytes?: number | string;
  /** Most files and directories; each one takes 1088 bytes. Whole, 1 to 1000000. Default 64. */
  readonly names?: number;
  /** Files that are there when the host starts, by their names. They are copied. */
  readonly contents?: Readonly<Record<string, Uint8Array>>;
}

/**
 * Options of {@link opfsFiles}.
 * @category Channels
 */
export interface OpfsFilesOptions {
  /** The folder below which names are resolved, made if it is missing. Default: the root. */
  readonly folder?: string;
}

/**
 * Options of {@link httpFiles}: those of sources over HTTP that can travel to a worker, and the size of its cache.
 * @category Channels
 */
export interface HttpFilesOptions extends Omit<HttpOptions, "fetch" | "allow"> {
  /** Bytes of the context's memory for blocks that were read; also as text. Default 4 MiB. */
  readonly cacheBytes?: number | string;
  /** Bytes that are asked for at once when fewer are read; also as text. Default 64 KiB. */
  readonly blockBytes?: number | string;
}

/**
 * Files of the operating system.
 * @category Channels
 */
export interface SystemStore {
  /** Says which kind of store this is. */
  readonly kind: "system";
}

/**
 * Files in the memory of a context.
 * @category Channels
 */
export interface MemoryStore {
  /** Says which kind of store this is. */
  readonly kind: "memory";
  /** All its bytes. */
  readonly bytes: number;
  /** Most files and directories. */
  readonly names: number;
  /** Files that are there when the host starts. */
  readonly contents?: Readonly<Record<string, Uint8Array>>;
}

/**
 * Private files of a page's origin.
 * @category Channels
 */
export interface OpfsStore {
  /** Says which kind of store this is. */
  readonly kind: "opfs";
  /** The folder below which names are resolved. */
  readonly folder: string;
}

/**
 * Files of a server.
 * @category Channels
 */
export interface HttpStore {
  /** Says which kind of store this is. */
  readonly kind: "http";
  /** The URL below which names are resolved. */
  readonly url: string;
  /** Bytes of the cache. */
  readonly cacheBytes: number;
  /** Bytes of a block. */
  readonly blockBytes: number;
  /** Options of requests. */
  readonly request: Omit<HttpOptions, "fetch" | "allow">;
}

/**
 * Where the files of a host lie: plain data.
 * @category Channels
 */
export type FileStore = SystemStore | MemoryStore | OpfsStore | HttpStore | UserFiles;

const MEMORY_OPTIONS: OptionNames<MemoryFilesOptions> = {
  bytes,
  names: whole(1, 1e6),
  contents: must("an object of Uint8Array by the names of files", (value) => {
    return typeof value === "object" && value !== null &&
      Object.values(value).every((one) => one instanceof Uint8Array);
  }),
};

const OPFS_OPTIONS: OptionNames<OpfsFilesOptions> = { folder: text };

const { fetch: _fetch, allow: _allow, ...REQUEST_OPTIONS } = HTTP_OPTIONS;

// deno-fmt-ignore: written by `deno task build`
const HTTP_FILES_OPTIONS: OptionNames<HttpFilesOptions> = {
  ...REQUEST_OPTIONS, cacheBytes: bytes, blockBytes: bytesFrom(512),
};

/** The files of the operating system. */
export const SYSTEM_FILES: SystemStore = { kind: "system" };

/**
 * Files in the memory of the context, for {@link startHost}: kernels on all threads see the same ones, and no other program
 * does. They are gone when the host is closed. A write that finds no room is short, then fails with the status `no-space`.
 *
 * @param options bytes of the files, and what they have at the start
 * @returns the files, for `startHost`
 *
 * @example
 * ```ts
 * import { memoryFiles } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * const store = memoryFiles({ bytes: "256KiB", contents: { "positions.bin": new Uint8Array(800) } });
 * assertEquals([store.kind, store.bytes], ["memory", 262144]);
 * ```
 * @category Channels
 */
export function memoryFiles(options: MemoryFilesOptions = {}): MemoryStore {
  checkOptionNames("memoryFiles()", options, MEMORY_OPTIONS);
  const names = options.names ?? 64;
  const all = byteCount("memoryFiles()", "bytes", options.bytes ?? 2 ** 20);
  const { contents } = options;
  if (blocksIn({ bytes: all, names }) < 1) {
    const text =
      `memoryFiles(): ${all} bytes are too few for ${names} names; give it more bytes, or fewer names`;
    throw new TilewiseError("invalid", text, { option: "bytes", found: all });
  }
  return { kind: "memory", bytes: Math.floor(all / 64) * 64, names, ...defined({ contents }) };
}

/**
 * Private files of a page's origin (OPFS), for {@link startHost} in a browser. A file that another page or worker has open
 * cannot be opened: its status is `busy`.
 *
 * @example
 * ```ts
 * import { opfsFiles } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(opfsFiles({ folder: "scans" }), { kind: "opfs", folder: "scans" });
 * ```
 * @category Channels
 */
export function opfsFiles(options: OpfsFilesOptions = {}): OpfsStore {
  checkOptionNames("opfsFiles()", options, OPFS_OPTIONS);
  return { kind: "opfs", folder: options.folder ?? "" };
}

/**
 * Files of a server below `url`, for {@link startHost}: read only, by range requests. Reads of at most a block go through a cache
 * of blocks; larger ones ask for exactly their bytes. A file that changes while it is open is an error (`changed`).
 *
 * @example
 * ```ts
 * import { httpFiles } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(httpFiles("https://example.org/scans", { cacheBytes: "1MiB" }).blockBytes, 65536);
 * ```
 * @category Channels
 */
export function httpFiles(url: URL | string, options: HttpFilesOptions = {}): HttpStore {
  checkOptionNames("httpFiles()", options, HTTP_FILES_OPTIONS);
  const { cacheBytes = 4 * 2 ** 20, blockBytes = 65536, ...request } = options;
  const { href, search, hash } = parseUrl(url);
  if (search !== "" || hash !== "") {
    const text = `httpFiles(): names are put behind the URL, so it can have no "${search}${hash}"`;
    throw new TilewiseError("invalid", text, { found: href });
  }
  const cache = byteCount("httpFiles()", "cacheBytes", cacheBytes);
  const block = byteCount("httpFiles()", "blockBytes", blockBytes, 512);
  if (block > cache) {
    const text = `httpFiles(): a cache of ${cache} bytes has no room for a block of ${block}`;
    throw new TilewiseError("invalid", text, { option: "cacheBytes", found: cache, expected: block });
  }
  return { kind: "http", url: href, cacheBytes: cache, blockBytes: block, request };
}

/** The rule for the option `roots`. */
export const folders: OptionRule<readonly string[]> = must(
  "a list of at least one path of a folder",
  (value) => {
    return Array.isArray(value) && value.length > 0 &&
      value.every((one) => typeof one === "string" && one !== "");
  },
);

/** The rule for the option `backEnd`. */
export const storeRule: OptionRule<FileStore> = must(
  "memoryFiles(), opfsFiles(), httpFiles(url), or { module, export, shared } of a back end of yours",
  (value) => {
    const { kind, module, export: name } = (value ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof kind === "string") return ["system", "memory", "opfs", "http"].includes(kind);
    return typeof module === "string" && typeof name === "string";
  },
);
