/**
 * Kernels of Tilewise in WebAssembly, for direct calls from your own code.
 *
 * Kernels take addresses and counts in one memory, and no other arguments: lease the memory for their data from an
 * arena.
 *
 * @example
 * ```ts
 * import { instantiateKernels, kernel, loadKernels } from "@tilewise/tilewise/unstable/kernels";
 * import { assertEquals } from "@std/assert";
 *
 * await loadKernels(); // all packs; a page that needs few of them names those
 * const memory = new WebAssembly.Memory({ initial: 1 });
 * new Uint16Array(memory.buffer, 1024, 4).set([1, 2, 3, 4]); // two frames of two pixels
 * kernel(instantiateKernels(memory), "sum_frames", "uint16")(2048, 1024, 2, 4, 2); // 4 bytes per frame
 * assertEquals([...new Float64Array(memory.buffer, 2048, 2)], [4, 6]);
 * ```
 *
 * @module
 */

export type {
  FilterFamilies,
  KernelFamilies,
  KernelFamily,
  LanesFamilies,
  RimeFamilies,
  SparseFamilies,
  TermFamilies,
  ViewFamilies,
} from "./families/families.ts";
export type { KernelExports } from "./kernels_types.ts";
export { kernel } from "./registry.ts";
export {
  instantiateKernels,
  type KernelCode,
  type Kernels,
  loadKernels,
  type Pack,
  packBytes,
  PACKS,
} from "./wasm.ts";
