/**
 * What files do not hold of what is known of their arrays.
 *
 * @module
 */

import { lossesIn } from "../../pictures/save.ts";
import { type DescribedArray, lossesOf } from "../../sinks/losses.ts";
import type { DType } from "../../space/dtype.ts";
import { type Losses, said } from "./losses.ts";

/** What the file that `save` writes at `path` loses; `asked`: the type that samples have become. */
export async function lossesSaved(
  path: string,
  array: Parameters<typeof lossesIn>[0],
  asked?: DType,
): Promise<Losses> {
  return said(await lossesIn(array, path), path, asked);
}

/** What the file or folder that a sink writes at `path` loses. */
export async function lossesStored(path: string, array: DescribedArray, asked?: DType): Promise<Losses> {
  const { keptBy } = await import("../../sinks/stored/registry.ts"); // with all targets of chunks
  return said(lossesOf(await keptBy(path), array), path, asked);
}
