/**
 * Calls about a descriptor itself: what it is and allows, its size, its end.
 *
 * @module
 */

import {
  type ByteFiles,
  type Descriptor,
  type InputStream,
  type IoVectors,
  is,
  type OpenFile,
  type ProgramState,
} from "../common/descriptors.ts";
import { ALL_FD_FLAGS, ERRNO, errnoOf, FD_FLAG, granted, refuse, RIGHT, SEEK } from "../common/codes.ts";
import { setTimes, typeOfDescriptor, writeStat, writeStreamStat } from "./file_stats.ts";

// Calls that read, write and move the cursor of a descriptor.

/** The largest position: the next number is not exact as a double. */
const LAST = BigInt(Number.MAX_SAFE_INTEGER);

/** Flags that ask for every write to be on the device before the call returns. */
const AT_ONCE = FD_FLAG.dsync | FD_FLAG.sync;

/** The calls `fd_read`, `fd_write`, `fd_pread`, `fd_pwrite`, `fd_seek` and `fd_tell`. */
export function transferCalls(
  { memory, files, descriptors }: ProgramState,
) {
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
function positionOf(offset: bigint): number {
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

/** What is known of a file that has lost its name. */
const NAMELESS = { number: 0n, links: 0, times: { accessed: 0n, modified: 0n, changed: 0n } } as const;

/** Kinds of advice. */
const ADVICE = 6;

/** The calls about descriptors. */
export function descriptorCalls(
  state: ProgramState,
) {
  const { memory, files, descriptors } = state;
  /** The file of a descriptor that has a right, for calls that make no sense for others. */
  const fileWith = (fd: number, right: number, otherwise: number): Descriptor<OpenFile> => {
    const found = descriptors.get(fd, right);
    return is(found, "file") ? found : refuse(otherwise);
  };
  const close = (fd: number) => {
    const { node } = descriptors.get(fd);
    descriptors.remove(fd);
    return node.kind === "file" ? files.close(node.file) : 0;
  };
  const flush = (fd: number, right: number) => {
    const { node } = descriptors.get(fd, right);
    if (node.kind === "file") granted(files.flush(node.file));
    return ERRNO.success;
  };
  return {
    fd_close(fd: number): number {
      const status = close(fd);
      return status < 0 ? errnoOf(status) : ERRNO.success;
    },
    fd_renumber(fd: number, to: number): number {
      descriptors.get(fd);
      descriptors.get(to);
      if (fd !== to) granted(close(to));
      descriptors.move(fd, to);
      return ERRNO.success;
    },
    fd_sync: (fd: number): number => flush(fd, RIGHT.fdSync),
    fd_datasync: (fd: number): number => flush(fd, RIGHT.fdDatasync),
    fd_advise(fd: number, offset: bigint, length: bigint, advice: number): number {
      fileWith(fd, RIGHT.fdAdvise, ERRNO.badf);
      if (advice >>> 0 >= ADVICE || offset < 0n || length < 0n) refuse(ERRNO.inval);
      return ERRNO.success; // there is nothing to do better for it
    },
    fd_allocate(fd: number, offset: bigint, length: bigint): number {
      const { node } = fileWith(fd, RIGHT.fdAllocate, ERRNO.badf);
      if (offset < 0n || length <= 0n) refuse(ERRNO.inval);
      const size = positionOf(offset + length);
      if (granted(files.size(node.file)) < size) granted(files.truncate(node.file, size));
      return ERRNO.success;
    },
    fd_filestat_set_size(fd: number, size: bigint): number {
      const { node, base } = fileWith(fd, 0, ERRNO.inval);
      if (!(base & RIGHT.fdWrite)) refuse(ERRNO.inval); // POSIX: it is not open for writing
      descriptors.get(fd, RIGHT.fdFilestatSetSize);
      granted(files.truncate(node.file, positionOf(size)));
      return ERRNO.success;
    },
    fd_filestat_set_times(fd: number, accessed: bigint, modified: bigint, flags: number): number {
      const { node } = descriptors.get(fd, RIGHT.fdFilestatSetTimes);
      if (node.kind !== "file" && node.kind !== "directory") refuse(ERRNO.notsup);
      return setTimes(state, node.name, { accessed, modified, flags }, true);
    },
    fd_filestat_get(fd: number, result: number): number {
      const { node } = descriptors.get(fd, RIGHT.fdFilestatGet);
      if (node.kind !== "file" && node.kind !== "directory") {
        writeStreamStat(memory, result);
        return ERRNO.success;
      }
      const facts = state.times.factsOf(files, node.name);
      if (node.kind === "file") { // it may have lost its name since it was opened
        const known = typeof facts !== "number" && facts.kind === "file" ? facts : NAMELESS;
        const bytes = granted(files.size(node.file));
        writeStat(memory, result, node.name, { ...known, kind: "file", bytes });
      } else if (typeof facts === "number") refuse(errnoOf(facts));
      else writeStat(memory, result, node.name, facts);
      return ERRNO.success;
    },
    fd_fdstat_get(fd: number, result: number): number {
      const descriptor = descriptors.get(fd);
      memory.span(result, 24).fill(0);
      memory.setU8(result, typeOfDescriptor(descriptor));
      memory.setU16(result + 2, descriptor.flags);
      memory.setU64(result + 8, BigInt(descriptor.base));
      memory.setU64(result + 16, BigInt(descriptor.inheriting));
      return ERRNO.success;
    },
    fd_fdstat_set_flags(fd: number, flags: number): number {
      const descriptor = descriptors.get(fd, RIGHT.fdFdstatSetFlags);
      if (flags & ~ALL_FD_FLAGS) refuse(ERRNO.inval);
      if (is(descriptor, "file") && !(flags & FD_FLAG.append)) endAppend(files, descriptor.node);
      descriptor.flags = flags;
      return ERRNO.success;
    },
    fd_fdstat_set_rights(fd: number, base: bigint, inheriting: bigint): number {
      const descriptor = descriptors.get(fd);
      const more = (rights: bigint, than: number) => (rights & ~BigInt(than)) !== 0n;
      if (more(base, descriptor.base) || more(inheriting, descriptor.inheriting)) refuse(ERRNO.notcapable);
      descriptor.base = Number(base);
      descriptor.inheriting = Number(inheriting);
      return ERRNO.success;
    },
  };
}

/** A file that was opened to append and is to append no longer is opened anew: the host knows it by the mode of its opening. */
function endAppend(files: ByteFiles, node: OpenFile): void {
  if (!node.appends) return;
  const file = granted(files.open(node.name, "read_write"));
  files.close(node.file);
  node.file = file;
  node.appends = false;
}
