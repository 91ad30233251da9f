/**
 * Opens byte sources: from what a user has, and again from a description on another thread.
 *
 * @module
 */

import { defined } from "../options.ts";
import { parseUrl } from "../portable.ts";
import { cannot, throwIfAborted, TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";
import { BlobSource } from "./source/blob.ts";
import { BytesSource } from "./source/bytes.ts";
import type { HttpOptions } from "./http/link.ts";
import { type FileHandle, fileOf, isFileHandle } from "./picked.ts";
import type { ByteSource, SourceSpec, UnpackedSpec } from "./source/source.ts";

/**
 * What a source can be opened from.
 * @category Data sets
 */
export type SourceInput = string | URL | Blob | Uint8Array | ArrayBufferLike | FileHandle;

/** Options of {@link openSource}. */
interface SourceOptions {
  /** Takes the place of the input's own name in messages; bytes and blobs only. */
  readonly name?: string;
  /** How to talk to HTTP servers. */
  readonly http?: HttpOptions;
  /** Cancels the opening. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a path, a `file:` or `http(s):` URL, a `Blob` or `File`, the handle of a file, or bytes. A string with `http://`, `https://` or
 * `file://` in front is a URL, any other a path; in a page without a file system it is relative to the page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readBytes } from "./source/source.ts";
 * await using source = await openSource(new Uint8Array([1, 2, 3]));
 * assertEquals(await readBytes(source, 1, 2), new Uint8Array([2, 3]));
 * ```
 */
export async function openSource(input: SourceInput, options: SourceOptions = {}): Promise<ByteSource> {
  throwIfAborted(options.signal);
  if (typeof input === "string" || input instanceof URL) return await openNamed(input, options);
  if (input instanceof Blob) return new BlobSource(input, options.name);
  if (isFileHandle(input)) return new BlobSource(await fileOf(input), options.name);
  const bytes = bytesOf(input);
  if (bytes) return new BytesSource(bytes, options.name);
  const found = inWords(input);
  const text =
    `Cannot open ${found}${
      found === "a promise" ? " (await it)" : ""
    }; give a path, a URL, a Blob, a File, ` +
    "a FileSystemHandle, a Uint8Array, an ArrayBuffer, or an array { data, shape }";
  throw new TilewiseError("invalid", text, { found });
}

/**
 * Opens what {@link ByteSource.describe} described, on any thread. That it still is the same is checked when it is
 * opened (files) or with every read (HTTP); `changed` when not.
 */
export async function openSpec(spec: SourceSpec, options: SourceOptions = {}): Promise<ByteSource> {
  throwIfAborted(options.signal);
  switch (spec.kind) {
    case "file":
      return (await fileModule(spec.path)).FileSource.reopen(spec);
    case "bytes":
      return new BytesSource(spec.bytes, spec.name);
    case "blob":
      return new BlobSource(spec.blob, spec.name);
    case "http":
      return (await import("./http/http.ts")).reopenHttp(spec, options.http);
    case "joined":
      return new (await import("./source/joined.ts")).JoinedSource(
        spec.name,
        spec.parts,
        ({ source }) => openSpec(source, options),
      );
    case "kept":
      return new (await import("./kept.ts")).KeptSource(spec, () => openSpec(spec.source, options));
    case "unpacked":
      return (await import("./unpack.ts")).openUnpacked(
        spec,
        (packed, signal) => openSpec(packed, signal ? { ...options, signal } : options),
        options.signal,
      );
  }
}

const openPacked = (spec: SourceSpec, signal?: AbortSignal) => openSpec(spec, defined({ signal }));

/**
 * Unpacks those of `specs` that have to be unpacked, so that no other thread has to, and keeps them until the function that
 * it gives is called. Errors: those of {@link openSpec}.
 */
export async function holdUnpacked(specs: readonly SourceSpec[], signal?: AbortSignal): Promise<() => void> {
  const packed = specs.filter((spec): spec is UnpackedSpec => spec.kind === "unpacked");
  if (packed.length === 0) return () => {};
  const { hold } = await import("./unpack.ts");
  const releases: (() => void)[] = [];
  try {
    for (const spec of packed) releases.push(await hold(spec, openPacked, signal));
  } catch (error) {
    for (const release of releases) release();
    throw error;
  }
  return () => releases.forEach((release) => release());
}

async function openNamed(input: string | URL, { http, signal }: SourceOptions): Promise<ByteSource> {
  if (input === "") throw new TilewiseError("invalid", 'Cannot open "": give a path or a URL');
  const url = urlOf(input);
  if (url?.protocol === "file:") return await openFile(pathOf(url));
  if (url) return await (await import("./http/http.ts")).openHttp(url, http, signal);
  return await openFile(String(input));
}

/** The URL that is meant; nothing for a path. */
function urlOf(input: string | URL): URL | undefined {
  if (input instanceof URL) return input;
  if (/^(https?|file):\/\//i.test(input)) {
    const url = parseUrl(input);
    if (url) return url;
    throw new TilewiseError("invalid", `Cannot open ${input}: it is not a valid URL`, { found: input });
  }
  if (hasFiles() || !globalThis.location) return undefined;
  return parseUrl(input, globalThis.location.href) ?? undefined;
}

/** The address on a server that `input` means: as it stands, or relative to the page. */
export function webUrl(input: SourceInput): URL | undefined {
  const url = typeof input === "string" || input instanceof URL ? urlOf(input) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function bytesOf(input: Exclude<SourceInput, string | URL | Blob | FileHandle>): Uint8Array | undefined {
  if (input instanceof Uint8Array) return input;
  const shared = typeof SharedArrayBuffer !== "undefined" && input instanceof SharedArrayBuffer;
  return shared || input instanceof ArrayBuffer ? new Uint8Array(input) : undefined;
}

async function openFile(path: string): Promise<ByteSource> {
  return (await fileModule(path)).FileSource.open(path);
}

async function fileModule(path: string): Promise<typeof import("./file/file.ts")> {
  if (hasFiles()) return await import("./file/file.ts");
  const text = "there are no files here; give a URL, or the File that the user picked";
  throw cannot("open", path, "unsupported", text);
}

/** Throws `changed` unless the source that `spec` describes still is what it was, as far as can be told. */
export async function recheckSpec(spec: SourceSpec, options: SourceOptions = {}): Promise<void> {
  if (spec.kind === "file") return (await fileModule(spec.path)).recheckFile(spec);
  await using source = await openSpec(spec, options);
  await source.verify(options.signal);
}

/** Whether this is Deno, Node or the like, and not a page. */
export function hasFiles(): boolean {
  if ("Deno" in globalThis) return true; // asking for `process` there loads it, which takes 4 MiB in every thread
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

function pathOf(url: URL): string {
  try {
    const path = decodeURIComponent(url.pathname);
    return /^\/[a-z]:\//i.test(path) ? path.slice(1) : path; // file:///C:/scan.mib
  } catch (cause) {
    const text = `Cannot open ${url.href}: its percent signs do not encode characters`;
    throw new TilewiseError("invalid", text, { found: url.href }, { cause });
  }
}
