/**
 * Channels: kernels open, read and write files, call functions of their host and load images while they run, from inside
 * WebAssembly in a worker.
 *
 * `startHost` serves channels in shared memory from workers of its own. `launchKernel` runs a kernel as a grid of work groups that
 * use them; a UDF of a run can have them as well.
 *
 * @example Room for two channels of 1024 samples
 * ```ts
 * import { channelBytes } from "@tilewise/tilewise/channels";
 * import { assert } from "@std/assert";
 * assert(channelBytes({ channels: 2, bufferLength: 1024, elementSize: 8 }) > 2 * 8192);
 * ```
 *
 * @module
 */

import "../threads.ts";

export * from "../channels/mod.ts";
export { images } from "../channel_images/mod.ts";
