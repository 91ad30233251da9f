/**
 * Stacks of MetaMorph (STK): one directory, whose tag UIC2 has six numbers for every plane; the samples of the planes follow
 * each other without compression.
 *
 * @module
 */

import { TAG } from "../container/tags.ts";
import { planesOfMetamorph } from "../pixels/metamorph.ts";
import { following } from "./following.ts";
import type { TiffImage } from "./image.ts";
import type { TiffFile } from "./images.ts";
import { NO_FACTS, type Series } from "./members.ts";

/** Most planes of a stack. */
const MOST_PLANES = 2 ** 20;

/** Whether an image is the first of a stack of MetaMorph. */
export function isStk({ directory }: TiffImage): boolean {
  return directory.has(TAG.uic2);
}

/** The stack of the file; `undefined` for a single plane. Errors: `unsupported` for planes that are compressed. */
export async function stkSeries(file: TiffFile): Promise<Series | undefined> {
  const [image] = file.images;
  const entry = image!.directory.entry(TAG.uic2)!;
  const count = entry.count;
  if (count < 2) return undefined;
  const planes = count <= MOST_PLANES ? await following(file, image!, count) : undefined;
  if (!planes) {
    const problem =
      `the file is a stack of MetaMorph (STK) of ${count} planes; at most ${MOST_PLANES} are read, and ` +
      "only without compression";
    throw file.bytes.error("unsupported", problem, { offset: entry.at, found: count });
  }
  return {
    name: "series0",
    navShape: [count],
    planes,
    sources: [file.bytes.source.describe()],
    facts: {
      ...NO_FACTS,
      axes: [await planesOfMetamorph(image!.directory, count)],
      metadata: { metadata: "MetaMorph" },
    },
  };
}
