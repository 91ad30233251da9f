/**
 * Stacks of MetaMorph (STK): one directory, whose tag UIC2 has six numbers for every plane; the samples of the planes follow
 * each other without compression.
 *
 * ```
 * UIC2  (distance in z: numerator₄ denominator₄, day of its making₄, its time₄, day of its last change₄, its time₄) …
 * ```
 * Source: "MetaMorph stack file format", as tifffile has it.
 *
 * @module
 */

import type { AxisFacts } from "../../../space/axes.ts";
import { TAG } from "../container/tags.ts";
import { following } from "./following.ts";
import type { TiffImage } from "./image.ts";
import type { TiffFile } from "./images.ts";
import { DIMENSIONS, NO_FACTS, type Series } from "./members.ts";

/** Bytes of the facts of a plane. */
const PLANE_BYTES = 24;
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
      axes: [await planeAxis(file, entry.at, count)],
      metadata: { metadata: "MetaMorph" },
    },
  };
}

/** Planes in z where they have distances, else in time. */
async function planeAxis({ bytes }: TiffFile, at: number, count: number): Promise<AxisFacts> {
  const fields = await bytes.read(at, count * PLANE_BYTES, "the facts of the planes");
  const distances = Array.from({ length: count }, (_, i) => {
    const [above, below] = [fields.u32(i * PLANE_BYTES), fields.u32(i * PLANE_BYTES + 4)];
    return below === 0 ? 0 : above / below;
  });
  const [first] = distances;
  if (distances.every((one) => one === 0)) return DIMENSIONS["T"]!;
  return distances.every((one) => one === first)
    ? { ...DIMENSIONS["Z"]!, scale: first!, unit: "µm" }
    : DIMENSIONS["Z"]!;
}
