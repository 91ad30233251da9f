/**
 * The way from one worker to a host.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { FileCalls } from "../files/calls.ts";
import { fileImports } from "../files/imports.ts";
import { kernelFiles } from "../files/kernel_files.ts";
import { loadFilesOfKernel } from "../host/files.ts";
import { fileCalls } from "../host/route.ts";
import { type RemoteCalls, remoteCalls } from "../remote/calls.ts";
import type { RemoteFunctions } from "../remote/function.ts";
import { imageImports } from "../remote/images.ts";
import { remoteImports } from "../remote/imports.ts";
import type { ChannelUse, HostAccess } from "./access.ts";
import { withWay } from "./host_calls.ts";

/** The way to the host of `use` from a worker with this memory. */
export async function accessTo(use: ChannelUse, memory: WebAssembly.Memory): Promise<HostAccess> {
  const { layout, route, busy, oversized } = use;
  if (route === "direct") await loadFilesOfKernel(memory, layout);
  let made: ReturnType<typeof fileCalls> | undefined;
  let remote: RemoteCalls<RemoteFunctions> | undefined;
  const calls = (): FileCalls => made ??= fileCalls(route, memory, layout, busy, oversized); // a thread that makes no calls takes no place
  return {
    imports: (place) => ({
      ...fileImports(memory, layout, calls(), place),
      ...remoteImports(memory, layout, busy),
      ...imageImports(memory, layout, busy),
    }),
    files: (channel, group) =>
      withWay(kernelFiles(memory, layout, calls(), channel, group), { memory, layout, channel }),
    calls: () => remote ??= remoteCalls(memory, layout, defined({ busy })),
    close: () => made?.closeAll(),
  };
}
