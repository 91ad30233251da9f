/**
 * Numbers of WASI preview 1: rights, flags and kinds of files.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { statusError, type StatusName, statusName } from "../../protocol/status.ts";

/** What a descriptor allows, one bit each; the document has no others. */
export const RIGHT = {
  fdDatasync: 1 << 0,
  fdRead: 1 << 1,
  fdSeek: 1 << 2,
  fdFdstatSetFlags: 1 << 3,
  fdSync: 1 << 4,
  fdTell: 1 << 5,
  fdWrite: 1 << 6,
  fdAdvise: 1 << 7,
  fdAllocate: 1 << 8,
  pathCreateDirectory: 1 << 9,
  pathCreateFile: 1 << 10,
  pathLinkSource: 1 << 11,
  pathLinkTarget: 1 << 12,
  pathOpen: 1 << 13,
  fdReaddir: 1 << 14,
  pathReadlink: 1 << 15,
  pathRenameSource: 1 << 16,
  pathRenameTarget: 1 << 17,
  pathFilestatGet: 1 << 18,
  pathFilestatSetSize: 1 << 19,
  pathFilestatSetTimes: 1 << 20,
  fdFilestatGet: 1 << 21,
  fdFilestatSetSize: 1 << 22,
  fdFilestatSetTimes: 1 << 23,
  pathSymlink: 1 << 24,
  pathRemoveDirectory: 1 << 25,
  pathUnlinkFile: 1 << 26,
  pollFdReadwrite: 1 << 27,
  sockShutdown: 1 << 28,
  sockAccept: 1 << 29,
} as const;

/** All rights. */
export const ALL_RIGHTS = 2 ** 30 - 1;

/** Rights that make sense for a file. */
export const FILE_RIGHTS: number = RIGHT.fdDatasync | RIGHT.fdRead | RIGHT.fdSeek | RIGHT.fdFdstatSetFlags |
  RIGHT.fdSync | RIGHT.fdTell | RIGHT.fdWrite | RIGHT.fdAdvise | RIGHT.fdAllocate | RIGHT.fdFilestatGet |
  RIGHT.fdFilestatSetSize | RIGHT.fdFilestatSetTimes | RIGHT.pollFdReadwrite;

/** Rights that make sense for a directory. */
export const DIRECTORY_RIGHTS: number = RIGHT.fdFdstatSetFlags | RIGHT.fdSync | RIGHT.fdAdvise |
  RIGHT.pathCreateDirectory | RIGHT.pathCreateFile | RIGHT.pathLinkSource | RIGHT.pathLinkTarget |
  RIGHT.pathOpen | RIGHT.fdReaddir | RIGHT.pathReadlink | RIGHT.pathRenameSource | RIGHT.pathRenameTarget |
  RIGHT.pathFilestatGet | RIGHT.pathFilestatSetSize | RIGHT.pathFilestatSetTimes | RIGHT.fdFilestatGet |
  RIGHT.fdFilestatSetTimes | RIGHT.pathSymlink | RIGHT.pathRemoveDirectory | RIGHT.pathUnlinkFile |
  RIGHT.pollFdReadwrite;

/** Rights of standard input. */
export const INPUT_RIGHTS: number = RIGHT.fdRead | RIGHT.fdFdstatSetFlags | RIGHT.fdFilestatGet |
  RIGHT.pollFdReadwrite;

/** Rights of standard output and of standard error. */
export const OUTPUT_RIGHTS: number = RIGHT.fdWrite | RIGHT.fdFdstatSetFlags | RIGHT.fdFilestatGet |
  RIGHT.fdSync | RIGHT.fdDatasync | RIGHT.pollFdReadwrite;

/** Kinds of files. A stream has none of its own in the document: `unknown` is what pipes are. */
export const FILE_TYPE = {
  unknown: 0,
  characterDevice: 2,
  directory: 3,
  regularFile: 4,
  symbolicLink: 7,
} as const;

/** The flag of a call with a path: its last link is followed. */
export const FOLLOW = 1;

/** Which times are set, and to what. */
export const TIME_FLAG = { accessed: 1, accessedNow: 2, modified: 4, modifiedNow: 8 } as const;

/** Flags of `path_open`. */
export const OPEN_FLAG = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;

/** Flags of descriptors. */
export const FD_FLAG = { append: 1, dsync: 2, nonblock: 4, rsync: 8, sync: 16 } as const;

/** All of them. */
export const ALL_FD_FLAGS = 31;

/** From where `fd_seek` counts. */
export const SEEK = { set: 0, cur: 1, end: 2 } as const;

/** Clocks. */
export const CLOCK = { realtime: 0, monotonic: 1, processCpuTime: 2, threadCpuTime: 3 } as const;

// The error numbers of WASI preview 1, and which of them a status of a file call is.

/** The error numbers that a call can answer with, named as in the WASI document. */
export const ERRNO = {
  success: 0,
  toobig: 1,
  acces: 2,
  badf: 8,
  busy: 10,
  exist: 20,
  fault: 21,
  fbig: 22,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  loop: 32,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  nospc: 51,
  notdir: 54,
  notempty: 55,
  notsock: 57,
  notsup: 58,
  overflow: 61,
  perm: 63,
  rofs: 69,
  spipe: 70,
  notcapable: 76,
} as const;

/** Ends one call of a program with an error number; the program goes on. */
export class Refusal {
  /** The refusal with this number. */
  constructor(readonly errno: number) {}
}

/** Ends a call with an error number. */
export function refuse(errno: number): never {
  throw new Refusal(errno);
}

const OF_STATUS: Readonly<Partial<Record<StatusName, number>>> = {
  "busy": ERRNO.busy,
  "bad-handle": ERRNO.badf,
  "access": ERRNO.badf,
  "invalid": ERRNO.inval,
  "not-found": ERRNO.noent,
  "is-directory": ERRNO.isdir,
  "permission": ERRNO.acces,
  "name-too-long": ERRNO.nametoolong,
  "too-many": ERRNO.mfile,
  "too-big": ERRNO.toobig,
  "changed": ERRNO.io,
  "exists": ERRNO.exist,
  "not-empty": ERRNO.notempty,
  "no-space": ERRNO.nospc,
  "unsupported": ERRNO.notsup,
};

/** The error number of a negative status. A host that has been closed ends the program, not only the call: it throws then. */
export function errnoOf(status: number): number {
  const name = statusName(status);
  if (name === "closed") throw statusError(status, "go on with the program");
  if (name === "bad-channel") throw statusError(status, "call the host");
  return OF_STATUS[name] ?? ERRNO.io;
}

/** A result of a file call that is not negative; ends the call otherwise. */
export function granted(result: number): number {
  return result < 0 ? refuse(errnoOf(result)) : result;
}

/** The error of a program that was told to stop. */
export function stopped(): TilewiseError {
  return new TilewiseError("aborted", "The program was stopped");
}

/** The error of a program that takes longer than it may: whoever notices it first, on either thread, says the same. */
export function lateError(program: string, timeout: number): TilewiseError {
  const text = `The program ${program} has not ended within ${timeout} ms, the option "timeout"`;
  return new TilewiseError("timeout", text, { program, expected: timeout });
}

// The functions that programs import.

/** The name of the module from which programs import. */
export const WASI_MODULE = "wasi_snapshot_preview1";

/** All functions of WASI preview 1. */
export const WASI_NAMES = [
  "fd_read",
  "fd_write",
  "fd_pread",
  "fd_pwrite",
  "fd_seek",
  "fd_tell",
  "fd_close",
  "fd_renumber",
  "fd_sync",
  "fd_datasync",
  "fd_advise",
  "fd_allocate",
  "fd_filestat_set_size",
  "fd_filestat_set_times",
  "fd_filestat_get",
  "fd_fdstat_get",
  "fd_fdstat_set_flags",
  "fd_fdstat_set_rights",
  "fd_readdir",
  "fd_prestat_get",
  "fd_prestat_dir_name",
  "path_open",
  "path_filestat_get",
  "path_filestat_set_times",
  "path_create_directory",
  "path_remove_directory",
  "path_unlink_file",
  "path_rename",
  "path_link",
  "path_symlink",
  "path_readlink",
  "args_sizes_get",
  "args_get",
  "environ_sizes_get",
  "environ_get",
  "clock_res_get",
  "clock_time_get",
  "random_get",
  "proc_exit",
  "proc_raise",
  "sched_yield",
  "sock_accept",
  "sock_recv",
  "sock_send",
  "sock_shutdown",
  "poll_oneoff",
] as const;

/** The name of a function of WASI preview 1. */
export type WasiName = typeof WASI_NAMES[number];

/** Whether WASI preview 1 has a function of this name. */
export function isWasiName(name: string): name is WasiName {
  return WASI_NAMES.some((one) => one === name);
}
