/**
 * Which folders a Zarr result may replace.
 *
 * @module
 */

import { mayReplace } from "../../io/write/scratch.ts";
import { TilewiseError } from "../../errors.ts";

/** Refuses a path that is a file, or a folder that is neither empty nor a Zarr store: whatever is in it would be lost. */
export async function mustBeStore(path: string): Promise<void> {
  const marks = ["zarr.json", ".zarray", ".zgroup"];
  if (await mayReplace(path, marks)) return;
  const text =
    `Cannot write to ${path}: it is there, and is not a Zarr store; choose another name, or remove it`;
  throw new TilewiseError("invalid", text, { file: path });
}
