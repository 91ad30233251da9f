/**
 * Facts that tell two states of a file apart, and two files of the same name, without reading their contents.
 *
 * @module
 */

import type { TilewiseError } from "../../errors.ts";
import { changedError, type FileSpec } from "../source/source.ts";

/** What identifies the contents of a file without reading them. */
export interface FileFacts {
  /** Bytes in it. */
  readonly size: number;
  /** Time of its last change, in milliseconds. */
  readonly modified: number;
  /** Time of the last change of its facts, in milliseconds, if the system gives it. */
  readonly touched?: number;
  /** Device and number, if the system gives them. */
  readonly id?: string;
  /** How many names it has, if the system gives it. */
  readonly links?: number;
  /** What it is. */
  readonly kind: "file" | "directory" | "other";
}

/** Facts about a file from the operating system, with big integers. */
export interface BigStats {
  /** Bytes in it. */
  readonly size: bigint;
  /** Time of its last change, in nanoseconds. */
  readonly mtimeNs: bigint;
  /** Time of the last change of its facts, in nanoseconds. */
  readonly ctimeNs?: bigint | null;
  /** Number of the file on its device. */
  readonly ino?: bigint | null;
  /** Number of the device. */
  readonly dev?: bigint | null;
  /** How many names it has. */
  readonly nlink?: bigint | null;
  /** Whether it is a file. */
  isFile(): boolean;
  /** Whether it is a folder. */
  isDirectory(): boolean;
}

/** The facts from those of the operating system; there, zeros stand for unknown values. */
export function factsOf(stats: BigStats): FileFacts {
  const { size, mtimeNs, ctimeNs, ino, dev, nlink } = stats;
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
  return {
    size: Number(size),
    modified: milliseconds(mtimeNs),
    ...(ctimeNs ? { touched: milliseconds(ctimeNs) } : {}),
    ...(ino ? { id: `${dev ?? 0n}:${ino}` } : {}),
    ...(nlink ? { links: Number(nlink) } : {}),
    kind,
  };
}

/** Nanoseconds as milliseconds with a fraction: exact for whole milliseconds, else to a quarter of a microsecond. */
function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
}

/** The description of a file at `path` with these facts. */
export function specOf(path: string, { size, modified, touched, id, links }: FileFacts): FileSpec {
  return {
    kind: "file",
    path,
    size,
    modified,
    ...(touched === undefined ? {} : { touched }),
    ...(id === undefined ? {} : { id }),
    ...(links === undefined ? {} : { links }),
  };
}

/** Throws `changed` unless a file has the facts that it had when it was opened; `undefined`: it does not exist any more. */
export function compareFacts(spec: FileSpec, now: FileFacts | undefined): void {
  const { size, modified, touched, id, links } = spec;
  if (now?.kind !== "file") throw changed(spec, now, "it", "a file", now ? "not a file" : "gone");
  if (id !== undefined && now.id !== undefined && id !== now.id) {
    throw changed(spec, now, "the file of this name", `number ${id}`, `number ${now.id}`);
  }
  if (now.size !== size) throw changed(spec, now, "size", size, now.size);
  if (modified !== undefined && now.modified !== modified) {
    throw changed(spec, now, "time of change", isoTime(modified), isoTime(now.modified));
  }
  const isLinked = links !== undefined && now.links !== undefined && now.links !== links; // another name was made or removed, which touches the file
  if (touched !== undefined && now.touched !== undefined && now.touched !== touched && !isLinked) {
    const what = "time at which contents, name or permissions were touched";
    throw changed(spec, now, what, isoTime(touched), isoTime(now.touched));
  }
}

/** The error, with size and time of both states in its details. */
function changed(
  { path, size, modified }: FileSpec,
  now: FileFacts | undefined,
  what: string,
  expected: string | number,
  found: string | number,
): TilewiseError {
  const was = { size, ...(modified === undefined ? {} : { modified: isoTime(modified) }) };
  const is = now ? { size: now.size, modified: isoTime(now.modified) } : {};
  return changedError(path, what, expected, found, { was, is });
}

/** A time in milliseconds with its fraction, so that two different times look different. */
function isoTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const rest = Math.round((milliseconds - whole) * 1e6);
  const text = Number.isFinite(whole) && Math.abs(whole) <= 8.64e15
    ? new Date(whole).toISOString()
    : `${whole} ms`;
  return rest === 0 ? text : text.replace(/Z$/, `${String(rest).padStart(6, "0")}Z`);
}
