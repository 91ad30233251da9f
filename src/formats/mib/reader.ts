/**
 * Quantum Detectors Merlin: `.mib` files, alone or in series, with or without a `.hdr`.
 *
 * A file is a sequence of text headers and frames. Samples are big endian, or in raw mode packed as the chips are
 * read out; rows stay in the order of the file.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import type { FileSpan } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { openSpec } from "../../io/open.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import type { FormatInput } from "../common/format.ts";
import { patternAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { MOST_MIB_HEADER, parseMibHeader } from "./header.ts";
import { findSeries, type MibFile, type MibSeries } from "./series.ts";

// The scan of a MIB file from the time stamps of its frames: at the end of a line the beam flies back, and the
// pause before the next frame is longer.

/** Most time stamps that are read: several lines of usual length, in a few milliseconds. */
const MOST_STAMPS = 4096;

/** Lines that must be seen to be sure of longer files. */
const LINES = 3;

/** Pauses that differ by less are the same: clocks tick in steps of 10 ns or more. */
const JITTER_NS = 1000;

/** A line of a scan. */
interface ScanLine {
  /** Its frames. */
  readonly length: number;
  /** By how much the pause after it is longer, in nanoseconds. */
  readonly flybackNs: number;
}

/**
 * The length of lines, from the times of the first frames in nanoseconds; nothing unless every line looks alike:
 * the shortest pause between lines is clearly longer than the longest within, with five frames a line boundary or more.
 *
 * @example Two lines of four frames
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(scanLine([0, 1e6, 2e6, 3e6, 4.5e6, 5.5e6, 6.5e6, 7.5e6]), { length: 4, flybackNs: 500000 });
 * assertEquals(scanLine([0, 1e6, 2e6, 3e6, 4e6, 5e6, 6e6, 7e6]), undefined);
 * ```
 */
export function scanLine(times: readonly number[]): ScanLine | undefined {
  const pauses = times.slice(1).map((time, i) => time - times[i]!);
  const longest = pauses.reduce((most, pause) => Math.max(most, pause), -Infinity);
  const shortest = pauses.reduce((least, pause) => Math.min(least, pause), Infinity);
  const length = 1 + pauses.findIndex((pause) => pause > (longest + shortest) / 2);
  if (!(length >= 2) || longest - shortest <= JITTER_NS) return undefined;
  const between = pauses.filter((_, i) => (i + 1) % length === 0);
  const within = pauses.filter((_, i) => (i + 1) % length !== 0);
  const [most, least] = [within.reduce((a, b) => Math.max(a, b)), within.reduce((a, b) => Math.min(a, b))];
  const flybackNs = between.reduce((a, b) => Math.min(a, b)) - most;
  if (within.length < 5 || flybackNs <= JITTER_NS + 5 * (most - least)) return undefined;
  return { length, flybackNs };
}

/** Where the headers of a file are. */
export interface Stamps {
  /** Frames in the file. */
  readonly images: number;
  /** Bytes from one header to the next. */
  readonly pitch: number;
  /** Bytes of a header. */
  readonly headerBytes: number;
  /** How many headers may be read. */
  readonly most: number;
}

/**
 * Reads the time stamps of one file until lines are clear, and finds the scan; nothing if there are no lines, or
 * if the frames are not a whole number of them.
 */
async function scanFromTimes(
  source: ByteSource,
  { images, pitch, headerBytes, most }: Stamps,
  signal?: AbortSignal,
): Promise<ScanLine | undefined> {
  const head = new Uint8Array(Math.min(headerBytes, MOST_MIB_HEADER));
  const times: number[] = [];
  const stops = Math.min(images, most);
  let line: ScanLine | undefined;
  for (let frame = 0; frame < stops; frame++) {
    await source.readInto(head, frame * pitch, signal);
    const time = nanoseconds(parseMibHeader(head, source.name, frame * pitch).time);
    if (time === undefined) return undefined;
    times.push(time);
    if (isPowerOfTwo(times.length)) line = scanLine(times);
    if (line && times.length > LINES * line.length) break;
  }
  line = scanLine(times);
  return line && images % line.length === 0 && images > line.length ? line : undefined;
}

function isPowerOfTwo(n: number): boolean {
  return (n & (n - 1)) === 0;
}

/** Nanoseconds of a time such as `2021-05-07T16:51:10.905800928Z`, relative to the start of its day's first second. */
function nanoseconds(time: string | undefined): number | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})Z?$/.exec(time ?? "");
  if (!match) return undefined;
  const seconds = Date.parse(`${match[1]}Z`) / 1000 % 1e6; // 11 days: exact in nanoseconds
  return seconds * 1e9 + Number(match[2]);
}

/** The frames of a file, or of the series that it belongs to. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openMib(input, options)];
}

async function openMib(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const series = await findSeries(input, options);
  const { header, image } = series.files[0]!;
  const [files, warnings] = spansOf(series.files, options);
  const images = files.at(-1)!.end;
  const scan = options.nav ? undefined : await scanOf(series, images, options);
  return fileDataset(input, {
    images,
    navShape: scan?.navShape,
    sigShape: image.sigShape,
    why: [...series.why, ...(scan ? [scan.why] : [])],
    layout: {
      files,
      dtype: image.dtype,
      byteOrder: "big",
      frameHeaderBytes: header.headerBytes,
      storedBytes: image.storedBytes,
      storage: contiguous(image.codec),
    },
    warnings: (given) => [
      ...warnings,
      ...(scan?.warning === undefined ? given.warnings : [scan.warning]),
      ...modesOf(series),
    ],
    axes: patternAxes,
    instrument: instrumentOf(series),
    metadata: metadataOf(series),
  }, options);
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

/** Modes in which neighbours in a frame or in the scan are not alike; they are shown as they are stored. */
function modesOf({ files, hdr }: MibSeries): string[] {
  const mode = hdr?.parsed.fields.get("Chip Mode") ?? "",
    counters = hdr?.parsed.fields.get("Active Counters");
  return [
    ...(files[0]!.header.isColour || /^(CM|CSCM)$/.test(mode)
      ? ["Pixels of several thresholds lie side by side (colour mode): they are not told apart"]
      : []),
    ...(/both/i.test(counters ?? "")
      ? [
        `Frames are those of two counters in turn (${
          hdr!.name
        }: Active Counters ${counters}): they are not told apart`,
      ]
      : []),
  ];
}

function metadataOf({ files, hdr }: MibSeries): Record<string, unknown> {
  const { type, sensor, chips, bits, time, exposure, thresholds } = files[0]!.header;
  return {
    ...defined({ type, sensor, chips, counterBits: bits, time, exposure, thresholds }),
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
