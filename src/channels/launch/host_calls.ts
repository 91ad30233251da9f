/**
 * What a kernel in TypeScript can ask of its host beside files: functions, and images.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames } from "../../options.ts";
import type { KernelFiles } from "../files/kernel_files.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import { REMOTE_OPTIONS, type RemoteCalls, remoteCalls, type RemoteOptions } from "../remote/calls.ts";
import type { RemoteFunctions } from "../remote/function.ts";
import { type ImageCalls, imageCalls } from "../remote/images.ts";

/** Where a host is for one kernel. */
interface Way {
  readonly memory: WebAssembly.Memory;
  readonly layout: ChannelLayout;
  readonly channel: number;
}

/**
 * A host, as one kernel sees it.
 * @category Channels
 */
export interface HostCalls<F extends RemoteFunctions> {
  /** The channel of the kernel: the first argument of all calls. Its files use it as well, but not while a call holds it. */
  readonly channel: number;
  /** The functions of the host. */
  readonly functions: RemoteCalls<F>;
  /** Images, if the host was started with the option `images`. */
  readonly images: ImageCalls;
}

const ways = new WeakMap<KernelFiles, Way>();

/** Notes where the host of `files` is; returns the files. */
export function withWay(files: KernelFiles, way: Way): KernelFiles {
  ways.set(files, way);
  return files;
}

/**
 * The functions and images of the host whose files these are: those of a member of a launch, or of a UDF.
 *
 * Errors: `invalid` for files of a kernel that has no channels.
 *
 * @example
 * ```ts
 * import { hostCalls, type Member, remote } from "@tilewise/tilewise/unstable/channels";
 * const functions = { half: remote(["f64"], "f64", (x) => x / 2) };
 * export function kernel({ files }: Member): number {
 *   const { channel, functions: calls } = hostCalls<typeof functions>(files);
 *   return calls.call(channel, "half", 3);
 * }
 * ```
 * @category Channels
 */
export function hostCalls<F extends RemoteFunctions>(
  files: KernelFiles,
  options: RemoteOptions = {},
): HostCalls<F> {
  checkOptionNames("hostCalls()", options, REMOTE_OPTIONS);
  const way = ways.get(files);
  if (!way) {
    const text =
      "Cannot call the host of these files: the kernel has no channels; give launchKernel() a host, or run() " +
      "the option channels";
    throw new TilewiseError("invalid", text, { option: "files" });
  }
  const { memory, layout, channel } = way;
  return {
    channel,
    functions: remoteCalls<F>(memory, layout, options),
    images: imageCalls(memory, layout, options.busy),
  };
}
