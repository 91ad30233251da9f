/**
 * NanoMEGAS block files (`.blo`): a scan of diffraction patterns, and a virtual bright field.
 *
 * ```
 * 0 id₆ magic₁₆ | 8 at of image₃₂, 12 at of patterns₃₂ | 20 side of a pattern₁₆, 24 columns₁₆, 26 rows₁₆ …
 * patterns   AA 55 number₃₂ samples …   six bytes in front of each
 * ```
 * Source: the header as RosettaSciIO and LiberTEM describe it.
 *
 * @module
 */

import { StoredDataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { axesThatFit, type SaidAxis } from "../../dataset/said_axes.ts";
import { frameBytes, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { readBytes } from "../../io/source/source.ts";
import { fileDataset } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { Fields } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import { scanAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { HEAD_BYTES } from "./format.ts";

const FRAME_HEADER = 6;

/** Bytes after the header that are searched for a note. */
const MOST_NOTE = 65536;

export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  const head = await Fields.read(input.source, 0, HEAD_BYTES, "little", options.signal);
  const [image, start] = [head.u32(8), head.u32(12)];
  const [side, columns, rows] = [head.u16(20), head.u16(24), head.u16(26)];
  head.within(side, 1, 65535, "the side of a pattern", 20);
  head.within(columns, 1, 65535, "the number of columns of the scan", 24);
  head.within(rows, 1, 65535, "the number of rows of the scan", 26);
  head.within(start, HEAD_BYTES, 2 ** 32, "the place of the patterns", 12);
  const facts = factsOf(head);
  const bits = await bitsOf(input, head, { image, start, side }, options.signal);
  const patterns = patternsOf(input, { start, side, columns, rows, bits }, facts, options);
  const hasImage = image >= HEAD_BYTES && image + rows * columns <= start;
  return hasImage ? [patterns, imageOf(input, { image, rows, columns }, facts)] : [patterns];
}

interface Scan {
  readonly start: number;
  readonly side: number;
  readonly columns: number;
  readonly rows: number;
  readonly bits: 8 | 16;
}

/** Bits of a sample: newer files have them in a note after the header; without a note, the marks of frames show them. */
async function bitsOf(
  { source, size }: FormatInput,
  head: Fields,
  { image, start, side }: { image: number; start: number; side: number },
  signal: AbortSignal | undefined,
): Promise<8 | 16> {
  const end = Math.min(image < HEAD_BYTES ? start : image, HEAD_BYTES + MOST_NOTE, size);
  const note = new TextDecoder("latin1").decode(
    await readBytes(source, HEAD_BYTES, Math.max(0, end - HEAD_BYTES), signal),
  );
  const bits = /^[\s\0]*blo bit depth:\s*(\d+)\s*bits/im.exec(note)?.[1];
  if (bits === "8" || bits === "16") return Number(bits) as 8 | 16;
  if (bits !== undefined) {
    throw head.error("unsupported", `its note says samples of ${bits} bits; 8 and 16 are known`, HEAD_BYTES);
  }
  const isMarked = async (at: number) => {
    const [a, b] = at + 2 <= size ? await readBytes(source, at, 2, signal) : [];
    return a === 0xaa && b === 0x55;
  };
  const second = (itemSize: number) => start + FRAME_HEADER + side * side * itemSize;
  return await isMarked(start) && !(await isMarked(second(1))) && await isMarked(second(2)) ? 16 : 8;
}

function patternsOf(
  input: FormatInput,
  { start, side, columns, rows, bits }: Scan,
  { step, pixel, instrument, metadata }: BloFacts,
  options: OpenOptions,
): StoredDataset {
  const dtype = bits === 16 ? "uint16" : "uint8";
  const storedBytes = frameBytes([side, side], dtype);
  const promised = {
    name: input.source.name,
    size: input.size,
    start,
    pitch: FRAME_HEADER + storedBytes,
    frames: rows * columns,
  };
  const { frames, warnings } = completeFrames(promised, options);
  const sigShape = [side, side];
  return fileDataset(input, {
    array: "patterns",
    images: frames,
    navShape: [rows, columns],
    sigShape,
    layout: { ...bytesLayout(input, start, frames, sigShape, storedBytes, FRAME_HEADER), dtype },
    warnings,
    axes: ({ navShape, sigShape }) =>
      axesThatFit(
        input.name,
        [...navShape, ...sigShape],
        scanAxes(navShape.length, sigShape.length, [...step, pixel, pixel]),
      ),
    instrument,
    metadata,
  }, options);
}

/** The picture that the instrument has computed. */
function imageOf(
  input: FormatInput,
  { image, rows, columns }: { image: number; rows: number; columns: number },
  { step, instrument, metadata }: BloFacts,
): StoredDataset {
  return new StoredDataset({
    source: input.source.name,
    array: "vbf",
    detection: input.detection,
    navShape: [],
    layout: bytesLayout(input, image, 1, [rows, columns], rows * columns, 0),
    ...axesThatFit(
      `vbf of ${input.name}`,
      [rows, columns],
      step.map((axis, d) => ({ ...axis, name: "yx"[d]!, kind: "space" })),
    ),
    instrument,
    metadata,
  });
}

function bytesLayout(
  { source }: FormatInput,
  headerBytes: number,
  end: number,
  sigShape: readonly number[],
  storedBytes: number,
  frameHeaderBytes: number,
): FrameLayout {
  const files = [{ source: source.describe(), start: 0, end, headerBytes }];
  return frameLayout({ files, sigShape, dtype: "uint8", frameHeaderBytes, storedBytes });
}

/** Facts from the header. */
interface BloFacts {
  readonly step: readonly SaidAxis[];
  readonly pixel: AxisFacts | undefined;
  readonly instrument: Instrument;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function factsOf(head: Fields): BloFacts {
  const step = [head.f64(38), head.f64(30)].map((scale) => ({ scale, unit: "nm", isRising: true }));
  const perMetre = head.u16(50); // pixels of a pattern on the screen
  const instrument = known({
    voltage: head.u32(46),
    cameraLength: head.u32(52) / 1000, // kept in tenths of a centimetre
    scanRotation: head.u16(28) / 100,
    acquired: excelTime(head.f64(56)),
  });
  return {
    step,
    pixel: perMetre > 0 ? { scale: 100 / perMetre, unit: "cm" } : undefined,
    instrument,
    metadata: { id: head.text(0, 6), pixelsPerMetre: perMetre, flags: head.u32(16) },
  };
}

/** Days since the end of 1899, as spreadsheets count, in local time. */
function excelTime(days: number): string | undefined {
  if (!(days > 1 && days < 100_000)) return undefined;
  return new Date((days - 25569) * 86_400_000).toISOString().slice(0, 19);
}
