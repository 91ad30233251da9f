/**
 * What a program learns about a file or directory: the record `filestat`, and entries of directories.
 *
 * @module
 */

import type { NodeFacts, NodeTimes } from "../../backends/back_end.ts";
import { CLOCK, ERRNO, FILE_TYPE, granted, refuse, TIME_FLAG } from "../common/codes.ts";
import type { Descriptor, ProgramState } from "../common/descriptors.ts";
import type { GuestMemory } from "../common/guest_memory.ts";
import { errnoAt } from "./paths.ts";
import { clockTime } from "./process_calls.ts";

/** The file system that all files of a host count as. */
const DEVICE = 1n;

/** Bytes of the record. */
const STAT_BYTES = 64;

/** The kind of file that facts describe. */
export function typeOf({ kind, bytes }: Pick<NodeFacts, "kind" | "bytes">): number {
  if (kind === "directory") return FILE_TYPE.directory;
  if (kind === "link") return FILE_TYPE.symbolicLink;
  return bytes === Infinity ? FILE_TYPE.characterDevice : FILE_TYPE.regularFile;
}

/** The kind of file that a descriptor stands for, as far as the descriptor tells. */
export function typeOfDescriptor({ node }: Descriptor): number {
  if (node.kind === "directory") return FILE_TYPE.directory;
  return node.kind === "file" ? FILE_TYPE.regularFile : FILE_TYPE.unknown;
}

/** Writes the record of a file. Back ends without links know one time, that of the last change; 0 if it is not known. */
export function writeStat(memory: GuestMemory, pointer: number, name: string, facts: NodeFacts): void {
  memory.span(pointer, STAT_BYTES).fill(0);
  const { accessed, modified, changed } = facts.times;
  memory.setU64(pointer, DEVICE);
  memory.setU64(pointer + 8, numberOf(name, facts));
  memory.setU8(pointer + 16, typeOf(facts));
  memory.setU64(pointer + 24, BigInt(facts.links));
  memory.setU64(pointer + 32, BigInt(Number.isFinite(facts.bytes) ? facts.bytes : 0));
  for (const [i, time] of [accessed, modified, changed].entries()) memory.setU64(pointer + 40 + 8 * i, time);
}

/** Writes the record of a stream, which has neither name nor size. */
export function writeStreamStat(memory: GuestMemory, pointer: number): void {
  memory.span(pointer, STAT_BYTES).fill(0);
  memory.setU64(pointer + 24, 1n);
}

/** The number of a file. Where the back end has none, it is computed from the name, so that different files differ. */
export function numberOf(name: string, { number }: Pick<NodeFacts, "number">): bigint {
  return number || hashOf(name);
}

/** A number for a name: FNV-1a with 64 bits, never 0. */
function hashOf(name: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash || 1n;
}

/** Bytes of an entry before its name. */
const HEAD_BYTES = 24;

/** An entry of a directory as `fd_readdir` writes it; `next` is the place of the entry after it. */
export function entryBytes(next: number, number: bigint, type: number, name: string): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(HEAD_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, number, true);
  view.setUint32(16, text.length, true);
  view.setUint8(20, type);
  bytes.set(text, HEAD_BYTES);
  return bytes;
}

// How programs set times.

/** Times as a program asks for them; flags of {@link TIME_FLAG} say which. */
interface AskedTimes extends NodeTimes {
  readonly flags: number;
}

/** Sets the times of a name; `inval` for a time that is both given and now. */
export function setTimes(
  { files, times }: ProgramState,
  name: string,
  { accessed, modified, flags }: AskedTimes,
  follow: boolean,
): number {
  const has = (flag: number) => (flags & flag) !== 0;
  const [a, m] = [TIME_FLAG.accessed, TIME_FLAG.modified];
  const [aNow, mNow] = [TIME_FLAG.accessedNow, TIME_FLAG.modifiedNow];
  if (flags & ~(a | aNow | m | mNow) || (has(a) && has(aNow)) || (has(m) && has(mNow))) refuse(ERRNO.inval);
  if (flags === 0) return ERRNO.success;
  const old = times.factsOf(files, name, follow);
  if (typeof old === "number") return errnoAt(files, name, old);
  const now = clockTime(CLOCK.realtime);
  const asked = {
    accessed: has(a) ? BigInt.asUintN(64, accessed) : has(aNow) ? now : old.times.accessed,
    modified: has(m) ? BigInt.asUintN(64, modified) : has(mNow) ? now : old.times.modified,
  };
  granted(files.setTimes(name, asked, follow));
  const found = files.stat(name, follow);
  if (typeof found !== "number") times.note(found, asked);
  return ERRNO.success;
}
