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
  /** Opens the file with a name in UTF-8: a handle above zero. `elementSize` 0: elements of the host. */
  fs_open: ["channel: i32, mode: i32, name: usize, nameLength: i32, elementSize: i32", "i32"],
  /** The same for a text of the language, 16 bits per unit. */
  fs_open_text: ["channel: i32, mode: i32, text: usize, length: i32, elementSize: i32", "i32"],
  /** Reads elements: how many. */
  fs_read: ["handle: i32, pointer: usize, count: i32, whence: i32, offset: f64", "i32"],
  /** Writes elements: how many. */
  fs_write: ["handle: i32, pointer: usize, count: i32, whence: i32, offset: f64", "i32"],
  /** Reads into the buffer of the channel, from its element `at` on. */
  fs_read_buffer: ["handle: i32, at: i32, count: i32, whence: i32, offset: f64", "i32"],
  /** Writes from the buffer of the channel, from its element `at` on. */
  fs_write_buffer: ["handle: i32, at: i32, count: i32, whence: i32, offset: f64", "i32"],
  /** Closes a file. */
  fs_close: ["handle: i32", "i32"],
  /** Waits until what was written is on the device. */
  fs_flush: ["handle: i32", "i32"],
  /** Elements in a file. */
  fs_size: ["handle: i32", "f64"],
  /** Moves the cursor: the elements before it. */
  fs_seek: ["handle: i32, whence: i32, offset: f64", "f64"],
  /** Cuts a file off, or makes it longer by zeros. */
  fs_truncate: ["handle: i32, count: f64", "i32"],
  /** Writes a record of 24 bytes about a name to `pointer`. */
  fs_stat: ["channel: i32, name: usize, nameLength: i32, pointer: usize", "i32"],
  /** Bytes of all names in a folder, each one followed by a 0; they are written if they fit. */
  fs_list: ["channel: i32, name: usize, nameLength: i32, pointer: usize, capacity: i32", "f64"],
  /** Removes a file or an empty folder. */
  fs_remove: ["channel: i32, name: usize, nameLength: i32", "i32"],
  /** Makes a folder. */
  fs_mkdir: ["channel: i32, name: usize, nameLength: i32", "i32"],
  /** Does `count` queued transfers, and waits for all: how many it did. */
  fs_batch: ["channel: i32, pointer: usize, count: i32", "i32"],
  /** Begins to do them; the channel is taken until `fs_finish`. */
  fs_submit: ["channel: i32, pointer: usize, count: i32", "i32"],
  /** Waits until one of them is done, at most `timeout` milliseconds: 1, or 0 if it is not. */
  fs_wait: ["transfer: usize, timeout: f64", "i32"],
  /** Waits until all are done: how many. */
  fs_finish: ["channel: i32", "i32"],
  /** The status of the latest call on the channel, 0 if it went well. */
  fs_last_error: ["channel: i32", "i32"],
  /** 1 if the latest read on the channel came to the end of its file. */
  fs_eof: ["channel: i32", "i32"],
  /** Address of the buffer of the channel, 0 if there is no such channel. */
  fs_io_buffer: ["channel: i32", "usize"],
  /** Elements of the host in that buffer. */
  fs_max_count: ["", "i32"],
  /** Bytes of an element of the host. */
  fs_element_size: ["", "i32"],
  /** How many channels there are. */
  fs_channel_count: ["", "i32"],
  /** Aborts the host: what runs is finished, what waits is dropped, and the launches of the host end. */
  fs_abort: ["", "i32"],
  /** Waits until all members of the group are here: 0, or a status. */
  group_barrier: ["", "i32"],
  /** The value that member 0 gives. */
  group_share: ["value: f64", "f64"],
  /** The number of this member in its group. */
  group_local: ["", "i32"],
  /** Members per group. */
  group_size: ["", "i32"],
  /** The number of the group. */
  group_id: ["", "i32"],
  /** How many groups there are. */
  group_count: ["", "i32"],
} as const satisfies Record<string, ImportRow>;

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
