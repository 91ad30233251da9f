/**
 * A worker that opens what it is told to, reads one range into shared memory, and says how that went.
 *
 * @module
 */

/// <reference lib="deno.worker" />

import { toWire, type WireError } from "../../src/errors.ts";
import { openSpec } from "../../src/io/open.ts";
import type { SourceSpec } from "../../src/io/source/source.ts";

/** One range to read. */
export interface ReadOrder {
  readonly spec: SourceSpec;
  readonly into: Uint8Array;
  readonly at: number;
}

/** Whether the bytes are there, or why not. */
export type ReadReport = { readonly ok: true } | { readonly ok: false; readonly error: WireError };

self.onmessage = async ({ data: { spec, into, at } }: MessageEvent<ReadOrder>) => {
  try {
    await using source = await openSpec(spec);
    await source.readInto(into, at);
    report({ ok: true });
  } catch (error) {
    report({ ok: false, error: toWire(error) });
  }
};

function report(report: ReadReport): void {
  self.postMessage(report);
}
