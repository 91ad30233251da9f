/**
 * Calls that read directories, and those that tell a program which directories it has from the start.
 *
 * @module
 */

import { RIGHT } from "../common/codes.ts";
import type { OpenDirectory } from "../common/descriptors.ts";
import { ERRNO, errnoOf, refuse } from "../common/errno.ts";
import { FILE_TYPE } from "../common/codes.ts";
import { entryBytes, numberOf, typeOf } from "./file_stats.ts";
import { below } from "./paths.ts";
import type { ProgramState, WasiCalls } from "../common/state.ts";

/** The calls `fd_readdir`, `fd_prestat_get` and `fd_prestat_dir_name`. */
export function directoryCalls(
  { memory, files, descriptors }: ProgramState,
): WasiCalls<"fd_readdir" | "fd_prestat_get" | "fd_prestat_dir_name"> {
  const preopened = (fd: number): Uint8Array => {
    const { node } = descriptors.get(fd);
    const name = node.kind === "directory" ? node.preopen : undefined;
    return name === undefined ? refuse(ERRNO.badf) : new TextEncoder().encode(name);
  };
  const entry = ({ name: directory, entries }: OpenDirectory, index: number): Uint8Array => {
    const name = entries![index]!;
    const path = name === "." || name === ".." ? directory : below(directory, [name]);
    const facts = files.stat(path, false);
    const known = typeof facts === "number" ? undefined : facts; // it may be gone meanwhile
    const type = known ? typeOf(known) : FILE_TYPE.unknown;
    return entryBytes(index + 1, numberOf(path, known ?? { number: 0n }), type, name);
  };
  return {
    fd_readdir(fd: number, buffer: number, length: number, cookie: bigint, result: number): number {
      const { node } = descriptors.directory(fd, RIGHT.fdReaddir);
      const out = memory.span(buffer, length);
      memory.u32(result);
      if (cookie === 0n || !node.entries) { // from the start: a fresh look
        const names = files.list(node.name);
        if (typeof names === "number") return errnoOf(names);
        node.entries = [".", "..", ...names];
      }
      const { entries } = node;
      if (cookie < 0n || cookie > BigInt(entries.length)) refuse(ERRNO.inval);
      let used = 0;
      for (let index = Number(cookie); index < entries.length && used < out.length; index++) {
        const bytes = entry(node, index).subarray(0, out.length - used); // the last one may be cut off: the program asks again
        out.set(bytes, used);
        used += bytes.length;
      }
      memory.setU32(result, used);
      return ERRNO.success;
    },
    fd_prestat_get(fd: number, result: number): number {
      const name = preopened(fd);
      memory.setU32(result, 0); // a directory: there is no other kind
      memory.setU32(result + 4, name.length);
      return ERRNO.success;
    },
    fd_prestat_dir_name(fd: number, pointer: number, length: number): number {
      const name = preopened(fd);
      if (length >>> 0 < name.length) refuse(ERRNO.nametoolong);
      memory.span(pointer, name.length).set(name);
      return ERRNO.success;
    },
  };
}
