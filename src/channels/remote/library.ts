/**
 * The part of the AssemblyScript library `tilewise/channels` for functions of the host and for images.
 *
 * @module
 */

/** Imports that the text declares. */
export const REMOTE_IMPORTS = [
  "rpc_find",
  "rpc_call",
  "rpc_submit",
  "rpc_try",
  "rpc_wait",
  "rpc_get",
  "rpc_acquire",
  "rpc_release",
  "rpc_bytes",
  "rpc_message",
  "timestamp",
  "load_image",
  "image_facts",
] as const;

/** AssemblyScript: declarations, and short names for words of arguments. It allocates nothing. */
export const REMOTE_LIBRARY = `
// @ts-ignore: decorator
@external("channels", "rpc_find")
export declare function rpc_find(channel: i32, name: usize, nameLength: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_call")
export declare function rpc_call(channel: i32, fn: i32, args: usize, count: i32, flags: i32, result: usize): i32;
// @ts-ignore: decorator
@external("channels", "rpc_submit")
export declare function rpc_submit(channel: i32, fn: i32, args: usize, count: i32, flags: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_try")
export declare function rpc_try(ticket: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_wait")
export declare function rpc_wait(ticket: i32, milliseconds: f64): i32;
// @ts-ignore: decorator
@external("channels", "rpc_get")
export declare function rpc_get(ticket: i32, result: usize): i32;
// @ts-ignore: decorator
@external("channels", "rpc_acquire")
export declare function rpc_acquire(channel: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_release")
export declare function rpc_release(channel: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_bytes")
export declare function rpc_bytes(channel: i32, to: usize, capacity: i32): i32;
// @ts-ignore: decorator
@external("channels", "rpc_message")
export declare function rpc_message(channel: i32, to: usize, capacity: i32): i32;
// @ts-ignore: decorator
@external("channels", "timestamp")
export declare function timestamp(): f64;
// @ts-ignore: decorator
@external("channels", "load_image")
export declare function load_image(
  channel: i32, name: usize, nameLength: i32, to: usize, width: i32, height: i32, stride: i32, form: i32, facts: usize
): i32;
// @ts-ignore: decorator
@external("channels", "image_facts")
export declare function image_facts(channel: i32, name: usize, nameLength: i32, facts: usize): i32;

/** Flags of a call: keep it on the runner that has the files of the channel; send and fetch bytes piece by piece. */
export const RPC_HOME: i32 = 1;
export const RPC_STREAM: i32 = 2;
/** Forms of pixels. */
export const IMAGE_RGBA8: i32 = 0;
export const IMAGE_NATIVE: i32 = 1;

/** Writes word \`index\` of the arguments at \`args\`. */
export function argF64(args: usize, index: i32, value: f64): void { store<f64>(args + (<usize>index << 3), value); }
export function argI64(args: usize, index: i32, value: i64): void { store<i64>(args + (<usize>index << 3), value); }
export function argBytes(args: usize, index: i32, pointer: usize, length: i32): void {
  store<u32>(args + (<usize>index << 3), <u32>pointer);
  store<u32>(args + (<usize>index << 3) + 4, <u32>length);
}
`;
