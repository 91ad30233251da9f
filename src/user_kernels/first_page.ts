/**
 * Finds kernels of users that write to the first page of the memory, which is never leased: it has zeros, or fences in tests.
 * Code that computes with an address that it was not given mostly writes there.
 *
 * ```
 * noteKernel(memory, name)   before a kernel is called
 * checkFirstPage(memory)     after the task in which it was called
 * ```
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { fencing } from "../memory/fencing.ts";
import { checkAfterTasks, FIRST_PAGE } from "../memory/first_page.ts";

/** Who was called last since the last look, per memory. */
const called = new WeakMap<WebAssembly.Memory, string>();

/** Notes that the kernel `name` of a user is called over `memory`. */
export function noteKernel(memory: WebAssembly.Memory, name: string): void {
  called.set(memory, name);
  checkAfterTasks(checkFirstPage);
}

/** Throws if a kernel of a user was called since the last look, and the first page has been written to. */
function checkFirstPage(memory: WebAssembly.Memory): void {
  const name = called.get(memory);
  if (name === undefined) return;
  called.delete(memory);
  const at = touchedAt(memory);
  if (at === undefined) return;
  const text =
    `Kernel "${name}" writes at address ${at}, outside of its memory: the first ${FIRST_PAGE} bytes ` +
    "belong to nobody. Write to the addresses that it is given only; what else it has changed in the memory " +
    "of this context is not known";
  throw new TilewiseError("udf", text, { kernel: name, offset: at });
}

/** The first address of the first page that has been written to; the page is clean again afterwards. */
function touchedAt(memory: WebAssembly.Memory): number | undefined {
  const fences = fencing()?.of(memory);
  if (fences) return fences.touched(0, FIRST_PAGE);
  const words = new Int32Array(memory.buffer, 0, Math.min(FIRST_PAGE, memory.buffer.byteLength) / 4);
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue;
    words.fill(0);
    return 4 * word;
  }
  return undefined;
}
