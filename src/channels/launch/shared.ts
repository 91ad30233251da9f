/**
 * What travels to the workers of a launch: plain data.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import type { Leases } from "../../runner/leases.ts";
import type { DType } from "../../space/dtype.ts";
import type { CompiledKernel } from "../../user_kernels/compile.ts";
import type { SourcePosition } from "../../user_kernels/instance.ts";
import { GROUP_BYTES, resetGroup } from "../files/group.ts";
import type { ChannelUse } from "./access.ts";

/** A kernel in WebAssembly. */
export interface WasmCode {
  /** Tells it from a function. */
  readonly kind: "wasm";
  /** What it is called in messages. */
  readonly name: string;
  /** The module. */
  readonly kernel: CompiledKernel;
  /** The export that is called. */
  readonly call: string;
}

/** A kernel in TypeScript. */
export interface ModuleCode {
  /** Tells it from a module of WebAssembly. */
  readonly kind: "module";
  /** What it is called in messages. */
  readonly name: string;
  /** URL of the module. */
  readonly module: string;
  /** Its export. */
  readonly export: string;
}

/** A kernel of either kind. */
export type KernelCode = WasmCode | ModuleCode;

/** An array in the memory of the launch. */
export interface ArrayAt {
  /** Tells it from other arguments. */
  readonly kind: "array";
  /** Address of its first byte. */
  readonly offset: number;
  /** Type of its samples. */
  readonly dtype: DType;
  /** How many samples. */
  readonly length: number;
}

/** A name in the memory of the launch, in UTF-8. */
interface TextAt {
  /** Tells it from other arguments. */
  readonly kind: "name";
  /** Address of its first byte. */
  readonly offset: number;
  /** Its bytes. */
  readonly byteLength: number;
}

/** Any other argument, as it was given. */
interface PlainValue {
  /** Tells it from other arguments. */
  readonly kind: "value";
  /** The argument. */
  readonly value: unknown;
}

/** An argument as workers get it. */
export type PlacedArgument = ArrayAt | TextAt | PlainValue;

/** The memory of one group while it runs. */
export interface GroupPlace {
  /** Address of the block in which its members meet. */
  readonly block: number;
  /** Address of its local memory. */
  readonly local: number;
}

/** What all members of a launch share. */
export interface LaunchShared {
  /** The kernel. */
  readonly code: KernelCode;
  /** Its arguments. */
  readonly args: readonly PlacedArgument[];
  /** How many groups. */
  readonly groups: number;
  /** How many members each group has. */
  readonly groupSize: number;
  /** Places for groups. */
  readonly places: readonly GroupPlace[];
  /** Bytes of local memory of a group. */
  readonly localBytes: number;
  /** For each worker, the address of the static data of its kernel. */
  readonly statics: readonly number[];
  /** The channels, if there is a host. */
  readonly channels?: ChannelUse;
  /** When to stop, in milliseconds since 1970; `Infinity`: never. */
  readonly until: number;
}

/** One member of one group. */
export interface MemberTask {
  /** The group, from 0. */
  readonly group: number;
  /** The member of the group, from 0. */
  readonly member: number;
  /** Which place the group has; -1: that with the number of the worker, for groups of one member on any worker. */
  readonly place: number;
}

/** How a member ended. A member that fails throws instead. */
export interface MemberEnd {
  /** Whether it stopped because another member of its group had failed, or the launch was over. */
  readonly stopped: boolean;
  /** What the kernel returned. */
  readonly value: unknown;
}

// Where groups run: places in memory, a block with the words of the barrier and the local memory for each group that runs at
// the same time.

/** Takes `count` places. */
export function leasePlaces(leases: Leases, count: number, localBytes: number): GroupPlace[] {
  return Array.from({ length: count }, () => {
    const { offset: block } = leases.lease(GROUP_BYTES, "a work group");
    const local = localBytes > 0 ? leases.lease(localBytes, "local memory of a work group").offset : 0;
    return { block, local };
  });
}

/** Prepares a place for the next group, before any member of it runs: nobody has arrived, its local memory holds zeros. */
export function preparePlace(
  memory: WebAssembly.Memory,
  { block, local }: GroupPlace,
  { groupSize, localBytes }: Pick<LaunchShared, "groupSize" | "localBytes">,
): void {
  resetGroup(memory, { offset: block, members: groupSize });
  if (localBytes > 0) new Uint8Array(memory.buffer, local, localBytes).fill(0);
}

// The errors of a launch: they name the kernel, the group and the member.

/** Who has failed. */
interface Who {
  /** What the kernel is called. */
  readonly kernel: string;
  /** The group. */
  readonly group: number;
  /** The member of the group. */
  readonly member: number;
}

/** What a member has thrown, with its place in the source if that is known. */
export function memberError(error: unknown, who: Who, place?: SourcePosition): TilewiseError {
  const source = place ? ` (${place.file}:${place.line}:${place.column})` : "";
  const text = `Kernel "${who.kernel}" failed in group ${who.group}, member ${who.member}: ${
    reasonOf(error)
  }${source}`;
  const known = error instanceof TilewiseError ? error.details : {};
  const code = error instanceof TilewiseError ? error.code : "udf";
  const failure = new TilewiseError(code, text, { ...known, ...who, ...place }, { cause: error });
  if (error instanceof Error && error.stack) failure.stack = error.stack;
  return failure;
}

/** The error of a launch: `error` itself, or, if a member has lost its worker, one that names the member. */
export function launchError(error: unknown, kernel: string, groupSize: number): unknown {
  if (!isTilewiseError(error) || error.details["group"] !== undefined) return error;
  const { task } = error.details;
  if (typeof task !== "number") return error;
  const who = { kernel, group: Math.floor(task / groupSize), member: task % groupSize };
  const text = `Kernel "${kernel}" failed in group ${who.group}, member ${who.member}: ${error.message}`;
  return new TilewiseError(error.code, text, { ...error.details, ...who }, { cause: error });
}

/** The error of a launch that has not ended in time. */
export function lateError(kernel: string, timeout: number): TilewiseError {
  const text = `Kernel "${kernel}" has not ended within ${timeout} ms, the option "timeout" of the launch`;
  return new TilewiseError("timeout", text, { kernel, expected: timeout });
}
