/**
 * The packs of kernels that the measurement equation needs. Kernels of cubes load them on the thread that runs them.
 *
 * @module
 */

import { loadPacks, type Pack } from "../../kernels/wasm.ts";

/** The packs. */
export const RIME_PACKS: readonly Pack[] = ["core", "conversions", "rime"];

/** Loads them. */
export async function loadRime(): Promise<void> {
  await loadPacks(RIME_PACKS);
}
