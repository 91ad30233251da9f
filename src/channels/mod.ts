/**
 * Channels: kernels open, read and write files while they run, from inside WebAssembly in a worker.
 *
 * `startHost` serves channels in shared memory from a worker of its own; `fileCalls` and `fileImports` make what a kernel
 * imports, either through a channel (`rpc`) or done by the kernel's own thread (`direct`).
 *
 * @example Room for two channels of 1024 samples
 * ```ts
 * import { assert } from "@std/assert";
 * assert(channelBytes({ channels: 2, bufferLength: 1024, elementSize: 8 }) > 2 * 8192);
 * ```
 *
 * @module
 */

export { channelBytes, type ChannelLayout, type ChannelOptions } from "./channel.ts";
export { type BackEnd, type ChannelHost, fileCalls, type HostOptions, startHost } from "./host.ts";
export type { FileCalls } from "./files.ts";
export { type FileImports, fileImports, IMPORT_MODULE, type Transfer } from "./imports.ts";
export type { Job, JobFactory, JobHandler, WorkerContext } from "../executor/task.ts";
export type {
  AnyJob,
  Launch,
  LaunchOptions,
  SharedOf,
  TaskOf,
  TaskProgress,
  TaskResultOf,
} from "../runner/launch.ts";
export type { BusyPolicy } from "./rpc.ts";
export type { NameAt } from "./names.ts";
export { type Walk, type WalkFiles, walkKernel, walkReference } from "./walk.ts";
