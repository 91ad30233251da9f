/**
 * Channels: kernels open, read and write files while they run, from inside WebAssembly in a worker.
 *
 * `startHost` serves channels in shared memory from a worker of its own; `launchKernel` runs a kernel that uses them, either through
 * a channel (`rpc`) or with its files opened by the kernel's own thread (`direct`).
 *
 * @module
 */

export type { ChannelOptions } from "./protocol/channel.ts";
export { type ChannelHost, startHost } from "./host/host.ts";
export { hasSupport, type HostBytes, hostBytes, type HostOptions } from "./host/options.ts";
export type { ChannelStatistics, HostStatistics, RunnerStatistics } from "./host/statistics.ts";
export type { Batch, Request } from "./files/batch_reads.ts";
export type { KernelFiles, NameFacts, OpenFileOptions } from "./files/kernel_files.ts";
export type { ImageCalls, ImageFacts, ImageForm, ImagePlace } from "./remote/images.ts";
export type { Route } from "./host/route.ts";
export type { BackEnd, FileFacts, NodeFacts, NodeTimes, OpenFlags, Soon } from "./backends/back_end.ts";
export { type DirectOptions, hasDirect } from "./backends/direct.ts";
export {
  type FileStore,
  httpFiles,
  type HttpFilesOptions,
  type HttpStore,
  memoryFiles,
  type MemoryFilesOptions,
  type MemoryStore,
  opfsFiles,
  type OpfsFilesOptions,
  type OpfsStore,
  type SystemStore,
} from "./backends/stores.ts";
export type { UserFiles } from "./backends/user.ts";
export type { OversizedPolicy } from "./files/rpc.ts";
export type {
  AnyKernelFile,
  KernelFile,
  Place,
  ReadableKernelFile,
  WritableKernelFile,
} from "./files/kernel_file.ts";
export type { ModeName } from "./files/modes.ts";
export { launchWasi, runWasi, type WasiResult } from "./wasi/run.ts";
export type { WasiInstance, WasiOptions, WasiProgress, WasiSource } from "./wasi/options.ts";
export { statusError, type StatusName, statusName } from "./protocol/status.ts";
export type { BusyPolicy } from "./protocol/caller.ts";
export type { NameAt } from "./host/names.ts";
export type { KernelArray } from "./host/arrays.ts";
export {
  type GivenArgument,
  type GivenArguments,
  launchKernel,
  type ReturnedBy,
} from "./launch/launch_kernel.ts";
export type { LaunchArgument } from "./launch/arguments.ts";
export type { GridResult, GroupResult } from "./launch/grid_run.ts";
export type { GridKernel, KernelBytes, KernelExport, KernelSource } from "./launch/kernels.ts";
export type { Member, MemberFunction } from "./launch/module_kernel.ts";
export type { GridOptions, GridProgress } from "./launch/options.ts";
export { type HostCalls, hostCalls } from "./launch/host_calls.ts";
export {
  remote,
  type RemoteArguments,
  type RemoteFunction,
  type RemoteFunctions,
  type RemoteResult,
  type RemoteResultOf,
  type RemoteType,
  type RemoteValues,
} from "./remote/function.ts";
export { remoteNumbers } from "./remote/table.ts";
export type { ArgumentsOf, RemoteCalls, RemoteOptions, RemoteTicket, ReturnOf } from "./remote/calls.ts";
export type { FunctionsSpec } from "./remote/service.ts";
export type { ServiceSource } from "./host/services.ts";
