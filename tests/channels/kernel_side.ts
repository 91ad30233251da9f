/** What the channel tests share: a host over a small arena, and file calls as a kernel would make them. */

import type { Arena } from "../../src/memory/arena.ts";
import { RunContext } from "../../src/runner/context.ts";
import { loadFilesOfKernel } from "../../src/channels/host/files.ts";
import { startHost } from "../../src/channels/host/host.ts";
import type { HostOptions } from "../../src/channels/host/options.ts";
import { fileCalls, type Route } from "../../src/channels/host/route.ts";
import { Group, GROUP_BYTES, resetGroup, TOGETHER } from "../../src/channels/files/group.ts";
import { type FileImports, fileImports } from "../../src/channels/files/imports.ts";
import type { ChannelLayout } from "../../src/channels/protocol/channel.ts";
import { MODE_NAMES, type ModeName } from "../../src/channels/files/modes.ts";
import { statusName } from "../../src/channels/protocol/status.ts";
import { insideOfHost } from "../../src/channels/host/inside.ts";

export const ROUTES: readonly Route[] = ["rpc", "direct"];

/** Every way of a transfer: they have the same rules. `chunk`: in pieces of three elements; `group`: of a work group. */
export const WAYS = ["rpc", "direct", "chunk", "pinned", "direct pinned", "group"] as const;

/** One of them. */
export type Way = typeof WAYS[number];

/** Elements of the scratch, and of the guards on both sides of it. */
const SCRATCH = 48, GUARD = 8;

/** A kernel's view of its files: elements are 16-bit numbers, read to a scratch between guards. */
export class KernelSide {
  readonly scratch: Uint16Array;
  readonly #around: Uint16Array;

  constructor(
    readonly arena: Arena,
    readonly layout: ChannelLayout,
    readonly fs: FileImports,
    around: number,
    readonly way: Way,
  ) {
    this.#around = new Uint16Array(arena.memory.buffer, around, SCRATCH + 2 * GUARD).fill(0xeeee);
    this.scratch = this.#around.subarray(GUARD, GUARD + SCRATCH);
  }

  get pinned(): boolean {
    return this.way.endsWith("pinned");
  }

  open(mode: ModeName, name: string, channel = 0, elementSize = 0): number {
    return this.openBytes(mode, new TextEncoder().encode(name), channel, elementSize);
  }

  openBytes(mode: ModeName, name: Uint8Array, channel = 0, elementSize = 0): number {
    using lease = this.arena.lease(Math.max(1, name.length), "name");
    lease.bytes().set(name);
    const number = MODE_NAMES.indexOf(mode) + (this.way === "group" ? TOGETHER : 0);
    return this.fs.fs_open(channel, number, lease.offset, name.length, elementSize);
  }

  /** Calls a function about a name. */
  named(act: (pointer: number, length: number) => number, name: string): number {
    const bytes = new TextEncoder().encode(name);
    using lease = this.arena.lease(bytes.length, "name");
    lease.bytes().set(bytes);
    return act(lease.offset, bytes.length);
  }

  /** Elements read; throws if anything behind them, or around the scratch, was written. */
  read(handle: number, count: number, whence = 2, offset = 0): number[] {
    this.scratch.fill(0xeeee);
    const got = this.pinned
      ? this.fs.fs_read_buffer(handle, GUARD, count, whence, offset)
      : this.fs.fs_read(handle, this.scratch.byteOffset, count, whence, offset);
    if (this.scratch.subarray(got).some((n) => n !== 0xeeee)) throw new Error("wrote behind what it read");
    this.checkGuards();
    return [...this.scratch.subarray(0, got)];
  }

  /** Bytes read from a file whose elements have `size` bytes; throws as {@link read}. */
  readBytes(handle: number, count: number, size: number, whence: number, offset: number): number[] {
    const bytes = new Uint8Array(this.scratch.buffer, this.scratch.byteOffset, this.scratch.byteLength);
    bytes.fill(0xee);
    const elements = this.pinned
      ? this.fs.fs_read_buffer(handle, 2 * GUARD / size, count, whence, offset)
      : this.fs.fs_read(handle, bytes.byteOffset, count, whence, offset);
    if (bytes.subarray(elements * size).some((n) => n !== 0xee)) throw new Error("wrote behind what it read");
    this.checkGuards();
    return [...bytes.subarray(0, elements * size)];
  }

  /** Writes bytes to such a file: elements written. */
  writeBytes(handle: number, bytes: readonly number[], size: number, whence: number, offset: number): number {
    new Uint8Array(this.scratch.buffer, this.scratch.byteOffset, this.scratch.byteLength).set(bytes);
    const count = bytes.length / size;
    if (this.pinned) return this.fs.fs_write_buffer(handle, 2 * GUARD / size, count, whence, offset);
    return this.fs.fs_write(handle, this.scratch.byteOffset, count, whence, offset);
  }

  checkGuards(): void {
    const guards = [...this.#around.subarray(0, GUARD), ...this.#around.subarray(GUARD + SCRATCH)];
    if (guards.some((n) => n !== 0xeeee)) throw new Error("wrote outside of the destination");
  }

  write(handle: number, values: readonly number[], whence = 2, offset = 0): number {
    this.scratch.set(values);
    if (this.pinned) return this.fs.fs_write_buffer(handle, GUARD, values.length, whence, offset);
    return this.fs.fs_write(handle, this.scratch.byteOffset, values.length, whence, offset);
  }

  status(channel = 0): string {
    return statusName(this.fs.fs_last_error(channel));
  }
}

/** Runs `body` with a host, a kernel side and a folder; all memory must be home afterwards. `backEnd`: other files than the system's. */
export async function withKernelSide(
  way: Way,
  body: (side: KernelSide, folder: string) => void | Promise<void>,
  backEnd: Pick<HostOptions, "backEnd"> = {},
): Promise<void> {
  await using context = new RunContext({ memory: 1 << 17 });
  const { arena } = context;
  const folder = await Deno.makeTempDir();
  try {
    const bufferLength = way === "chunk" ? 3 : 64;
    await using host = await startHost(context, { channels: 2, bufferLength, elementSize: 2, ...backEnd });
    using around = arena.lease((SCRATCH + 2 * GUARD) * 2, "scratch");
    using block = arena.lease(GROUP_BYTES, "group");
    const { layout } = insideOfHost(host)!;
    if (way.startsWith("direct")) await loadFilesOfKernel(arena.memory, layout);
    const calls = fileCalls(
      way.startsWith("direct") ? "direct" : "rpc",
      arena.memory,
      layout,
      "wait",
      way === "chunk" ? "chunk" : "fail",
    );
    const at = { offset: block.offset, members: 1 };
    resetGroup(arena.memory, at);
    const place = { group: new Group(arena.memory, at, 0), id: 0, count: 1 };
    const fs = fileImports(arena.memory, layout, calls, place);
    const scratch = way.endsWith("pinned") ? fs.fs_io_buffer(0) : around.offset;
    await body(new KernelSide(arena, layout, fs, scratch, way), folder);
    calls.closeAll();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  await context.settled();
  if (arena.used !== 0) throw new Error(`${arena.used} bytes did not come home`);
}

/** 16-bit numbers as the bytes of a file. */
export function fileOf(...values: number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(values).buffer);
}
