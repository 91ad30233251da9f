/** A function of views whose thread dies in the middle of a write; the address of the module says in which one. */

import { endThread } from "../../../src/executor/exits.ts";
import { replaceWriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import type { ViewFunction } from "../../../src/views/operations/view_function.ts";

/** Which write of a thread is its last, and the file that says that one has died: then no other does. */
const { write, mark } = Object.fromEntries(new URL(import.meta.url).searchParams);
const calls = await writeCalls();
let writes = 0;
// The calling thread loads the module as well, when a run is planned. Jobs look for the calls after this.
if ("DedicatedWorkerGlobalScope" in globalThis) replaceWriteCalls({ ...calls, writeAt });

/** Copies the samples. */
export const dying: ViewFunction<"uint16", "uint16"> = (
  { data, stride: [step = 0] },
  { data: out, shape: [rows = 0, cols = 0] },
) => {
  for (let y = 0; y < rows; y++) out.set(data.subarray(y * step, y * step + cols), y * cols);
};

/** Writes half of something, and ends. */
function writeAt(path: string, bytes: Uint8Array, position: number): number {
  if (++writes !== Number(write) || !isFirst()) return calls.writeAt(path, bytes, position);
  calls.writeAt(path, bytes.subarray(0, bytes.length >> 1), position);
  endThread();
  throw new Error("a thread that has ended goes on");
}

/** Whether nobody has made the mark before. */
function isFirst(): boolean {
  if (mark === undefined) return true;
  try {
    Deno.writeTextFileSync(mark, "", { createNew: true });
    return true;
  } catch {
    return false;
  }
}
