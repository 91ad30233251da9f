// What a kernel imports from its host for file I/O; the table of results is in src/channels/files/import_table.ts.
// Counts and offsets are in elements, statuses negative.

@external("channels", "fs_open")
export declare function fs_open(channel: i32, mode: i32, name: usize, nameLength: i32, elementSize: i32): i32;
@external("channels", "fs_read")
export declare function fs_read(handle: i32, pointer: usize, count: i32, whence: i32, offset: f64): i32;
@external("channels", "fs_write")
export declare function fs_write(handle: i32, pointer: usize, count: i32, whence: i32, offset: f64): i32;
@external("channels", "fs_close")
export declare function fs_close(handle: i32): i32;
@external("channels", "fs_size")
export declare function fs_size(handle: i32): f64;
@external("channels", "fs_last_error")
export declare function fs_last_error(channel: i32): i32;
@external("channels", "fs_io_buffer")
export declare function fs_io_buffer(channel: i32): usize;

export const enum Mode { READ_ONLY, WRITE_ONLY, APPEND_ONLY, READ_WRITE, ERASE_READ_WRITE, APPEND_READ }

export const enum Whence { BEGIN, END, CURRENT }

/** The status `invalid`. */
export const INVALID: i32 = 6;
