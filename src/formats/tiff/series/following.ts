/**
 * Images without directories: their samples follow those of the first, without compression.
 *
 * @module
 */

import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import type { TiffImage } from "./image.ts";
import { StoredImages, type TiffFile } from "./images.ts";
import type { SeriesPlane } from "./members.ts";

/** The planes of `count` images, of which only `image` has a directory; `undefined` if its samples are not plain. Errors: `truncated`. */
export async function following(
  { bytes }: TiffFile,
  image: TiffImage,
  count: number,
): Promise<SeriesPlane[] | undefined> {
  const stored = await new StoredImages([image]).of(image);
  const each = sizeOf(stored.shape) * dtypeInfo(stored.dtype).itemSize;
  if (stored.plainAt === undefined) return undefined;
  bytes.inside(stored.plainAt, count * each, `a stack of ${count} images`);
  return Array.from({ length: count }, (_, i) => ({ image: { ...image, shift: i * each }, file: 0 }));
}
