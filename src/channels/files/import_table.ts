/**
 * What a kernel can import for files and work groups: the one table from which the declarations in AssemblyScript are made,
 * and that the functions in TypeScript follow.
 *
 * @module
 */

/**
 * The name of the module from which kernels import.
 * @category Channels
 */
export const IMPORT_MODULE = "channels";

/**
 * Parameters, as AssemblyScript declares them, and result of an imported function.
 * @category Channels
 */
export type ImportRow = readonly [parameters: string, result: "i32" | "f64" | "usize"];

/**
 * The imports of kernels for files and work groups, by name: the functions of {@link FileImports}. A negative result is a status, except
 * that transfers return 0 when they fail.
 * @category Channels
 */
export const FILE_IMPORTS = {
  // a handle above zero; elementSize 0: elements of the host
  fs_open: ["channel: i32, mode: i32, name: usize, nameLength: i32, elementSize: i32", "i32"],
  // the same for text of the language, 16 bits a unit
  fs_open_text: ["channel: i32, mode: i32, text: usize, length: i32, elementSize: i32", "i32"],
  // elements read or written
  fs_read: ["handle: i32, pointer: usize, count: i32, whence: i32, offset: f64", "i32"],
  fs_write: ["handle: i32, pointer: usize, count: i32, whence: i32, offset: f64", "i32"],
  // the same in the buffer of the channel, from its element `at` on
  fs_read_buffer: ["handle: i32, at: i32, count: i32, whence: i32, offset: f64", "i32"],
  fs_write_buffer: ["handle: i32, at: i32, count: i32, whence: i32, offset: f64", "i32"],
  fs_close: ["handle: i32", "i32"],
  fs_flush: ["handle: i32", "i32"],
  // elements in the file
  fs_size: ["handle: i32", "f64"],
  // elements before the cursor
  fs_seek: ["handle: i32, whence: i32, offset: f64", "f64"],
  fs_truncate: ["handle: i32, count: f64", "i32"],
  // a record of 24 bytes at `pointer`
  fs_stat: ["channel: i32, name: usize, nameLength: i32, pointer: usize", "i32"],
  // bytes of all names, each one followed by a 0; written if they fit
  fs_list: ["channel: i32, name: usize, nameLength: i32, pointer: usize, capacity: i32", "f64"],
  fs_remove: ["channel: i32, name: usize, nameLength: i32", "i32"],
  fs_mkdir: ["channel: i32, name: usize, nameLength: i32", "i32"],
  // does `count` queued transfers, and waits for all: how many it did
  fs_batch: ["channel: i32, pointer: usize, count: i32", "i32"],
  // begins to do them; the channel is taken until fs_finish
  fs_submit: ["channel: i32, pointer: usize, count: i32", "i32"],
  // waits until one of them is done, at most `timeout` milliseconds: 1, or 0 if it is not
  fs_wait: ["transfer: usize, timeout: f64", "i32"],
  // waits until all are done: how many
  fs_finish: ["channel: i32", "i32"],
  // the status of the latest call on the channel, 0 if it went well
  fs_last_error: ["channel: i32", "i32"],
  // 1 if the latest read on the channel came to the end of its file
  fs_eof: ["channel: i32", "i32"],
  // address of the buffer of the channel, 0 if there is no such channel
  fs_io_buffer: ["channel: i32", "usize"],
  // elements of the host in that buffer, bytes of such an element, and channels
  fs_max_count: ["", "i32"],
  fs_element_size: ["", "i32"],
  fs_channel_count: ["", "i32"],
  // 0 when all members of the group are here
  group_barrier: ["", "i32"],
  // the value that member 0 gives
  group_share: ["value: f64", "f64"],
  group_local: ["", "i32"],
  group_size: ["", "i32"],
  group_id: ["", "i32"],
  group_count: ["", "i32"],
} as const satisfies Record<string, ImportRow>;

/** The name of an import. */
export type ImportName = keyof typeof FILE_IMPORTS;

/**
 * The parameters of an imported function.
 * @category Channels
 */
export type ImportParameters<P extends string> = P extends "" ? []
  : P extends `${string}: ${string}, ${infer Rest}` ? [number, ...ImportParameters<Rest>]
  : [number];

/**
 * The functions of a table, as a kernel calls them.
 * @category Channels
 */
export type FunctionsOf<T extends Record<string, ImportRow>> = {
  readonly [K in keyof T]: (...args: ImportParameters<T[K][0]>) => number;
};
