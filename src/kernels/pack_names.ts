/**
 * Which packs have the kernels that are called.
 *
 * @module
 */

import type { KernelFamily } from "./families/families.ts";
import { SAMPLE_TYPES } from "./families/kernels_sample_types.ts";
import { type Pack, PACKS } from "./table/common/packs.ts";

/**
 * The packs of these families, each once, in the order of all packs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(packsOf(["inflate", "sum_frames", "lz4"]), ["core", "unpack"]);
 * ```
 */
export function packsOf(families: Iterable<KernelFamily>): Pack[] {
  return inOrder([...families].map((family) => SAMPLE_TYPES[family].pack));
}

/** These packs, each once, in the order of all packs. */
export function inOrder(packs: Iterable<Pack>): Pack[] {
  const asked = new Set(packs);
  return PACKS.filter((pack) => asked.has(pack));
}

/** The pack of the kernel `name`, such as `sum_frames_u16be`; `undefined` if there is no such family. */
export function packOfKernel(name: string): Pack | undefined {
  const family = name.slice(0, Math.max(0, name.lastIndexOf("_")));
  return Object.hasOwn(SAMPLE_TYPES, family) ? SAMPLE_TYPES[family as KernelFamily].pack : undefined;
}
