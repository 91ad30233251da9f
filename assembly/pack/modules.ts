/**
 * The packs of kernels as WebAssembly files, for programs that fetch modules themselves.
 *
 * @module
 */

import { loadKernels, packBytes, PACKS } from "../../src/kernels/wasm.ts";
import type { Entry } from "./tar.ts";

/** Where they lie in the package. */
export const MODULES = "wasm";

/** For every pack a module for private memory, and one for shared memory. */
export async function moduleFiles(): Promise<Entry[]> {
  await loadKernels();
  return PACKS.flatMap((pack) => [
    { path: `${MODULES}/${pack}.wasm`, content: packBytes(pack, false) },
    { path: `${MODULES}/${pack}.shared.wasm`, content: packBytes(pack, true) },
  ]);
}
