/**
 * What kernels in AssemblyScript import from `tilewise/channels`.
 *
 * @module
 */

import type { Library } from "../../user_kernels/prelude.ts";
import { FILE_IMPORTS } from "../files/import_table.ts";
import { IMPORT_MODULE } from "../files/imports.ts";

/** The functions that every launch provides, with a host or without. */
export const GRID_FUNCTIONS = [
  "group_barrier",
  "group_share",
  "group_local",
  "group_size",
  "group_id",
  "group_count",
  "channel",
  "cancelled",
  "local_memory",
  "local_bytes",
] as const;

const OWN = `
// @ts-ignore: decorator
@external("channels", "group_id") export declare function groupId(): i32;
// @ts-ignore: decorator
@external("channels", "group_count") export declare function groupCount(): i32;
// @ts-ignore: decorator
@external("channels", "group_local") export declare function localId(): i32;
// @ts-ignore: decorator
@external("channels", "group_size") export declare function groupSize(): i32;
// @ts-ignore: decorator
@external("channels", "group_barrier") export declare function barrier(): i32;
// @ts-ignore: decorator
@external("channels", "channel") export declare function channel(): i32;
// @ts-ignore: decorator
@external("channels", "cancelled") export declare function cancelled(): i32;
// @ts-ignore: decorator
@external("channels", "local_memory") export declare function localMemory(): usize;
// @ts-ignore: decorator
@external("channels", "local_bytes") export declare function localBytes(): i32;
`;

/** The library of channels. */
export const LIBRARY: Library = {
  name: "tilewise/channels",
  module: IMPORT_MODULE,
  functions: [...new Set([...Object.keys(FILE_IMPORTS), ...GRID_FUNCTIONS])],
  text: OWN,
};
