/**
 * Calls about a descriptor itself: what it is and allows, its size, its end.
 *
 * @module
 */

import type { ByteFiles } from "../common/byte_files.ts";
import { ALL_FD_FLAGS, FD_FLAG, RIGHT } from "../common/codes.ts";
import { type Descriptor, is, type OpenFile } from "../common/descriptors.ts";
import { ERRNO, errnoOf, granted, refuse } from "../common/errno.ts";
import { typeOfDescriptor, writeStat, writeStreamStat } from "./file_stats.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";
import { setTimes } from "./times.ts";
import { positionOf } from "./transfers.ts";

/** What is known of a file that has lost its name. */
const NAMELESS = { number: 0n, links: 0, times: { accessed: 0n, modified: 0n, changed: 0n } } as const;

/** Kinds of advice. */
const ADVICE = 6;

/** The calls about descriptors. */
export function descriptorCalls(
  state: ProgramState,
): WasiCalls<
  | "fd_close"
  | "fd_renumber"
  | "fd_sync"
  | "fd_datasync"
  | "fd_advise"
  | "fd_allocate"
  | "fd_filestat_set_size"
  | "fd_filestat_set_times"
  | "fd_filestat_get"
  | "fd_fdstat_get"
  | "fd_fdstat_set_flags"
  | "fd_fdstat_set_rights"
> {
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
