/**
 * The rest of channels: stores, functions of hosts, programs for WASI, images, statistics.
 *
 * Names of this entry may change in any version: `docs/decisions/0126-stable-and-unstable.md`.
 *
 * @example Whether this runtime can serve channels
 * ```ts
 * import { hasSupport, statusName } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals([hasSupport(), typeof statusName(-1)], [true, "string"]);
 * ```
 *
 * @module
 */

export type { ChannelOptions } from "../../channels/protocol/channel.ts";
export { hasSupport, type HostBytes, hostBytes } from "../../channels/host/options.ts";
export type { ChannelStatistics, HostStatistics, RunnerStatistics } from "../../channels/host/statistics.ts";
export type { Batch, Request } from "../../channels/files/batch_reads.ts";
export type { KernelFiles, NameFacts, OpenFileOptions } from "../../channels/files/kernel_files.ts";
export type { ImageCalls, ImageFacts, ImageForm, ImagePlace } from "../../channels/remote/images.ts";
export type { Route } from "../../channels/host/route.ts";
export type {
  Awaitable,
  BackEnd,
  FileFacts,
  NodeFacts,
  NodeTimes,
  OpenFlags,
} from "../../channels/backends/back_end.ts";
export { type DirectOptions, hasDirect } from "../../channels/backends/open_files.ts";
export {
  type FileStore,
  httpFiles,
  type HttpFilesOptions,
  type HttpStore,
  opfsFiles,
  type OpfsFilesOptions,
  type OpfsStore,
  type SystemStore,
} from "../../channels/backends/stores.ts";
export type { UserFiles } from "../../channels/backends/user.ts";
export type { OversizedPolicy } from "../../channels/files/rpc.ts";
export type {
  AnyKernelFile,
  KernelFile,
  ReadableKernelFile,
  SeekPosition,
  WritableKernelFile,
} from "../../channels/files/kernel_file.ts";
export type { ModeName } from "../../channels/files/modes.ts";
export { launchWasi, runWasi, type WasiResult } from "../../channels/wasi/run.ts";
export type { WasiInstance, WasiOptions, WasiProgress, WasiSource } from "../../channels/wasi/options.ts";
export { statusError, type StatusName, statusName } from "../../channels/protocol/status.ts";
export type { BusyPolicy } from "../../channels/protocol/caller.ts";
export type { NameAt } from "../../channels/host/arrays.ts";
export type { KernelArray } from "../../channels/host/arrays.ts";
export {
  type GivenArgument,
  type GivenArguments,
  type LaunchPlan,
  planLaunch,
  type ReturnedBy,
} from "../../channels/launch/launch_kernel.ts";
export type { LaunchArgument } from "../../channels/launch/arguments.ts";
export type { GroupResult } from "../../channels/launch/grid_run.ts";
export type { Member, MemberFunction } from "../../channels/launch/module_kernel.ts";
export type { GridProgress } from "../../channels/launch/options.ts";
export { type HostCalls, hostCalls } from "../../channels/launch/host_calls.ts";
export {
  remote,
  type RemoteArguments,
  type RemoteFunction,
  type RemoteFunctions,
  type RemoteResult,
  type RemoteResultOf,
  type RemoteType,
  type RemoteValues,
} from "../../channels/remote/function.ts";
export { remoteNumbers } from "../../channels/remote/function.ts";
export type {
  ArgumentsOf,
  RemoteCalls,
  RemoteOptions,
  RemoteTicket,
  ReturnOf,
} from "../../channels/remote/calls.ts";
export type { FunctionsSpec } from "../../channels/remote/service.ts";
export type { ServiceSource } from "../../channels/host/services.ts";
export { images } from "../../channel_images/mod.ts";
