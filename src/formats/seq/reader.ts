/**
 * Norpix StreamPix sequences (`.seq`), as cameras of Direct Electron and others write them.
 *
 * ```
 * 0 magic FEED₃₂ | 28 version, 548 width, 552 height, 556 bits, 564 image bytes, 568 format, 572 frames,
 * 580 bytes from image to image (all ₃₂), 584 frames a second₆₄, 620 compression, 628 reference time
 * images from byte 1024, or 8192 from version 5 on; behind each a time stamp: seconds₃₂ ms₁₆ µs₁₆
 * ```
 * Dark frame, gain map and dead pixels that lie beside a sequence are its corrections (`seq_side.ts`).
 * Source: the StreamPix sequence format as PIMS and LiberTEM describe it.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { known } from "../../dataset/facts.ts";
import type { DType } from "../../space/dtype.ts";
import { arrange, fileDataset } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import { patternAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { sideFiles } from "./side.ts";

/** Format code of images with one channel. */
const MONO = 100;

/** The frames of a sequence, with the corrections beside it. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openSeq(input, options)];
}

async function openSeq(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const head = await Fields.read(input.source, 0, 1024, "little", options.signal);
  const { width, height, dtype, imageBytes, pitch, start, count } = readHead(head);
  const { frames, warnings } = completeFrames(
    { name: input.source.name, size: input.size, start, pitch, last: imageBytes, frames: count },
    options,
  );
  const sigShape = [height, width];
  const native = { name: input.name, images: frames, sigShape };
  const { sigShape: shown } = arrange(native, options);
  const side = await sideFiles(input, { stored: sigShape, shown }, options);
  return fileDataset(input, {
    images: frames,
    sigShape,
    layout: {
      files: [{ source: input.source.describe(), start: 0, end: frames, headerBytes: start }],
      dtype,
      frameFooterBytes: pitch - imageBytes,
      storedBytes: imageBytes,
    },
    warnings: (given) => [...warnings, ...given.warnings, ...side.warnings],
    corrections: side.corrections,
    axes: patternAxes,
    instrument: known({ frameRate: head.f64(584), acquired: startTime(head) }),
    metadata: { version: head.i32(28), bitsUsed: head.u32(560) },
  }, options);
}

function readHead(head: Fields) {
  const width = head.within(head.u32(548), 1, MOST_PIXELS, "the width", 548);
  const height = head.within(head.u32(552), 1, MOST_PIXELS, "the height", 552);
  const bits = head.u32(556);
  const format = head.u32(568);
  const packing = head.u32(620);
  if (packing !== 0) {
    throw head.error(
      "unsupported",
      `images are compressed (${packing}); export them without compression`,
      620,
    );
  }
  if (format !== MONO) {
    throw head.error("unsupported", `images have format ${format}; ${MONO}, one channel, is known`, 568);
  }
  if (bits !== 8 && bits !== 16) {
    throw head.error("unsupported", `samples have ${bits} bits; 8 and 16 are known`, 556);
  }
  const dtype: DType = bits === 8 ? "uint8" : "uint16";
  const imageBytes = width * height * bits / 8;
  if (head.u32(564) !== imageBytes) {
    throw head.error(
      "malformed",
      `images have ${head.u32(564)} bytes; ${height} × ${width} of ${bits} bits are ${imageBytes}`,
      564,
    );
  }
  const pitch = head.within(head.u32(580), imageBytes, 2 ** 32, "the bytes from image to image", 580);
  const start = head.i32(28) >= 5 ? 8192 : 1024;
  const count = head.within(head.u32(572), 1, 2 ** 31, "the number of images", 572);
  return { width, height, dtype, imageBytes, pitch, start, count };
}

function startTime(head: Fields): string | undefined {
  const seconds = head.u32(624);
  return seconds === 0 ? undefined : new Date(seconds * 1000 + head.u16(628)).toISOString();
}
