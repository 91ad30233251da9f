/**
 * The size of pixels as tags of an image say it, by the program that wrote it: tags of microscopes come before the resolution
 * that all programs write, and few fill in.
 *
 * @module
 */

import { TAG } from "../container/tags.ts";
import type { Described, Pixels } from "./axes.ts";
import { feiPixels } from "./fei.ts";
import { gatanPixels } from "./gatan.ts";
import { imageJPixels } from "./imagej.ts";
import { jeolPixels } from "./jeol.ts";
import { metamorphPixels } from "./metamorph.ts";
import { resolutionPixels } from "./resolution.ts";
import { tvipsPixels } from "./tvips.ts";
import { zeissPixels } from "./zeiss.ts";

/** Programs that have tags of their own. */
const PROGRAMS: readonly {
  readonly tags: readonly number[];
  readonly read: (image: Described) => Promise<Pixels | undefined>;
}[] = [
  { tags: [TAG.feiSfeg, TAG.feiHelios], read: feiPixels },
  { tags: [TAG.zeissSem], read: zeissPixels },
  { tags: [TAG.tvips], read: tvipsPixels },
  { tags: [TAG.gatanScaleX, TAG.gatanScaleY], read: gatanPixels },
  { tags: [TAG.uic1], read: metamorphPixels },
  { tags: [TAG.make], read: jeolPixels },
  { tags: [TAG.description], read: imageJPixels },
];

/** What the tags of `image` say of its pixels. */
export async function pixelsOf(image: Described): Promise<Pixels> {
  for (const { tags, read } of PROGRAMS) {
    const found = tags.some((tag) => image.directory.has(tag)) ? await read(image) : undefined;
    if (found) return found;
  }
  return await resolutionPixels(image);
}
