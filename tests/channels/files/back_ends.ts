/** Back ends of the tests: files in memory that may answer late, a device that becomes full, and one that breaks its word. */

import type { Awaitable, BackEnd, SynchronousBackEnd } from "../../../src/channels/backends/back_end.ts";
import { FileTable } from "../../../src/channels/files/file_table.ts";
import { newGate } from "../../../src/channels/protocol/channel.ts";

/** A table over `backEnd`, whose kernel has 64 KiB. */
export function tableOver(backEnd: BackEnd, elementSize = 8): FileTable {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return new FileTable(
    memory,
    { channels: 2, bufferLength: 4, elementSize, offset: 1024, gate: newGate() },
    backEnd,
  );
}

const no = (code: string) => Object.assign(new Error(code), { code });

/** One file in memory. After `room` bytes in all the device is full; it writes at most `piece` bytes at a time. */
export function smallDevice(room: number, piece = Infinity): SynchronousBackEnd & { content: Uint8Array } {
  const held = { content: new Uint8Array() };
  const resize = (bytes: number) => {
    const next = new Uint8Array(bytes);
    next.set(held.content.subarray(0, bytes));
    held.content = next;
  };
  return Object.assign(held, {
    synchronous: true as const,
    open: () => 1,
    close: () => {},
    size: () => held.content.length,
    read(_file: number, bytes: Uint8Array, at: number, length: number, position: number) {
      const part = held.content.subarray(position, position + length);
      bytes.set(part, at);
      return part.length;
    },
    write(_file: number, bytes: Uint8Array, at: number, length: number, position: number | null) {
      const start = position ?? held.content.length, n = Math.min(length, piece, room - start);
      if (n <= 0) throw no("ENOSPC");
      if (start + n > held.content.length) resize(start + n);
      held.content.set(bytes.subarray(at, at + n), start);
      return n;
    },
    flush: () => {},
    truncate: (_file: number, bytes: number) => resize(bytes),
    stat: () => ({ bytes: held.content.length, kind: "file" as const }),
    list: () => ["file"],
    remove: () => {},
    mkdir: () => {},
  });
}

/** `backEnd` with answers that come after `turns()` turns of the event loop. `most`: calls under way at the same time. */
export function late(backEnd: SynchronousBackEnd, turns: () => number): BackEnd & { most: number } {
  const state = { most: 0 };
  let under = 0;
  const later = <A extends unknown[], R>(act: (...args: A) => R) => async (...args: A): Promise<R> => {
    state.most = Math.max(state.most, ++under);
    try {
      for (let turn = turns(); turn > 0; turn--) await new Promise((resolve) => setTimeout(resolve));
      return act(...args);
    } finally {
      under--;
    }
  };
  const { open, close, size, read, write, flush, truncate, stat, list, remove, mkdir } = backEnd;
  return Object.assign(state, {
    synchronous: false,
    open: later(open),
    close: later(close),
    size: later(size),
    read: later(read),
    write: later(write),
    flush: later(flush),
    truncate: later(truncate),
    stat: later(stat),
    list: later(list),
    remove: later(remove),
    mkdir: later(mkdir),
  });
}

/** The promise of a value. */
export const soon = async <T>(value: Awaitable<T>): Promise<T> => await value;
