/**
 * Finds the store that a text names.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { PartStore } from "./store.ts";

/**
 * Opens a store: `dir:/scratch/run7` (or the path alone) on a file system that all workers share, `s3://bucket/run7` in
 * an object store. Nothing is written.
 *
 * Errors: `invalid` for other texts, `permission`, `io`.
 * @category Cluster
 */
export async function openStore(url: string): Promise<PartStore> {
  const [, scheme] = /^([a-z0-9]{2,}):/.exec(url) ?? [];
  if (scheme === "s3") return await (await import("./s3.ts")).s3Store(url);
  if (scheme === undefined || scheme === "dir") return await (await import("./dir.ts")).dirStore(url);
  const text =
    `"${url}" is not a store; write dir:FOLDER for a folder that all workers share, or s3://BUCKET/NAME`;
  throw new TilewiseError("invalid", text, { option: "store", found: url });
}
