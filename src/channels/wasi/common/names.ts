/**
 * The functions that programs import.
 *
 * @module
 */

/** The name of the module from which programs import. */
export const WASI_MODULE = "wasi_snapshot_preview1";

const NAMES = [
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
export type WasiName = typeof NAMES[number];

/** All functions of WASI preview 1. */
export const WASI_NAMES: readonly WasiName[] = NAMES;

/** Whether WASI preview 1 has a function of this name. */
export function isWasiName(name: string): name is WasiName {
  return WASI_NAMES.some((one) => one === name);
}
