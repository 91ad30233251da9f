/**
 * The digest of kernels, for the manifests of runs.
 *
 * @module
 */

import { sha256Of } from "../io/hash.ts";
import type { Pack } from "./families/packs.ts";
import { inOrder } from "./pack_names.ts";
import { loadPacks, packBytes } from "./wasm.ts";

/** SHA-256 of the modules of `packs` for private memory, one after another in the order of all packs. */
export async function kernelsDigest(packs: Iterable<Pack>): Promise<string> {
  const all = inOrder(packs);
  await loadPacks(all);
  return await sha256Of(all.map((pack) => packBytes(pack, false)));
}
