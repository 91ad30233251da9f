/**
 * MRC files: stacks and volumes of electron microscopy, also compressed with gzip.
 *
 * Source: the MRC2014 format description of CCP-EM.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import { axesThatFit, type SaidAxis } from "../../dataset/said_axes.ts";
import { BytesSource } from "../../io/source/bytes.ts";
import { readBytes } from "../../io/source/source.ts";
import { type AxisFacts, factsOf } from "../../space/axes.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { beside } from "../common/beside.ts";
import type { Fields } from "../common/fields.ts";
import { type FormatInput, isGzip } from "../common/format.ts";
import { gunzipStart } from "../common/gzip.ts";
import { axesOver } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { asItIs, type Readable, unpackedSource } from "../common/unpacked.ts";
import { HEAD_BYTES } from "./format.ts";
import { hasOtherSign, readMrcHead } from "./head.ts";

// What cameras of Direct Electron write beside a movie in MRC: `x_info.txt` beside `x_movie.mrc`, a `key = value` per line.

/** Most bytes of such a text. */
const MOST_BYTES = 2 ** 20;
/** What the name of a movie ends with. */
const MOVIE = /_movie\.mrcs?$/i;

/** What the text says. */
interface Movie {
  /** Name of the text. */
  readonly name: string;
  /** The scan, repeats of it first; absent: the frames are one after another. */
  readonly navShape?: Shape;
  /** Axes of the scan or of time, then those of a frame. */
  readonly axes: readonly AxisFacts[];
  /** Camera and microscope. */
  readonly instrument: Instrument;
  /** Its lines. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What the text beside a movie of `images` frames says; `undefined` if there is none. */
async function movieFacts(
  input: FormatInput,
  images: number,
  signal: AbortSignal | undefined,
): Promise<Movie | undefined> {
  if (!MOVIE.test(input.name)) return undefined;
  const source = await beside(input, input.name.replace(MOVIE, "_info.txt"));
  if (!source) return undefined;
  const bytes = await readBytes(source, 0, Math.min(source.size, MOST_BYTES), signal);
  return movieOf(source.name, new TextDecoder().decode(bytes), images);
}

function movieOf(name: string, text: string, images: number): Movie {
  const fields: Record<string, string> = Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^\s*([^=]{1,200}?)\s*=\s*(.{0,1000}?)\s*$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value!]];
    }),
  );
  const number = (key: string) => {
    const value = Number(fields[key] || NaN);
    return value > 0 ? value : undefined;
  };
  const step = (key: string, unit: string) => {
    const scale = number(key);
    return scale === undefined ? {} : { scale, unit };
  };
  const [rows, columns] = [number("Scan - Size Y"), number("Scan - Size X")];
  const isRaster = fields["Scan - Enable"] === "Enable" && /^(Raster)?$/.test(fields["Scan - Type"] ?? "");
  const repeats = images / ((rows ?? NaN) * (columns ?? NaN));
  const isScan = isRaster && Number.isInteger(repeats);
  const isPattern = isScan || number("Instrument Project Camera Length (centimeters)") !== undefined;
  const place = (axis: "X" | "Y") => step(`Specimen Pixel Size ${axis} (nanometers)`, "nm");
  const frame = (["Y", "X"] as const).map((axis): AxisFacts =>
    isPattern
      ? { kind: "detector", ...step(`Diffraction Pixel Size ${axis}`, "1/nm") }
      : { kind: "space", name: axis.toLowerCase(), ...place(axis) }
  );
  const scan: AxisFacts[] = [{ kind: "scan", name: "y", ...place("Y") }, {
    kind: "scan",
    name: "x",
    ...place("X"),
  }];
  const again: AxisFacts[] = repeats > 1 ? [factsOf({ kind: "time", name: "t" })] : [];
  const length = number("Instrument Project Camera Length (centimeters)");
  return {
    name,
    ...(isScan ? { navShape: [...again.map(() => repeats), rows!, columns!] } : {}),
    axes: isScan ? [...again, ...scan, ...frame] : [{ kind: "time", name: "t" }, ...frame],
    instrument: known({
      magnification: number("Instrument Project Magnification"),
      cameraLength: length === undefined ? undefined : length / 100,
      frameRate: number("Frames Per Second"),
      detector: fields["Camera Model"],
    }),
    fields,
  };
}

export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  const readable = isGzip(input.head) ? await unpacked(input, options.signal) : asItIs(input.source);
  const { source, size, spec } = readable;
  const { head, layout, sections: nz, mode } = await readMrcHead(source, options.signal, size);
  const { frames, warnings } = completeFrames({
    name: input.source.name,
    size,
    start: layout.files[0]!.headerBytes,
    pitch: layout.storedBytes,
    frames: nz,
  }, options);
  const movie = await movieFacts(input, frames, options.signal);
  const whole = movie?.navShape ?? (frames === nz ? volumesOf(head, nz) : undefined);
  const native = { images: frames, navShape: whole ?? [frames], sigShape: layout.sigShape };
  const said = movie?.axes ?? axesIn(head, nz, native.navShape.length);
  const dataset = fileDataset(input, {
    ...native,
    why: movie ? saysScan(movie) : [],
    layout: { ...layout, files: [{ ...layout.files[0]!, source: spec, end: frames }] },
    warnings: [...readable.warnings, ...warnings, ...skewed(head), ...extended(head)],
    axes: (given) =>
      axesThatFit(input.name, [...given.navShape, ...given.sigShape], axesOver(given, native, said)),
    instrument: movie?.instrument,
    metadata: { ...metadataOf(head, mode), ...(movie ? { info: movie.fields } : {}) },
  }, options);
  return [dataset];
}

/** What Direct Electron writes for a step that is not known, in nm; other programs leave cells 0. */
const UNSET = -1;

/** A single section is an image, unless its space group says that it is one of a volume. */
function isVolume(head: Fields): boolean {
  return head.i32(88) !== 0;
}

/** The scan: none for an image, volumes and sections for a stack of volumes (space groups 401 to 630), else sections. */
function volumesOf(head: Fields, sections: number): Shape {
  if (sections === 1 && !isVolume(head)) return [];
  const [group, each] = [head.i32(88), head.i32(36)];
  const isStack = group >= 401 && group <= 630 && each > 0 && sections % each === 0;
  return isStack ? [sections / each, each] : [sections];
}

/** A cell whose axes are not at right angles, which steps along them do not say. */
function skewed(head: Fields): string[] {
  const angles = [52, 56, 60].map((at) => head.f32(at));
  if (angles.every((angle) => angle === 90 || angle === 0)) return [];
  return [
    `The axes of the cell are not at right angles, but at ${angles.join("°, ")}°: steps are along the axes`,
  ];
}

/** Extended headers with facts about each section. */
function extended(head: Fields): string[] {
  const type = head.text(104, 4);
  if (head.i32(92) === 0 || !/^(FEI[12]|SERI|AGAR)$/.test(type)) return [];
  return [
    `The extended header (${type}) says more of each section, as its tilt and its place, which is not read`,
  ];
}

function saysScan({ name, navShape }: Movie): string[] {
  const what = navShape ? `scan of ${showShape(navShape)}` : "frames one after another";
  return [`${what} as ${name} says`];
}

/**
 * Cell sizes in ångström over samples. Sections are places of a volume; those of a stack are images, without a step; volumes of
 * a stack follow each other.
 */
function axesIn(head: Fields, sections: number, nav: number): SaidAxis[] {
  const [x, y, z] = cellAxes(head).map((axis, d) => axisOf(head, d, axis)) as [SaidAxis, SaidAxis, SaidAxis];
  const isCell = isVolume(head) && (nav > 1 || sections > 1);
  const before: SaidAxis[] = Array.from({ length: nav }, () => ({ kind: "series" }));
  return [...(isCell && nav > 0 ? [...before.slice(1), z] : before), y, x];
}

/** Which axes of the cell (0, 1, 2) the columns, rows and sections go along; crystallographers store z or y fastest. */
function cellAxes(head: Fields): number[] {
  const order = [64, 68, 72].map((at) => head.i32(at) - 1);
  return [...order].sort().join() === "0,1,2" ? order : [0, 1, 2]; // old files have zeros there
}

/** Dimension `d` of the file, which goes along an axis of the cell. */
function axisOf(head: Fields, d: number, axis: number): SaidAxis {
  const [cell, intervals] = [head.f32(40 + 4 * axis), head.i32(28 + 4 * axis)];
  const scale = inNanometres(cell / intervals);
  const isSaid = cell !== 0 && intervals !== 0 && scale !== UNSET;
  const offset = originOf(head)?.[axis] ?? inNanometres(head.i32(16 + 4 * d) * cell / intervals);
  const step = { scale, unit: "nm", isRising: true, ...(offset === 0 ? {} : { offset }) };
  return { kind: "space", name: "xyz"[axis]!, ...(isSaid ? step : {}) };
}

/** Kept in ångström, single precision. */
function inNanometres(length: number): number {
  return Number((length / 10).toPrecision(7));
}

/** Where the first sample lies along x, y, z, if the header says so; IMOD has the other sign, unless its flag says that it has not. */
function originOf(head: Fields): number[] | undefined {
  const origin = [196, 200, 204].map((at) => inNanometres(head.f32(at)));
  const isSaid = head.text(208, 3) === "MAP" && origin.some((place) => place !== 0) &&
    origin.every(Number.isFinite);
  return isSaid ? origin.map((place) => hasOtherSign(head) ? 0 - place : place) : undefined;
}

function metadataOf(head: Fields, mode: number): Record<string, unknown> {
  const labels = Array.from(
    { length: Math.min(10, Math.max(0, head.i32(220))) },
    (_, i) => head.text(224 + 80 * i, 80),
  );
  return {
    mode,
    labels: labels.filter((label) => label !== ""),
    extendedHeaderBytes: head.i32(92),
    extendedHeaderType: head.text(104, 4),
  };
}

/** What a compressed file unpacks to: as much as its header promises, which is read first. */
async function unpacked(input: FormatInput, signal: AbortSignal | undefined): Promise<Readable> {
  const start = new BytesSource(await gunzipStart(input.head, HEAD_BYTES), input.source.name);
  const { layout: { files: [first], storedBytes }, sections } = await readMrcHead(start, signal, Infinity);
  return await unpackedSource(input.source, start, first!.headerBytes + sections * storedBytes, signal);
}
