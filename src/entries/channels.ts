/**
 * Channels: kernels open, read and write files, call functions of their host and load images while they run, from inside
 * WebAssembly in a worker.
 *
 * `startHost` serves channels in shared memory from workers of its own. `launchKernel` runs a kernel as a grid of work groups that
 * use them; a UDF of a run can have them as well.
 *
 * @example A kernel in TypeScript or AssemblyScript finds the files of a host, here in memory
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { memoryFiles, startHost } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "4MiB" });
 * const backEnd = memoryFiles({ bytes: "1MiB", contents: { "scan.raw": Uint8Array.of(1, 2) } });
 * await using host = await startHost(context, { channels: 1, bufferLength: 64, elementSize: 1, backEnd });
 * assertEquals([...await host.readFile("scan.raw")], [1, 2]);
 * ```
 *
 * @module
 */

export { type ChannelHost, startHost } from "../channels/host/host.ts";
export type { HostOptions } from "../channels/host/options.ts";
export { memoryFiles, type MemoryFilesOptions, type MemoryStore } from "../channels/backends/stores.ts";
export { launchKernel } from "../channels/launch/launch_kernel.ts";
export type { GridResult } from "../channels/launch/grid_run.ts";
export type { KernelBytes, KernelExport, KernelSource } from "../channels/launch/kernels.ts";
export type { GridOptions } from "../channels/launch/options.ts";
