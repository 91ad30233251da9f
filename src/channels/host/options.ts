/**
 * The options of a host, and what memory they mean.
 *
 * @module
 */

import { hasThreads } from "../../executor/threads.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, isNamed, type OptionNames } from "../../options.ts";
import { atLeast0, must, needed, number, whole } from "../../options/rules.ts";
import { type DType, dtypeInfo, parseDType } from "../../space/dtype.ts";
import { dtypeName } from "../../space/rules.ts";
import { storeBytes } from "../backends/open_files.ts";
import { type FileStore, folders, storeRule } from "../backends/stores.ts";
import { channelBytes, type ChannelOptions, newGate } from "../protocol/channel.ts";
import { functionsRule, functionsSource, type FunctionsSpec } from "../remote/service.ts";
import { fileSource } from "./file_service.ts";
import type { ServiceSource } from "./services.ts";

/**
 * Options of {@link startHost}.
 * @category Channels
 */
export interface HostOptions extends Omit<ChannelOptions, "elementSize"> {
  /** Bytes of the element that counts and offsets are given in. Whole, at least 1. Default: those of `type`. */
  readonly elementSize?: number;
  /** The type of that element, instead of its size. */
  readonly type?: DType;
  /** Most scans over the channels per second and runner; 0 or less: unlimited. Any number. Default 0. */
  readonly scanRate?: number;
  /** Functions that kernels can call: the module and export with records that `remote()` makes. Default: none. */
  readonly functions?: FunctionsSpec;
  /** Lets kernels load images, with `images()`. Default: they cannot. */
  readonly images?: ServiceSource;
  /** Grace period for running calls when the host closes, in ms. At least 0. Default 5000. */
  readonly grace?: number;
  /**
   * Folders below which kernels use files; no name and no link leads out of them. Relative names start at the first one. Default:
   * all files that the runtime permits, from the current directory.
   */
  readonly roots?: readonly string[];
  /** Where the files are: `memoryFiles()`, `opfsFiles()`, `httpFiles(url)`, or a module of yours. Default: the operating system. */
  readonly backEnd?: FileStore;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
const HOST_OPTIONS: OptionNames<HostOptions> = {
  channels: needed(whole(1, 1024)), bufferLength: needed(whole(1)), runners: whole(0, 31),
  elementSize: whole(1), type: dtypeName, scanRate: number, functions: functionsRule,
  images: must("images()", (value) => isNamed(value) && "export" in value), grace: atLeast0, roots: folders,
  backEnd: storeRule,
};

/** The counts of the channels of a host. Errors: `invalid`. */
export function countsOf(call: string, options: HostOptions): ChannelOptions {
  checkOptionNames(call, options, HOST_OPTIONS);
  const { channels, bufferLength, runners = 1 } = options;
  const counts = { channels, bufferLength, elementSize: elementSizeOf(call, options), runners };
  channelBytes(counts); // checks them
  return counts;
}

/** What the runners of a host answer with. */
export function servicesOf({ functions, images }: HostOptions): ServiceSource[] {
  return [fileSource(), ...(functions ? [functionsSource(functions)] : []), ...(images ? [images] : [])];
}

function elementSizeOf(call: string, { elementSize, type }: HostOptions): number {
  if (type === undefined && elementSize !== undefined) return elementSize;
  if (type === undefined) {
    const text =
      `${call}: the elements have no size; give it one of the options elementSize (bytes) and type`;
    throw new TilewiseError("invalid", text, { option: "elementSize" });
  }
  const { itemSize } = dtypeInfo(parseDType(type));
  if (elementSize === undefined || elementSize === itemSize) return itemSize;
  const found = `elementSize ${elementSize}, type "${type}"`;
  const text =
    `${call}: an element of ${type} has ${itemSize} bytes, not ${elementSize}; give it one of both`;
  throw new TilewiseError("invalid", text, { option: "elementSize", found, expected: itemSize });
}

/**
 * Bytes that a host takes.
 * @category Channels
 */
export interface HostBytes {
  /** Outside of the memory of the context: what tells late callers that a host has gone. */
  readonly host: number;
  /** Of the memory of the context, from its budget. */
  readonly shared: number;
  /** Of memory of each work group. A host needs none. */
  readonly local: number;
}

/**
 * Bytes that a host with these options takes, equal to what {@link startHost} leases.
 *
 * @example
 * ```ts
 * import { hostBytes } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * const { shared } = hostBytes({ channels: 2, bufferLength: 512, type: "float64", runners: 2 });
 * assertEquals(shared > 2 * 512 * 8, true); // the buffers, and what guards and serves them
 * ```
 * @category Channels
 */
export function hostBytes(options: HostOptions): HostBytes {
  const counts = countsOf("hostBytes()", options);
  const shared = channelBytes(counts) + storeBytes(options.backEnd);
  return { host: newGate().byteLength, shared, local: 0 };
}

/**
 * Whether a host can be started here: memory that threads share, threads, and a way to wait for a change of that memory. Pages
 * need cross-origin isolation.
 *
 * @example
 * ```ts
 * import { hasSupport } from "@tilewise/tilewise/unstable/channels";
 * import { assertEquals } from "@std/assert";
 * assertEquals(hasSupport(), true);
 * ```
 * @category Channels
 */
export function hasSupport(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && typeof Atomics?.wait === "function" && hasThreads();
}
