/**
 * What kernels in AssemblyScript import from `tilewise/channels`.
 *
 * @module
 */

import type { Library } from "../../user_kernels/prelude.ts";
import { IMPORT_MODULE } from "../files/imports.ts";

/** The library of channels. */
export const LIBRARY: Library = {
  name: "tilewise/channels",
  module: IMPORT_MODULE,
  functions: [
    ...[
      "fs_open",
      "fs_read",
      "fs_write",
      "fs_close",
      "fs_size",
      "fs_last_error",
      "fs_io_buffer",
      "fs_max_count",
    ],
    ...["group_id", "group_count", "local_id", "group_size", "barrier"],
    ...["channel", "cancelled", "local_memory", "local_bytes"],
  ],
  text: `
// @ts-ignore: decorator
@external("channels", "group_id") export declare function groupId(): i32;
// @ts-ignore: decorator
@external("channels", "group_count") export declare function groupCount(): i32;
// @ts-ignore: decorator
@external("channels", "local_id") export declare function localId(): i32;
// @ts-ignore: decorator
@external("channels", "group_size") export declare function groupSize(): i32;
// @ts-ignore: decorator
@external("channels", "barrier") export declare function barrier(): i32;
// @ts-ignore: decorator
@external("channels", "channel") export declare function channel(): i32;
// @ts-ignore: decorator
@external("channels", "cancelled") export declare function cancelled(): i32;
// @ts-ignore: decorator
@external("channels", "local_memory") export declare function localMemory(): usize;
// @ts-ignore: decorator
@external("channels", "local_bytes") export declare function localBytes(): i32;
`,
};
