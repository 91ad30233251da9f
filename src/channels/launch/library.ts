/**
 * What kernels in AssemblyScript import from `tilewise/channels`: files, work groups, and what a launch adds to them.
 *
 * @module
 */

import type { Library } from "../../user_kernels/prelude.ts";
import type { ImportRow } from "../files/import_table.ts";
import { channelLibrary, FILE_LIBRARY, type LibraryPart } from "../files/library_text.ts";

/** The imports by name: parameters and result. See `imports.ts` and `images.ts` for what they do. */
const REMOTE_IMPORTS = {
  rpc_find: ["channel: i32, name: usize, nameLength: i32", "i32"],
  rpc_call: ["channel: i32, fn: i32, args: usize, count: i32, flags: i32, result: usize", "i32"],
  rpc_submit: ["channel: i32, fn: i32, args: usize, count: i32, flags: i32", "i32"],
  rpc_try: ["ticket: i32", "i32"],
  rpc_wait: ["ticket: i32, milliseconds: f64", "i32"],
  rpc_get: ["ticket: i32, result: usize", "i32"],
  rpc_acquire: ["channel: i32", "i32"],
  rpc_release: ["channel: i32", "i32"],
  rpc_bytes: ["channel: i32, to: usize, capacity: i32", "i32"],
  rpc_message: ["channel: i32, to: usize, capacity: i32", "i32"],
  timestamp: ["", "f64"],
  load_image: [
    "channel: i32, name: usize, nameLength: i32, to: usize, width: i32, height: i32, stride: i32, form: i32, facts: usize",
    "i32",
  ],
  image_facts: ["channel: i32, name: usize, nameLength: i32, facts: usize", "i32"],
} as const;

/** AssemblyScript: words of arguments, and pleasant names. It allocates nothing. */
const TEXT = `
/** Flags of a call: keep it on the runner that has the files of the channel; send and fetch bytes piece by piece. */
export const enum Rpc { HOME = 1, STREAM = 2 }
/** What loaded pixels consist of: red, green, blue and alpha of 8 bits, or the samples of the file. */
export const enum Pixels { RGBA8 = 0, NATIVE = 1 }

/** Writes word \`index\` of the arguments at \`args\`. */
export function argF64(args: usize, index: i32, value: f64): void { store<f64>(args + (<usize>index << 3), value); }
export function argI64(args: usize, index: i32, value: i64): void { store<i64>(args + (<usize>index << 3), value); }
export function argBytes(args: usize, index: i32, pointer: usize, length: i32): void {
  store<u32>(args + (<usize>index << 3), <u32>pointer);
  store<u32>(args + (<usize>index << 3) + 4, <u32>length);
}

/** The number of a function of the host, or a negative status. */
export function findFunction(channel: i32, name: usize, nameLength: i32): i32 {
  return rpc_find(channel, name, nameLength);
}
/** Calls a function with \`count\` words at \`args\`, and waits: 0, or a negative status. The result is the word at \`result\`. */
export function callFunction(channel: i32, fn: i32, args: usize, count: i32, result: usize = 0, flags: i32 = 0): i32 {
  return rpc_call(channel, fn, args, count, flags, result);
}
/** Calls a function without waiting: a ticket above zero, or a negative status. The channel is held until it is released. */
export function submitCall(channel: i32, fn: i32, args: usize, count: i32, flags: i32 = 0): i32 {
  return rpc_submit(channel, fn, args, count, flags);
}
/** 1 if the answer is there, 0 if it is not, or a negative status. */
export function tryCall(ticket: i32): i32 { return rpc_try(ticket); }
/** As \`tryCall\`, after at most so many milliseconds. */
export function waitForCall(ticket: i32, milliseconds: f64 = Infinity): i32 { return rpc_wait(ticket, milliseconds); }
/** Waits for the answer and writes the result, as often as it is asked: 0, or a negative status. */
export function getResult(ticket: i32, result: usize = 0): i32 { return rpc_get(ticket, result); }
export function acquireChannel(channel: i32): i32 { return rpc_acquire(channel); }
export function releaseChannel(channel: i32): i32 { return rpc_release(channel); }
/** Copies what fits of the bytes of the latest result of a channel: how many there are. */
export function resultBytes(channel: i32, to: usize, capacity: i32): i32 { return rpc_bytes(channel, to, capacity); }
/** Copies what fits of the message of the latest failure, in UTF-8: how many bytes there are. */
export function failureMessage(channel: i32, to: usize, capacity: i32): i32 { return rpc_message(channel, to, capacity); }
/** Nanoseconds since the host was started. */
export function now(): f64 { return timestamp(); }
/** Loads an image: 0, or a negative status. \`facts\` gets four words of 32 bits: height, width, samples, type. */
export function loadImage(
  channel: i32, name: usize, nameLength: i32, to: usize, width: i32, height: i32, stride: i32,
  form: Pixels = Pixels.RGBA8, facts: usize = 0,
): i32 {
  return load_image(channel, name, nameLength, to, width, height, stride, form, facts);
}
/** The facts of an image: 0, or a negative status. */
export function imageFacts(channel: i32, name: usize, nameLength: i32, facts: usize): i32 {
  return image_facts(channel, name, nameLength, facts);
}
`;

/** Functions of the host and images, as a part of the library. */
export const REMOTE_LIBRARY: {
  /** Parameters and result of each imported function. */
  readonly imports: typeof REMOTE_IMPORTS;
  /** AssemblyScript. */
  readonly text: string;
} = { imports: REMOTE_IMPORTS, text: TEXT };

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
export const LIBRARY: Library = channelLibrary(LAUNCH_PARTS);
