/**
 * Images of all formats that Tilewise opens as data sets: TIFF with its compressions, and detectors' files. Of many frames it
 * is the first one.
 *
 * @module
 */

import type { StoredDataset } from "../dataset/dataset.ts";
import { FramesApart } from "../dataset/frames_apart.ts";
import { loadReading } from "../dataset/storage/kinds.ts";
import { TilewiseError } from "../errors.ts";
import { openStored } from "../formats/open.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { showShape } from "../space/shape.ts";
import { type Meaning, mustFit, type OpenImage, pixelSize, type PutRow } from "./common/image.ts";
import { reverseUnits } from "../space/numbers.ts";

/** Opens the first image in `bytes`. Errors: those of `open`, and `unsupported` for frames that are not images. */
export async function openDatasetImage(bytes: Uint8Array): Promise<OpenImage> {
  const dataset = await openStored(bytes);
  const { sigShape, dtype, metadata } = dataset;
  const [height = 1, width = 1, samples = 1, ...others] = sigShape;
  if (sigShape.length < 2 || others.length > 0 || dataset.images < 1) {
    const text = `Cannot load frames of ${showShape(sigShape)} as an image: it has rows, columns and samples`;
    throw new TilewiseError("unsupported", text, { found: showShape(sigShape) });
  }
  const itemBits = 8 * dtypeInfo(dtype).itemSize;
  const bits = typeof metadata.bits === "number" ? Math.min(metadata.bits, itemBits) : itemBits;
  const image = { width, height, samples, dtype, bits, meaning: meaningOf(dataset, samples) };
  return { ...image, decode: (put) => decode(dataset, image, put) };
}

/** What a TIFF file says about its colours. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "white is zero": "white is zero",
  "black is zero": "gray",
  "RGB": "colours",
  "YCbCr, read as RGB": "colours",
};

function meaningOf({ metadata: { colours } }: StoredDataset, samples: number): Meaning {
  if (typeof colours === "string") return MEANINGS[colours] ?? "unknown";
  return samples < 3 ? "gray" : "colours";
}

async function decode(
  { layout, dtype, syncOffset, images }: StoredDataset,
  image: Omit<OpenImage, "decode">,
  put: PutRow,
): Promise<void> {
  const { width, height } = image, { unitSize } = dtypeInfo(dtype);
  const what = `a frame of ${showShape(layout.sigShape)} ${dtype}`;
  await loadReading(layout);
  mustFit(FramesApart.bytesFor(layout), what);
  await using frames = await FramesApart.open(layout);
  const { pointer, byteOrder } = await frames.load(Math.min(Math.max(syncOffset, 0), images - 1));
  const stride = width * pixelSize(image);
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(frames.buffer, pointer + y * stride, stride);
    if (byteOrder === "big") reverseUnits(row, unitSize);
    put(y, row);
  }
}
