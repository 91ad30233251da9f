/**
 * The kernels of Tilewise, for threads that load packs themselves: where each pack is.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { loadPacks, storePacks } from "./code.ts";
import { type Pack, PACKS, type StoredPack } from "./families/packs.ts";

export { instantiateKernels, type Kernels } from "./bind.ts";
export { type KernelCode, kernelCode, loadPacks, packBytes } from "./code.ts";
export { type Pack, PACKS } from "./families/packs.ts";

/** The modules of the packs, as imports that bundlers see. */
const STORED: { readonly [P in Pack]: () => Promise<{ readonly PACK: StoredPack }> } = {
  core: () => import("./packs/core.ts"),
  conversions: () => import("./packs/conversions.ts"),
  masks: () => import("./packs/masks.ts"),
  products: () => import("./packs/products.ts"),
  centres: () => import("./packs/centres.ts"),
  statistics: () => import("./packs/statistics.ts"),
  corrections: () => import("./packs/corrections.ts"),
  fft: () => import("./packs/fft.ts"),
  readout: () => import("./packs/readout.ts"),
  unpack: () => import("./packs/unpack.ts"),
  zstd: () => import("./packs/zstd.ts"),
  jpeg: () => import("./packs/jpeg.ts"),
  sparse: () => import("./packs/sparse.ts"),
  windows: () => import("./packs/windows.ts"),
  filters: () => import("./packs/filters.ts"),
  regions: () => import("./packs/regions.ts"),
  rime: () => import("./packs/rime.ts"),
};

storePacks(async (pack) => (await STORED[pack]()).PACK);

/**
 * Loads kernels, so that {@link instantiateKernels} and {@link kernel} can be used: those of `packs`, or all of them. Packs
 * that are loaded already cost nothing.
 *
 * Errors: `invalid` for a name that is not a pack; `io` if a pack cannot be fetched.
 *
 * @example
 * ```ts
 * import { instantiateKernels, loadKernels } from "@tilewise/tilewise/unstable/kernels";
 * import { assertEquals } from "@std/assert";
 * await loadKernels(["core"]); // 5 kB
 * const { exports } = instantiateKernels(new WebAssembly.Memory({ initial: 1 }));
 * assertEquals(typeof exports.sum_pixels_u16, "function");
 * ```
 * @category Kernels
 */
export async function loadKernels(packs: readonly Pack[] = PACKS): Promise<void> {
  const strange = packs.find((pack) => !PACKS.includes(pack));
  if (strange === undefined) return await loadPacks(packs);
  const text = `loadKernels(): there is no pack of kernels "${strange}"; there are ${PACKS.join(", ")}`;
  throw new TilewiseError("invalid", text, { option: "packs", found: String(strange) });
}
