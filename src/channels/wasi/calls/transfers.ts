/**
 * Calls that read, write and move the cursor of a descriptor.
 *
 * @module
 */

import type { IoVectors } from "../common/byte_files.ts";
import { FD_FLAG, RIGHT, SEEK } from "../common/codes.ts";
import { type Descriptor, type InputStream, is, type OpenFile } from "../common/descriptors.ts";
import { ERRNO, granted, refuse } from "../common/errno.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";

/** The largest position: the next number is not exact as a double. */
const LAST = BigInt(Number.MAX_SAFE_INTEGER);

/** Flags that ask for every write to be on the device before the call returns. */
const AT_ONCE = FD_FLAG.dsync | FD_FLAG.sync;

/** The calls `fd_read`, `fd_write`, `fd_pread`, `fd_pwrite`, `fd_seek` and `fd_tell`. */
export function transferCalls(
  { memory, files, descriptors }: ProgramState,
): WasiCalls<"fd_read" | "fd_write" | "fd_pread" | "fd_pwrite" | "fd_seek" | "fd_tell"> {
  /** The bytes written at a position, on the device if the descriptor asks for that. */
  const put = ({ node, flags }: Descriptor<OpenFile>, pieces: IoVectors, position: number) => {
    if (pieces.length === 0) return 0;
    const toEnd = (flags & FD_FLAG.append) !== 0 && !node.appends;
    const count = granted(files.write(node.file, pieces, toEnd ? granted(files.size(node.file)) : position));
    if (flags & AT_ONCE) granted(files.flush(node.file));
    return count;
  };
  const get = ({ node }: Descriptor<OpenFile>, pieces: IoVectors, position: number) =>
    pieces.length === 0 ? 0 : granted(files.read(node.file, pieces, position));
  return {
    fd_read(fd: number, list: number, count: number, result: number): number {
      const descriptor = readable(descriptors.get(fd), RIGHT.fdRead);
      const pieces = memory.pieces(list, count);
      memory.u32(result);
      if (is(descriptor, "input")) memory.setU32(result, take(descriptor.node, pieces));
      else if (!is(descriptor, "file")) refuse(ERRNO.isdir);
      else {
        const got = get(descriptor, pieces, descriptor.node.cursor);
        descriptor.node.cursor += got;
        memory.setU32(result, got);
      }
      return ERRNO.success;
    },
    fd_write(fd: number, list: number, count: number, result: number): number {
      const descriptor = descriptors.get(fd, RIGHT.fdWrite);
      const pieces = memory.pieces(list, count);
      memory.u32(result);
      if (is(descriptor, "output")) memory.setU32(result, pour(descriptor.node.put, pieces));
      else if (!is(descriptor, "file")) refuse(ERRNO.isdir);
      else {
        const { node } = descriptor;
        const done = put(descriptor, pieces, node.cursor);
        node.cursor = descriptor.flags & FD_FLAG.append && done > 0
          ? granted(files.size(node.file))
          : node.cursor + done;
        memory.setU32(result, done);
      }
      return ERRNO.success;
    },
    fd_pread(fd: number, list: number, count: number, offset: bigint, result: number): number {
      const descriptor = fileOf(readable(descriptors.get(fd), RIGHT.fdRead | RIGHT.fdSeek));
      const pieces = memory.pieces(list, count);
      memory.u32(result);
      memory.setU32(result, get(descriptor, pieces, positionOf(offset)));
      return ERRNO.success;
    },
    fd_pwrite(fd: number, list: number, count: number, offset: bigint, result: number): number {
      const descriptor = fileOf(descriptors.get(fd, RIGHT.fdWrite | RIGHT.fdSeek));
      const pieces = memory.pieces(list, count);
      memory.u32(result);
      memory.setU32(result, put(descriptor, pieces, positionOf(offset)));
      return ERRNO.success;
    },
    fd_seek(fd: number, delta: bigint, whence: number, result: number): number {
      const { node } = seekable(descriptors.get(fd), RIGHT.fdSeek);
      memory.u64(result);
      const origin = whence === SEEK.set
        ? 0
        : whence === SEEK.cur
        ? node.cursor
        : whence === SEEK.end
        ? endOf(granted(files.size(node.file)))
        : refuse(ERRNO.inval);
      const place = BigInt(origin) + delta;
      if (place < 0n) refuse(ERRNO.inval);
      if (place > LAST) refuse(ERRNO.overflow);
      node.cursor = Number(place);
      memory.setU64(result, place);
      return ERRNO.success;
    },
    fd_tell(fd: number, result: number): number {
      const { node } = seekable(descriptors.get(fd), RIGHT.fdTell);
      memory.setU64(result, BigInt(node.cursor));
      return ERRNO.success;
    },
  };
}

/** A descriptor with rights to read; a directory has none of them, and `isdir` says why. */
function readable(descriptor: Descriptor, rights: number): Descriptor {
  if (is(descriptor, "directory")) refuse(ERRNO.isdir);
  return (descriptor.base & rights) === rights ? descriptor : refuse(ERRNO.notcapable);
}

/** A descriptor of a file that has a cursor, with a right. */
function seekable(descriptor: Descriptor, right: number): Descriptor<OpenFile> {
  const file = fileOf(descriptor);
  return file.base & right ? file : refuse(ERRNO.notcapable);
}

/** A descriptor of a file; streams have no positions. */
function fileOf(descriptor: Descriptor): Descriptor<OpenFile> {
  if (is(descriptor, "file")) return descriptor;
  return refuse(is(descriptor, "directory") ? ERRNO.isdir : ERRNO.spipe);
}

/** The size of a file as a position; a device without end has no end to count from. */
function endOf(size: number): number {
  return Number.isSafeInteger(size) ? size : refuse(ERRNO.spipe);
}

/** A position of a file, which travels as a signed number. */
export function positionOf(offset: bigint): number {
  if (offset < 0n) refuse(ERRNO.inval);
  return offset <= LAST ? Number(offset) : refuse(ERRNO.fbig);
}

/** Moves bytes of standard input to the pieces. */
function take(input: InputStream, pieces: IoVectors): number {
  const before = input.at;
  for (const piece of pieces) {
    const bytes = input.bytes.subarray(input.at, input.at + piece.length);
    piece.set(bytes);
    input.at += bytes.length;
  }
  return input.at - before;
}

function pour(put: (pieces: IoVectors) => void, pieces: IoVectors): number {
  put(pieces);
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
