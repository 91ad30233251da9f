/**
 * What kernels in AssemblyScript import from `tilewise/channels`: files, work groups, and what a launch adds to them.
 *
 * @module
 */

import type { ImportRow } from "../files/import_table.ts";
import { type ChannelLibrary, channelLibrary, FILE_LIBRARY, type LibraryPart } from "../files/library.ts";
import { REMOTE_LIBRARY } from "../remote/library.ts";

/** What a launch provides beside files. */
const MEMBER_IMPORTS = {
  // the channel of this member
  member_channel: ["", "i32"],
  // 1 when the launch is over
  member_cancelled: ["", "i32"],
  // address of the local memory of the group, and its bytes
  local_memory: ["", "usize"],
  local_bytes: ["", "i32"],
} as const satisfies Record<string, ImportRow>;

const MEMBER_LIBRARY: LibraryPart = {
  imports: MEMBER_IMPORTS,
  text: `
/** The channel of this member; no other member that runs has it. */
@inline export function channel(): i32 { return member_channel(); }
/** Whether the launch is over, so that a long loop should return. */
@inline export function cancelled(): bool { return member_cancelled() != 0; }
/** Address of the memory that the members of this group share, zeros when it starts; 0 if the launch has asked for none. */
@inline export function localMemory(): usize { return local_memory(); }
@inline export function localBytes(): i32 { return local_bytes(); }
`,
};

/** The functions that every launch provides, with a host or without. */
export const GRID_FUNCTIONS: readonly string[] = [
  ...["group_barrier", "group_share", "group_local", "group_size", "group_id", "group_count"],
  ...Object.keys(MEMBER_IMPORTS),
];

/** The parts of the library of launched kernels. */
export const LAUNCH_PARTS: readonly LibraryPart[] = [FILE_LIBRARY, MEMBER_LIBRARY, REMOTE_LIBRARY];

/** The library of launched kernels. */
export const LIBRARY: ChannelLibrary = channelLibrary(LAUNCH_PARTS);
