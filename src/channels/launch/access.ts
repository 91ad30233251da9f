/**
 * How code on one worker sees a host: kernels of a launch, and UDFs of a run.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Group } from "../files/group.ts";
import type { GroupPlace } from "../files/imports.ts";
import type { KernelFiles } from "../files/kernel_files.ts";
import type { OversizedPolicy } from "../files/rpc.ts";
import type { Route } from "../host/route.ts";
import type { RemoteCalls } from "../remote/calls.ts";
import type { RemoteFunctions } from "../remote/function.ts";
import type { BusyPolicy } from "../protocol/caller.ts";
import type { ChannelLayout } from "../protocol/layout.ts";

/** Where a host is and how its files are reached: plain data for a job. */
export interface ChannelUse {
  /** The channels. */
  readonly layout: ChannelLayout;
  /** Who answers file calls. */
  readonly route: Route;
  /** What calls do on a channel that is held. Default `wait`. */
  readonly busy?: BusyPolicy;
  /** What transfers do that are larger than a buffer. Default `fail`. */
  readonly oversized?: OversizedPolicy;
}

/** Functions that a kernel in WebAssembly imports. */
type ImportedFunctions = Readonly<Record<string, (...args: number[]) => number>>;

/** The way from one worker to a host, or the lack of one. */
export interface HostAccess {
  /** What a kernel in WebAssembly imports. */
  imports(place?: GroupPlace): ImportedFunctions;
  /** What a kernel in TypeScript calls. */
  files(channel: number, group?: Group): KernelFiles;
  /** The functions of the host for a kernel in TypeScript. */
  calls(): RemoteCalls<RemoteFunctions>;
  /** Closes files that were left open, if this worker has opened them. */
  close(): void;
}

/** Access where there is no host: `hint` says how to get one. */
export function noAccess(who: string, hint: string): HostAccess {
  const refuse = (): never => {
    throw new TilewiseError("invalid", `${who} has no channels: ${hint}`, { expected: hint });
  };
  const files = { open: refuse, stat: refuse, list: refuse, remove: refuse, mkdir: refuse };
  imports.set(files, refuse);
  return { imports: refuse, files: () => files, calls: refuse, close: () => {} };
}

/** What kernels in WebAssembly import where functions in TypeScript get these files. */
const imports = new WeakMap<KernelFiles, () => ImportedFunctions>();

/** The files of a UDF on one worker, which uses one channel alone. */
export function filesOfWorker(access: HostAccess, channel: number, cancelled: () => boolean): KernelFiles {
  const files = access.files(channel);
  if (imports.has(files)) return files;
  const own = {
    member_channel: () => channel,
    member_cancelled: () => cancelled() ? 1 : 0,
    local_memory: () => 0,
    local_bytes: () => 0,
  };
  imports.set(files, () => ({ ...access.imports(), ...own }));
  return files;
}

/** What a kernel in WebAssembly imports to reach these files. Errors: `invalid` if there are no channels. */
export function importsFor(files: KernelFiles): ImportedFunctions {
  return imports.get(files)?.() ?? {};
}
