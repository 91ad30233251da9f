/**
 * Quantum Detectors Merlin: `.mib` files, alone or in series, with or without a `.hdr`.
 *
 * A file is a sequence of text headers and frames. Samples are big endian, or in raw mode packed as the chips are
 * read out; rows stay in the order of the file.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import { type FileSpan, frameLayout } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { openSpec } from "../../io/open.ts";
import type { Shape } from "../../space/shape.ts";
import { arrange } from "../common/arrange.ts";
import type { FormatInput } from "../common/format.ts";
import { scanAxes } from "../common/kinds.ts";
import { MOST_STAMPS, scanFromTimes } from "./scan.ts";
import { findSeries, type MibFile, type MibSeries } from "./series.ts";
import type { OpenOptions } from "../common/options.ts";

/** The frames of a file, or of the series that it belongs to. */
export async function open(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  return [await openMib(input, options)];
}

async function openMib(input: FormatInput, options: OpenOptions): Promise<Dataset> {
  const series = await findSeries(input, options);
  const { header, image } = series.files[0]!;
  const [files, warnings] = spansOf(series.files, options);
  const images = files.at(-1)!.end;
  const scan = options.nav ? undefined : await scanOf(series, images, options);
  const native = {
    name: input.name,
    images,
    sigShape: image.sigShape,
    ...(scan ? { navShape: scan.navShape } : {}),
  };
  const { navShape, sigShape, syncOffset, warnings: coverage } = arrange(native, options);
  const more = scan?.warning === undefined ? coverage : [scan.warning];
  const layout = frameLayout({
    files,
    sigShape,
    dtype: image.dtype,
    byteOrder: "big",
    frameHeaderBytes: header.headerBytes,
    storedBytes: image.storedBytes,
    storage: contiguous(image.codec),
  });
  const why = [...input.detection.why, ...series.why, ...(scan ? [scan.why] : [])];
  return new Dataset({
    source: input.source.name,
    detection: { ...input.detection, why },
    navShape,
    layout,
    syncOffset,
    warnings: [...warnings, ...more],
    axes: scanAxes(navShape.length, sigShape.length),
    instrument: instrumentOf(series),
    metadata: metadataOf(series),
  });
}

/** Which images each file has; they must follow each other. */
function spansOf(files: readonly MibFile[], options: OpenOptions): [FileSpan[], string[]] {
  const spans: FileSpan[] = [];
  const warnings: string[] = [];
  const base = files[0]!.header.sequence;
  for (const file of files) {
    const { name, spec, header, images, rest } = file;
    const start = spans.at(-1)?.end ?? 0;
    if (header.sequence - base !== start) throw gap(file, base + start);
    if (rest > 0) {
      const text = `it ends inside frame ${images + 1}, ${images} frames are complete`;
      if (!options.allowTruncated || file !== files.at(-1) || images === 0) throw truncated(file, text);
      warnings.push(`${name}: ${text}`);
    }
    spans.push({ source: spec, start, end: start + images, headerBytes: 0 });
  }
  return [spans, warnings];
}

/** A scan, and what told it. */
interface Scan {
  readonly navShape: Shape;
  readonly why: string;
  /** What the user should know in place of how many images are not shown. */
  readonly warning?: string;
}

/** The scan: from the `.hdr` where the images are as many, else from the times of the frames, else from the `.hdr`. */
async function scanOf(series: MibSeries, images: number, options: OpenOptions): Promise<Scan | undefined> {
  const { hdr } = series;
  const navShape = hdr?.parsed.navShape;
  if (!hdr || !navShape) return await scanByTimes(series, images, options);
  const said = { navShape, why: `scan from ${hdr.name}: ${hdr.parsed.why}` };
  const [rows, columns] = navShape as [number, number];
  const length = images / rows;
  if (!Number.isInteger(length) || length <= columns) return said;
  const seen = await scanByTimes(series, images, options);
  const what =
    `${hdr.name} says lines of ${columns} frames, but ${images} images are ${rows} lines of ${length}`;
  const nav = `nav: [${rows}, ${length}]`;
  if (seen?.navShape[1] !== length) {
    return {
      ...said,
      warning: `${what}: if each line has ${length - columns} more, rows are sheared; try ${nav}`,
    };
  }
  const rest = length - columns === 1 ? "the last one" : `the last ${length - columns}`;
  return {
    ...seen,
    warning:
      `${what}, as their time stamps say; ${rest} of each may be no position of the scan: the region of interest :,0:${columns} leaves it out`,
  };
}

/** The scan as the times of the frames show it. */
async function scanByTimes(
  { files }: MibSeries,
  images: number,
  { signal }: OpenOptions,
): Promise<Scan | undefined> {
  const [{ spec, pitch, header }] = files as [MibFile];
  if (files.length > 1 || spec.kind === "http") return undefined; // a request a frame is too dear
  await using source = await openSpec(spec);
  const most = spec.kind === "blob" ? MOST_STAMPS / 16 : MOST_STAMPS; // every read of a blob is a message
  const line = await scanFromTimes(source, { images, pitch, headerBytes: header.headerBytes, most }, signal)
    .catch(noScan);
  if (!line) return undefined;
  const pause = `${(line.flybackNs / 1000).toFixed(1)} µs`;
  return {
    navShape: [images / line.length, line.length],
    why: `scan from time stamps: before every ${line.length}th frame the pause is ${pause} longer`,
  };
}

/** Headers that cannot be parsed tell nothing of the scan; anything else is an error. */
function noScan(error: unknown): undefined {
  if (!isTilewiseError(error, "malformed")) throw error;
}

function instrumentOf({ files }: MibSeries): Instrument {
  const { sensor, time, exposure } = files[0]!.header;
  const nanoseconds = Number(/^(\d+)ns$/.exec(exposure ?? "")?.[1] ?? 0);
  const detector = sensor ? `Merlin, chips ${sensor}` : "Merlin";
  return known({ detector, exposure: nanoseconds * 1e-9, acquired: time });
}

function metadataOf({ files, hdr }: MibSeries): Record<string, unknown> {
  const { type, sensor, chips, bits, time, exposure } = files[0]!.header;
  const known = { type, sensor, chips, counterBits: bits, time, exposure };
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...(hdr ? { hdr: Object.fromEntries(hdr.parsed.fields) } : {}),
  };
}

function truncated({ name, pitch, images, rest }: MibFile, text: string): TilewiseError {
  const hint = images > 0 ? "; allowTruncated reads those" : "";
  return new TilewiseError("truncated", `Cannot read ${name}: ${text}${hint}`, {
    file: name,
    offset: images * pitch,
    expected: pitch,
    found: rest,
    completeFrames: images,
  });
}

function gap({ name, header }: MibFile, expected: number): TilewiseError {
  const text = `Cannot read the series: ${name} begins with frame ${header.sequence}, expected ` +
    `${expected}; a file is missing or incomplete. noSeries reads one file alone`;
  return new TilewiseError("truncated", text, { file: name, expected, found: header.sequence });
}
