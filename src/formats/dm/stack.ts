/**
 * Several DigitalMicrograph files as one stack: each has one image of the same shape, type and byte order.
 *
 * @module
 */

import type { FileSpan } from "../../dataset/layout/layout.ts";
import { TilewiseError } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { sameShape, showShape } from "../../space/shape.ts";
import { checkSize, type DmImage, imagesOf } from "./image.ts";
import { type DmHead, dmHead } from "./head.ts";
import { readTags } from "./tags.ts";
import { PROBE_BYTES } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";

/** The files in the order in which they were given, the first of which has `image`; their images are not counted yet. */
export async function dmStack(
  given: readonly ByteSource[],
  image: DmImage,
  head: DmHead,
  { signal }: OpenOptions,
): Promise<FileSpan[]> {
  const files: FileSpan[] = [];
  for (const source of given) {
    await using once = source; // a stack may have more files than may be open at the same time
    const at = files.length === 0 ? image.data.at : await placeIn(once, image, head, signal);
    files.push({ source: source.describe(), start: 0, end: 0, headerBytes: at });
  }
  return files;
}

/** Where the image lies in another file of the stack. */
async function placeIn(
  source: ByteSource,
  first: DmImage,
  head: DmHead,
  signal: AbortSignal | undefined,
): Promise<number> {
  const own = dmHead(await readUpTo(source, 0, PROBE_BYTES, signal));
  if (!own) throw odd(source.name, "it is no DM file", "malformed");
  if (own.byteOrder !== head.byteOrder) throw odd(source.name, `it is ${own.byteOrder} endian`);
  const images = imagesOf(await readTags(source, own, signal));
  const image = images.find(({ number }) => number === first.number) ?? images[0];
  if (!image) throw odd(source.name, "it has no image");
  checkSize(source.name, image, own);
  if (sameShape(image.shape, first.shape) && image.type === first.type) return image.data.at;
  const [found, expected] = [image, first].map(({ shape, type }) => `${showShape(shape)} ${type.dtype}`);
  throw odd(source.name, `its image is ${found}, that of the first file ${expected}`);
}

function odd(
  file: string,
  problem: string,
  code: "malformed" | "unsupported" = "unsupported",
): TilewiseError {
  return new TilewiseError(code, `Cannot read ${file} as part of a stack: ${problem}`, { file });
}
