/**
 * Opens stores from their descriptions, on any thread.
 *
 * @module
 */

import type { ChunkStore, StoreSpec } from "./store.ts";

/** The store that `spec` describes. */
export async function openStore(spec: StoreSpec): Promise<ChunkStore> {
  if (spec.kind === "web") return new (await import("./web.ts")).WebStore(spec);
  return new (await import("./folder.ts")).FolderStore(spec);
}
