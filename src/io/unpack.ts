/**
 * Unpacks gzip files to temporary files, in little memory; `open.ts` loads it when one is read, so that a browser never
 * sees it.
 *
 * A temporary file is called like the part file of a write: it is removed when its process ends, in the command line also by a
 * signal; those that are left by processes that were killed, or ended by an error that nobody caught, are removed by a later
 * unpacking. Until then it can be used again: of those that nobody uses, the last one stays.
 *
 * @module
 */

import { existsSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";
import { FileSource } from "./file/file.ts";
import { PartFile } from "./write/part_file.ts";
import { holdPart, partPath, releasePart } from "./write/part_files.ts";
import { type ByteSource, readBytes, type SourceSpec, type UnpackedSpec } from "./source/source.ts";
import { gunzipped } from "./zlib.ts";

/** Packed bytes that are read at once. */
const PIECE = 2 ** 20;

/** A temporary file of this thread. */
interface Temporary {
  /** Fails when it cannot be made. */
  readonly made: Promise<void>;
  /** How many use it. */
  users: number;
}

/** By path, the longest unused first. */
const temporaries = new Map<string, Temporary>();

/** A path for the temporary file of what `name` holds, and the folder that it is in. */
export async function temporaryPath(name: string): Promise<readonly [path: string, folder: string]> {
  const folder = temporaryFolder();
  return [await partPath(`${folder}/${name.replace(/^.*[/\\]/, "")}`), folder];
}

/** Whether temporary files may be written, without a question to the user. */
export async function mayUnpack(): Promise<boolean> {
  const { Deno: deno } = globalThis as { Deno?: DenoLike };
  if (!deno) return true;
  const states = ["read", "write"].map((name) => deno.permissions.query({ name, path: temporaryFolder() }));
  return (await Promise.all(states)).every(({ state }) => state === "granted");
}

/** What lets Deno write temporary files, where it may not. */
export async function missingFlag(): Promise<string | undefined> {
  const folder = temporaryFolder();
  return await mayUnpack() ? undefined : `--allow-read=${folder} --allow-write=${folder}`;
}

/** What is used of Deno, where this is Deno. */
interface DenoLike {
  readonly permissions: { query(what: object): Promise<{ readonly state: string }> };
}

/** The folder of the system, or that of `TMPDIR`, where that may be looked at. */
function temporaryFolder(): string {
  try {
    return tmpdir();
  } catch {
    return "/tmp";
  }
}

/** Opens what is packed. */
export type OpenPacked = (spec: SourceSpec, signal?: AbortSignal) => Promise<ByteSource>;

/** What `spec` unpacks to, as a source. */
export async function openUnpacked(
  spec: UnpackedSpec,
  open: OpenPacked,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const release = await hold(spec, open, signal);
  try {
    const file = FileSource.open(spec.path);
    const close = file[Symbol.asyncDispose].bind(file);
    return Object.assign(file, { [Symbol.asyncDispose]: () => close().finally(release) });
  } catch (error) {
    release();
    throw error;
  }
}

/** Makes the temporary file of `spec`, unless it is there, and keeps it until the function that it gives is called. */
export async function hold(
  spec: UnpackedSpec,
  open: OpenPacked,
  signal?: AbortSignal,
): Promise<() => void> {
  const { path } = spec;
  const before = temporaries.get(path);
  const usable = before && (before.users > 0 || existsSync(path)); // others may clear the folder
  const known = usable ? before : { made: make(spec, open, signal), users: 0 };
  known.users++;
  temporaries.set(path, known);
  try {
    await known.made;
  } catch (error) {
    known.users--;
    if (temporaries.get(path) === known) temporaries.delete(path);
    if (usable && isTilewiseError(error, "aborted")) return await hold(spec, open, signal); // another one was cancelled
    throw error;
  }
  await removeOthers(path);
  return () => void known.users--;
}

async function make(spec: UnpackedSpec, open: OpenPacked, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  if (existsSync(spec.path)) return; // another thread has made it
  await using packed = await open(spec.packed, signal);
  await using part = await PartFile.at(spec.path);
  try {
    const found = await part.fillPrivate(unpackedPieces(spec, packed, signal));
    if (found < spec.size) throw tooShort(spec, found);
    packed.recheck?.();
    if (!existsSync(spec.path)) await part.finish();
  } catch (error) {
    throw isTilewiseError(error) && error.details.file === spec.path ? unwritten(spec, error) : error;
  }
  holdPart(spec.path);
  removeAtEnd();
}

/** Everything that `packed` holds, piece by piece. */
async function* unpackedPieces(
  spec: UnpackedSpec,
  packed: ByteSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of gunzipped(packedPieces(packed, signal))) {
      throwIfAborted(signal);
      bytes += piece.length;
      if (bytes > spec.most) throw tooLong(spec);
      yield piece;
    }
  } catch (error) {
    throw isTilewiseError(error) ? error : damaged(spec, error);
  }
}

async function* packedPieces(packed: ByteSource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < packed.size; at += PIECE) {
    yield await readBytes(packed, at, Math.min(PIECE, packed.size - at), signal);
  }
}

/** Removes temporary files that nobody uses, but that at `kept`. */
async function removeOthers(kept: string): Promise<void> {
  for (const [path, { users }] of temporaries) {
    if (path === kept || users > 0) continue;
    temporaries.delete(path);
    await rm(path, { force: true }).catch(() => {}); // it is removed when the process ends
    releasePart(path);
  }
}

let atEnd = false;

/** Temporary files go with their process; the command line listens for signals as well. */
function removeAtEnd(): void {
  if (atEnd) return;
  atEnd = true;
  const removeAll = () => {
    for (const path of temporaries.keys()) rmSync(path, { force: true });
  };
  globalThis.addEventListener?.("unload", removeAll);
  process.on("exit", removeAll);
}

function unwritten({ name, size, path }: UnpackedSpec, cause: TilewiseError): TilewiseError {
  const text = `Cannot unpack ${name} to a temporary file: ${cause.message}; it takes ${size} bytes: ` +
    "let TMPDIR name a folder with room for it, or unpack it first (gunzip -k)";
  return new TilewiseError(cause.code, text, { ...cause.details, file: path }, { cause });
}

function damaged({ name }: UnpackedSpec, cause: unknown): TilewiseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = `Cannot read ${name}: its gzip stream is damaged: ${reason}`;
  return new TilewiseError("malformed", text, { file: name }, { cause });
}

function tooShort({ name, size }: UnpackedSpec, found: number): TilewiseError {
  const text = `Cannot read ${name}: it unpacks to ${found} bytes, and its header promises ${size}`;
  return new TilewiseError("truncated", text, { file: name, expected: size, found });
}

function tooLong({ name, most }: UnpackedSpec): TilewiseError {
  const text =
    `Cannot read ${name}: it unpacks to more than ${most} bytes, which its header does not promise`;
  return new TilewiseError("unsupported", text, { file: name, expected: most });
}
