/**
 * Unpacks gzip files to temporary files, in little memory; `open.ts` loads it when one is read, so that a browser never
 * sees it.
 *
 * A temporary file is named like the part file of a write. It is removed when its process ends; on the command line also when a
 * signal ends the process. Files left by processes that were killed, or that ended with an uncaught error, are removed when
 * another file is unpacked later. While its process lives, a temporary file can be used again: of the unused ones, the last stays.
 *
 * @module
 */

import { existsSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { cannot, isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";
import { FileSource } from "./file/file.ts";
import { isGranted } from "./source/permission.ts";
import { PartFile } from "./write/part_file.ts";
import { holdPart, partPath, releasePart } from "./write/part_files.ts";
import { type ByteSource, readBytes, type SourceSpec, type UnpackedSpec } from "./source/source.ts";
import { gunzipped } from "./zlib.ts";

/** Packed bytes per read. */
const PIECE = 2 ** 20;

/** A temporary file of this thread. */
interface Temporary {
  /** Fails when it cannot be made. */
  readonly made: Promise<void>;
  /** Number of its users. */
  users: number;
}

/** By path, the longest unused first. */
const temporaries = new Map<string, Temporary>();

/** A path for the temporary file with the contents of `name`, and its folder. */
export async function temporaryPath(name: string): Promise<readonly [path: string, folder: string]> {
  const folder = temporary.folder();
  return [await partPath(`${folder}/${name.replace(/^.*[/\\]/, "")}`), folder];
}

/** Whether temporary files may be written without asking the user. */
export function mayUnpack(): boolean {
  return ["read", "write"].every((name) => isGranted({ name, path: temporary.folder() }));
}

/** The flag that lets Deno write temporary files, if it may not. */
export function missingFlag(): string | undefined {
  const folder = temporary.folder();
  return mayUnpack() ? undefined : `--allow-read=${folder} --allow-write=${folder}`;
}

/** The temporary folder of the system, or that of `TMPDIR` if this variable may be read. */
function systemFolder(): string {
  try {
    return tmpdir();
  } catch {
    return "/tmp";
  }
}

/** Where temporary files go. Tests put another folder here: `TMPDIR` would change it for all of their process. */
export const temporary: { folder(): string } = { folder: systemFolder };

/** Opens what is packed. */
type OpenPacked = (spec: SourceSpec, signal?: AbortSignal) => Promise<ByteSource>;

/** The unpacked contents of `spec`, as a source. */
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

/** Makes the temporary file of `spec`, unless it exists, and keeps it until the returned function is called. */
export async function hold(
  spec: UnpackedSpec,
  open: OpenPacked,
  signal?: AbortSignal,
): Promise<() => void> {
  const { path } = spec;
  const before = temporaries.get(path);
  const usable = before && (before.users > 0 || existsSync(path)); // other programs may clear the folder
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

/** The unpacked contents of `packed`, piece by piece. */
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

/** Removes unused temporary files, except the one at `kept`. */
async function removeOthers(kept: string): Promise<void> {
  for (const [path, { users }] of temporaries) {
    if (path === kept || users > 0) continue;
    temporaries.delete(path);
    await rm(path, { force: true }).catch(() => {}); // it is removed when the process ends
    releasePart(path);
  }
}

let atEnd = false;

/** Removes temporary files when the process ends; the command line handles signals as well. */
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
  return cannot("read", name, "malformed", `its gzip stream is damaged: ${reason}`, {}, { cause });
}

function tooShort({ name, size }: UnpackedSpec, found: number): TilewiseError {
  const text = `it unpacks to ${found} bytes, and its header promises ${size}`;
  return cannot("read", name, "truncated", text, { expected: size, found });
}

function tooLong({ name, most }: UnpackedSpec): TilewiseError {
  const text = `it unpacks to more than ${most} bytes, which its header does not promise`;
  return cannot("read", name, "unsupported", text, { expected: most });
}
