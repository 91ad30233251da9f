/**
 * Lets threads of tests know the fences in the memory that they are given.
 *
 * @module
 */

import { hasFences } from "./fence_mark.ts";
import { fencing, useFencing } from "./fencing.ts";

/** Lets this thread know the fences of `memory`, if it has any. */
export async function learnFences(memory: WebAssembly.Memory): Promise<void> {
  if (fencing() || !hasFences(memory)) return;
  const { FENCING } = await import("./fence_arenas.ts");
  useFencing(FENCING);
}
