/**
 * Reads a range on a worker of its own.
 *
 * @module
 */

import { fromWire } from "../../src/errors.ts";
import type { SourceSpec } from "../../src/io/source/source.ts";
import type { ReadOrder, ReadReport } from "./read_worker.ts";

/** `length` bytes at `at` of what `spec` describes, read by a worker into shared memory. */
export async function readOnWorker(spec: SourceSpec, at: number, length: number): Promise<Uint8Array> {
  const into = new Uint8Array(new SharedArrayBuffer(length));
  const worker = new Worker(import.meta.resolve("./read_worker.ts"), { type: "module" });
  try {
    const report = await new Promise<ReadReport>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.postMessage({ spec, into, at } satisfies ReadOrder);
    });
    if (!report.ok) throw fromWire(report.error);
    return into;
  } finally {
    worker.terminate();
  }
}
