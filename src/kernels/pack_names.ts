/**
 * Which packs have the kernels that are called.
 *
 * @module
 */

import type { KernelFamily } from "./families/families.ts";
import { FAMILIES_OF } from "./families/kernels_packs.ts";
import { type Pack, PACKS } from "./families/packs.ts";

/** The families that give samples another type, for code that does so only at times. */
export const CONVERSION_KERNELS: readonly KernelFamily[] = ["convert_f32", "convert_f64"];

/** The pack of each family. */
const PACK_OF: ReadonlyMap<string, Pack> = new Map(
  PACKS.flatMap((pack) => FAMILIES_OF[pack].map((family) => [family, pack] as const)),
);

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
  const asked = new Set<string>(families);
  return PACKS.filter((pack) => FAMILIES_OF[pack].some((family) => asked.has(family)));
}

/** These packs, each once, in the order of all packs. */
export function inOrder(packs: Iterable<Pack>): Pack[] {
  const asked = new Set(packs);
  return PACKS.filter((pack) => asked.has(pack));
}

/** Whether there is a family of this name. */
export function isFamily(name: string): name is KernelFamily {
  return PACK_OF.has(name);
}

/** The pack of the kernel `name`, such as `sum_frames_u16be`; `undefined` if there is no such family. */
export function packOfKernel(name: string): Pack | undefined {
  return PACK_OF.get(name.slice(0, Math.max(0, name.lastIndexOf("_"))));
}
