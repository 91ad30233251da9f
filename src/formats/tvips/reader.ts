/**
 * TVIPS EM series (`.tvips`): a head of 256 bytes, then frames with headers, in one file or many numbered ones.
 *
 * ```
 * head   256₃₂ version₃₂ width₃₂ height₃₂ bits₃₂ …  48 bytes of a frame header₃₂ (version 2)
 * frame  counter₃₂ time₃₂ ms₃₂ … 68 scan x 72 scan y (float32, version 2), then samples
 * ```
 * Source: the headers as RosettaSciIO and LiberTEM describe them.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import type { FileSpan } from "../../dataset/layout/layout.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import { beside, besideAnyCase } from "../common/beside.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import { patternAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { firstName, HEAD_BYTES, headed } from "./format.ts";

// The times of TVIPS frames: each frame header has the seconds since 1970 and milliseconds.

/** Seconds of the year 1971: cameras that wrote less had no clock. */
const LEAST_SECONDS = 86_400 * 365;

/** Frames of one file. */
interface TvipsFrames {
  /** The file. */
  readonly source: ByteSource;
  /** Byte of the first header. */
  readonly start: number;
  /** Bytes from header to header. */
  readonly pitch: number;
  /** Frames, from one on. */
  readonly frames: number;
}

/** When the first frame of a file was taken, and how many there were a second up to the last one in it. */
async function timesIn(
  { source, start, pitch, frames }: TvipsFrames,
  signal?: AbortSignal,
): Promise<Pick<Instrument, "acquired" | "frameRate">> {
  const first = await timeAt(source, start, signal);
  const last = frames > 1 ? await timeAt(source, start + (frames - 1) * pitch, signal) : undefined;
  if (first === undefined) return {};
  const seconds = last === undefined ? 0 : (last - first) / 1000;
  return {
    acquired: new Date(first).toISOString(),
    ...(seconds > 0 ? { frameRate: Number(((frames - 1) / seconds).toPrecision(6)) } : {}),
  };
}

/** Milliseconds since 1970; `undefined` if the header has no time. */
async function timeAt(source: ByteSource, at: number, signal?: AbortSignal): Promise<number | undefined> {
  const fields = await Fields.read(source, at, 12, "little", signal);
  const [seconds, milliseconds] = [fields.u32(4), fields.u32(8)];
  const isTime = seconds >= LEAST_SECONDS && milliseconds < 1000;
  return isTime ? 1000 * seconds + milliseconds : undefined;
}

const OLD_FRAME_HEADER = 12;

/** Frames at the start among which the scan must begin. */
const LOOK_FOR_START = 4096;

/** What the head says. */
interface Head {
  readonly version: number;
  readonly sigShape: Shape;
  readonly itemSize: number;
  readonly frameHeader: number;
  readonly instrument: Instrument;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The frames of a series of files. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openTvips(input, options)];
}

async function openTvips(given: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const input = await fromFirst(given, options);
  const head = readHead(await Fields.read(input.source, 0, HEAD_BYTES, "little", options.signal));
  const { files, sources, warnings } = await filesOf(input, head, options);
  const images = files.at(-1)!.end;
  const scan = head.version === 2 ? await findScan(files, sources, head, images, options.signal) : undefined;
  const pitch = head.frameHeader + frameBytes(head);
  const [source, { start, end, headerBytes }] = [sources[0]!, files[0]!];
  const times = await timesIn({ source, start: headerBytes, pitch, frames: end - start }, options.signal);
  return fileDataset(input, {
    images,
    sigShape: head.sigShape,
    ...scan,
    layout: {
      files,
      dtype: head.itemSize === 1 ? "uint8" : "uint16",
      frameHeaderBytes: head.frameHeader,
      storedBytes: frameBytes(head),
    },
    warnings,
    axes: patternAxes,
    instrument: known({ ...head.instrument, ...times }),
    metadata: { ...head.facts, ...(scan ? { scanDetected: scan.navShape } : {}) },
  }, options);
}

function frameBytes({ sigShape, itemSize }: Head): number {
  return sigShape[0]! * sigShape[1]! * itemSize;
}

function readHead(f: Fields): Head {
  const version = f.within(f.i32(4), 1, 2, "the version", 4);
  const width = f.within(f.i32(8), 1, MOST_PIXELS, "the width", 8);
  const height = f.within(f.i32(12), 1, MOST_PIXELS, "the height", 12);
  const bits = f.i32(16);
  if (bits !== 8 && bits !== 16) {
    throw f.error("unsupported", `samples have ${bits} bits; 8 and 16 are known`, 16);
  }
  const frameHeader = version === 1
    ? OLD_FRAME_HEADER
    : f.within(f.i32(48), 12, 65536, "the bytes of a frame header", 48);
  const instrument = known({
    voltage: f.i32(40) * 1e3,
    magnification: f.i32(44),
    binning: [f.i32(32), f.i32(28)],
    pixelSize: [f.i32(36) / 1e9, f.i32(36) / 1e9],
  });
  const facts = { version, offset: [f.i32(24), f.i32(20)] };
  return { version, sigShape: [height, width], itemSize: bits / 8, frameHeader, instrument, facts };
}

/** The series from its first file on, whichever file was given. */
async function fromFirst(input: FormatInput, { noSeries }: OpenOptions): Promise<FormatInput> {
  const name = firstName(input.name);
  if (name === undefined || headed(input).claim === "yes") return input;
  if (noSeries) {
    const text = `Cannot read ${input.name} alone: its head is in ${name}; leave noSeries out`;
    throw new TilewiseError("invalid", text, { file: input.name, option: "noSeries" });
  }
  const source = await input.openSibling(name);
  return { ...input, source, name, size: source.size };
}

/** All files of the series: names that end in _000, _001 and so on, without a gap. */
async function filesOf(input: FormatInput, head: Head, options: OpenOptions) {
  const names = options.noSeries ? [input.name] : await seriesNames(input);
  const files: FileSpan[] = [];
  const sources: ByteSource[] = [];
  const warnings: string[] = [];
  let start = 0;
  for (const [i, name] of names.entries()) {
    const source = i === 0 ? input.source : await besideAnyCase(input, name) ?? await input.openSibling(name);
    const headerBytes = i === 0 ? HEAD_BYTES : 0;
    const { frames, warning } = framesIn(source, headerBytes, head, options);
    if (warning) warnings.push(warning);
    if (frames === 0) continue;
    files.push({ source: source.describe(), start, end: start + frames, headerBytes });
    sources.push(source);
    start += frames;
  }
  if (files.length === 0) {
    throw cannot("read", input.name, "truncated", "it has no complete frame");
  }
  return { files, sources, warnings };
}

function framesIn(
  { name, size }: ByteSource,
  headerBytes: number,
  head: Head,
  { allowTruncated }: OpenOptions,
): { frames: number; warning?: string } {
  const pitch = head.frameHeader + frameBytes(head);
  const frames = Math.floor((size - headerBytes) / pitch);
  const rest = size - headerBytes - frames * pitch;
  if (rest === 0) return { frames };
  const text = `${name} ends ${rest} bytes into frame ${frames} of ${pitch} bytes`;
  if (allowTruncated) return { frames, warning: text };
  throw new TilewiseError("truncated", `Cannot read ${text}; allowTruncated reads the complete ones`, {
    file: name,
    expected: headerBytes + (frames + 1) * pitch,
    found: size,
    completeFrames: frames,
  });
}

/** Scan and first image from the beam positions in frame headers; `undefined` if these do not show them. */
async function findScan(
  files: readonly FileSpan[],
  sources: readonly ByteSource[],
  head: Head,
  images: number,
  signal: AbortSignal | undefined,
): Promise<{ navShape: Shape; syncOffset: number } | undefined> {
  if (head.frameHeader < 76) return undefined;
  const position = async (image: number): Promise<[number, number]> => {
    const file = files.findIndex(({ end }) => image < end);
    const { start, headerBytes } = files[file]!;
    const at = headerBytes + (image - start) * (head.frameHeader + frameBytes(head));
    const f = await Fields.read(sources[file]!, at + 68, 8, "little", signal);
    return [f.f32(4), f.f32(0)];
  };
  for (let image = 0; image + 1 < Math.min(images, LOOK_FOR_START); image++) {
    const [y, x] = await position(image);
    if (y !== 0 || x !== 0) continue;
    const [nextY, nextX] = await position(image + 1);
    if (nextY !== 0 || nextX !== 1) continue;
    let width = 2;
    while (image + width < images && (await position(image + width))[1] === width) width++;
    const height = Math.floor((images - image) / width);
    return height > 0 ? { navShape: [height, width], syncOffset: image } : undefined;
  }
  return undefined;
}

/** The names of all files of the series of `input`, which is the first one. Errors: `not-found` where one is missing. */
async function seriesNames(input: FormatInput): Promise<string[]> {
  const { name, given, source } = input;
  const stem = /^(.*_)000(\.tvips)$/i.exec(name);
  if (!stem) return [name];
  const there = new Set(await input.siblings());
  const number = (n: number) => `${stem[1]}${String(n).padStart(3, "0")}${stem[2]}`;
  const names = [name];
  if (given.length === 1 && source.describe().kind === "http") return await askedNames(input, number);
  while (there.has(number(names.length))) names.push(number(names.length));
  const later = [...there].filter((one) => one.startsWith(stem[1]!) && /_\d{3}\.tvips$/i.test(one)).length;
  if (later > names.length) {
    const text = `Cannot read the series of ${name}: ${
      number(names.length)
    } is missing, but later files are there`;
    throw new TilewiseError("not-found", text, { file: number(names.length) });
  }
  return names;
}

/** Servers have no list of their files: they are asked for one after another. */
async function askedNames(input: FormatInput, number: (n: number) => string): Promise<string[]> {
  const names = [input.name];
  while (await beside(input, number(names.length))) names.push(number(names.length));
  return names;
}
