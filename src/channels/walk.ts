/**
 * The random walk: a kernel that reads a file in dependent 8-byte steps through a channel and writes a result.
 *
 * It measures what one read costs a kernel, and shows how a kernel module with imports is bound.
 *
 * @module
 */

import type { ChannelLayout } from "./protocol/channel.ts";
import type { FileCalls } from "./files/calls.ts";
import { fileCalls } from "./host/route.ts";
import { fileImports, IMPORT_MODULE } from "./files/imports.ts";
import { CHANNEL_KERNELS_BASE64 } from "./kernels_bytes.ts";
import type { NameAt } from "./host/names.ts";
import { statusError } from "./protocol/status.ts";

/**
 * The files of a walk: plain data that a job shares among its tasks.
 * @category Channels
 */
export interface WalkFiles {
  /** The channels of the host. */
  readonly layout: ChannelLayout;
  /** The file of positions, 64-bit integers below its length. */
  readonly from: NameAt;
  /** The file of results, which must exist: 64-bit integers, one for each walker. */
  readonly to: NameAt;
}

/**
 * Some of the walkers of a walk.
 * @category Channels
 */
export interface Walk extends Omit<WalkFiles, "layout"> {
  /** The channel to use; no other task should use it at the same time. */
  readonly channel: number;
  /** The first walker. */
  readonly first: number;
  /** How many walkers. */
  readonly count: number;
  /** Reads of each walker. */
  readonly steps: number;
}

interface WalkExports {
  random_walk(
    channel: number,
    from: number,
    fromLength: number,
    to: number,
    toLength: number,
    first: number,
    count: number,
    steps: number,
  ): number;
}

let module: WebAssembly.Module | undefined;

/**
 * The walk as a function on this thread, over shared `memory`. It throws typed errors for failed calls. By default the host
 * answers the calls.
 * @category Channels
 */
export function walkKernel(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  calls: FileCalls = fileCalls("rpc", memory, layout),
): (walk: Walk) => void {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(CHANNEL_KERNELS_BASE64), (c) => c.charCodeAt(0)));
  const imports = { env: { memory }, [IMPORT_MODULE]: fileImports(memory, layout, calls) };
  const { exports } = new WebAssembly.Instance(module, imports);
  const { random_walk } = exports as unknown as WalkExports;
  return ({ channel, from, to, first, count, steps }) => {
    const { offset, byteLength } = from;
    const status = random_walk(channel, offset, byteLength, to.offset, to.byteLength, first, count, steps);
    if (status < 0) throw statusError(status, `walk from walker ${first} on`);
  };
}

/**
 * The same walk over positions in memory: where each walker ends.
 *
 * @example
 * ```ts
 * import { walkReference } from "@tilewise/tilewise/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(walkReference([1n, 2n, 0n], 2, 2), [2n, 1n]); // walkers start at 0 and 7919 mod 3
 * ```
 * @category Channels
 */
export function walkReference(positions: ArrayLike<bigint>, walkers: number, steps: number): bigint[] {
  return Array.from({ length: walkers }, (_, w) => {
    let position = BigInt(w * 7919 % positions.length);
    for (let s = 0; s < steps; s++) position = positions[Number(position)]!;
    return position;
  });
}
