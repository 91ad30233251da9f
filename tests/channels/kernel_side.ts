/** What the channel tests share: a host over a small arena, and file calls as a kernel would make them. */

import type { Arena } from "../../src/memory/arena.ts";
import { createContext } from "../../src/runner/context.ts";
import { startHost } from "../../src/channels/host/host.ts";
import { fileCalls, type Route } from "../../src/channels/host/route.ts";
import { type FileImports, fileImports } from "../../src/channels/files/imports.ts";
import type { ChannelLayout } from "../../src/channels/protocol/channel.ts";
import { MODE_NAMES, type ModeName } from "../../src/channels/files/modes.ts";
import { statusName } from "../../src/channels/protocol/status.ts";

export const ROUTES: readonly Route[] = ["rpc", "direct"];

/** A kernel's view of its files: elements are 16-bit numbers, the buffer of channel 0 is the scratch. */
export class KernelSide {
  readonly scratch: Uint16Array;

  constructor(readonly arena: Arena, readonly layout: ChannelLayout, readonly fs: FileImports) {
    const { bufferLength } = layout;
    this.scratch = new Uint16Array(arena.memory.buffer, fs.fs_io_buffer(0), bufferLength);
  }

  open(mode: ModeName, name: string, channel = 0, elementSize = 0): number {
    const bytes = new TextEncoder().encode(name);
    using lease = this.arena.lease(bytes.length, "name");
    lease.bytes().set(bytes);
    return this.fs.fs_open(channel, MODE_NAMES.indexOf(mode), lease.offset, bytes.length, elementSize);
  }

  read(handle: number, count: number, whence = 2, offset = 0): number[] {
    this.scratch.fill(0xeeee);
    const got = this.fs.fs_read(handle, this.scratch.byteOffset, count, whence, offset);
    if (this.scratch.subarray(got).some((n) => n !== 0xeeee)) throw new Error("wrote behind what it read");
    return [...this.scratch.subarray(0, got)];
  }

  write(handle: number, values: readonly number[], whence = 2, offset = 0): number {
    this.scratch.set(values);
    return this.fs.fs_write(handle, this.scratch.byteOffset, values.length, whence, offset);
  }

  status(channel = 0): string {
    return statusName(this.fs.fs_last_error(channel));
  }
}

/** Runs `body` with a host, a kernel side and a folder; all memory must be home afterwards. */
export async function withKernelSide(
  route: Route,
  body: (side: KernelSide, folder: string) => void | Promise<void>,
): Promise<void> {
  await using context = createContext({ memory: 1 << 16 });
  const { arena } = context;
  const folder = await Deno.makeTempDir();
  try {
    await using host = await startHost(context, { channels: 2, bufferLength: 64, elementSize: 2 });
    const calls = fileCalls(route, arena.memory, host.layout);
    await body(new KernelSide(arena, host.layout, fileImports(arena.memory, host.layout, calls)), folder);
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
