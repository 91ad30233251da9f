/**
 * The two routes of a file call: through a channel to the host, or done by the thread of the kernel.
 *
 * @module
 */

import { oneOf } from "../../options/rules.ts";
import type { FileCalls } from "../files/calls.ts";
import { directCalls, FileTable } from "../files/file_table.ts";
import { type OversizedPolicy, RpcCalls } from "../files/rpc.ts";
import type { BusyPolicy } from "../protocol/caller.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { filesOfKernel } from "./files.ts";

/**
 * Who does the I/O: the host's runner (`rpc`), or the worker of the kernel itself (`direct`).
 * @category Channels
 */
export type Route = "rpc" | "direct";

/**
 * File calls for a kernel on this thread. With `direct`, call `closeAll` of the result when the kernel has ended;
 * with `rpc` the host closes files that are still open. Errors: `unsupported` for `direct` where only a runner can reach the files.
 * @category Channels
 */
export function fileCalls(
  route: Route,
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  busy: BusyPolicy = "wait",
  oversized: OversizedPolicy = "fail",
): FileCalls & {
  /** Closes all files that are open. */
  closeAll(): void;
} {
  oneOf("rpc", "direct")("fileCalls()", "route", route);
  oneOf("wait", "fail")("fileCalls()", "busy", busy);
  oneOf("fail", "chunk")("fileCalls()", "oversized", oversized);
  if (route === "direct") return directCalls(new FileTable(memory, layout, filesOfKernel(memory, layout)));
  return Object.assign(new RpcCalls(memory, layout, busy, oversized), { closeAll: () => {} });
}
