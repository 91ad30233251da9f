/**
 * A worker of the limits bench: copies memory or reads a file until told to stop, on its own buffers.
 *
 * @module
 */

/// <reference lib="deno.worker" />
import { closeSync, openSync, readSync } from "node:fs";

/** One piece of work, as the bench posts it. */
export type LimitJob =
  | {
    readonly kind: "copy";
    readonly blockBytes: number;
    readonly regionBytes: number;
    readonly bytes: number;
  }
  | {
    readonly kind: "read";
    readonly path: string;
    readonly blockBytes: number;
    readonly from: number;
    readonly to: number;
  };

/** What a worker is given first: a shared memory and which part of it is its own. */
export interface LimitStart {
  /** The memory of all workers. */
  readonly memory: WebAssembly.Memory;
  /** Where this worker's part begins. */
  readonly offset: number;
  /** Its length. */
  readonly length: number;
}

let own: Uint8Array = new Uint8Array(0);

/** Copies between the two halves of `regionBytes`, block by block, until `bytes` are copied. */
function copy({ blockBytes, regionBytes, bytes }: LimitJob & { kind: "copy" }): void {
  const half = regionBytes / 2;
  for (let done = 0; done < bytes; done += blockBytes) {
    const at = done % half;
    own.copyWithin(half + at, at, at + blockBytes);
  }
}

/** Reads `[from, to)` of the file, always into the same block, which therefore stays in cache. */
function read({ path, blockBytes, from, to }: LimitJob & { kind: "read" }): void {
  const file = openSync(path, "r");
  try {
    for (let at = from; at < to;) {
      const count = readSync(file, own, 0, Math.min(blockBytes, to - at), at);
      if (count === 0) throw new Error(`${path} ends at ${at}, expected ${to}`);
      at += count;
    }
  } finally {
    closeSync(file);
  }
}

self.onmessage = ({ data }: MessageEvent<LimitStart | LimitJob>) => {
  if ("memory" in data) own = new Uint8Array(data.memory.buffer, data.offset, data.length);
  else if (data.kind === "copy") copy(data);
  else read(data);
  self.postMessage("done");
};
