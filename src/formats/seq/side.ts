/**
 * What may lie beside a Norpix sequence `x.seq`: `x.seq.dark.mrc`, `x.seq.gain.mrc`, and the defects of the camera in
 * `x.seq.Config.Metadata.xml` and `x.seq.metadata`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import type { SuppliedCorrections } from "../../dataset/supplied.ts";
import { cannot, isTilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, readUpTo } from "../../io/source/source.ts";
import { sameShape, type Shape, showShape, unravel } from "../../space/shape.ts";
import { besideAnyCase, nameLike } from "../common/beside.ts";
import { Fields } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { xmlElements, xmlText } from "../common/xml.ts";
import { readMrcHead } from "../mrc/head.ts";

// Dead rows, columns and pixels of cameras of Direct Electron, from the XML and the metadata beside a sequence.
//
// ```
// <BadPixelMap Rows="4096" Columns="4096" Binning="1">
//   <Defect Row="12"/> <Defect Rows="3-5"/> <Defect Column="7"/> <Defect Columns="0-1"/> <Defect Row="1" Column="2"/>
// ```
// Coordinates count pixels of the whole sensor; the metadata say which window of it the frames show.

/** Where the numbers begin in the metadata. */
const METADATA = 282;
/** Rows and columns of a sensor are not more. */
const MOST_SIDE = 2 ** 16;
/** Most pixels of dead rows and columns: each of them is patched by itself. */
const MOST_DEAD = 2 ** 20;

/** The part of the sensor that frames show, in its pixels. */
interface SensorWindow {
  /** First row and column. */
  readonly origin: readonly [number, number];
  /** Rows and columns. */
  readonly shape: readonly [number, number];
  /** Whether the sensor adds pixels up before they are read. */
  readonly binned: boolean;
}

/** The window, from the first bytes of a `.metadata` file. */
function readWindow(bytes: Uint8Array, file: string): SensorWindow {
  const fields = new Fields(bytes, file);
  const number = (n: number) => fields.i32(METADATA + 4 * n);
  const binned = fields.within(number(6), 0, 64, "the binning", METADATA + 24) > 1;
  const scale = binned ? 2 : 1;
  const value = (n: number, what: string) =>
    Math.floor(fields.within(number(n), 0, MOST_SIDE, what, METADATA + 4 * n) / scale);
  return {
    shape: [value(3, "the number of rows"), value(2, "the number of columns")],
    origin: [value(5, "the first row"), value(4, "the first column")],
    binned,
  };
}

/** One map of the XML. */
interface DefectMap {
  readonly rows: number;
  readonly columns: number;
  readonly binning: number;
  /** The defects, attributes as they are written. */
  readonly defects: readonly ReadonlyMap<string, string>[];
}

/** Dead pixels of one kind of frames. */
interface DeadPixels {
  /** Rows and columns of these frames. */
  readonly shape: Shape;
  /** Numbers of the dead ones, ascending. */
  readonly pixels: readonly number[];
}

/**
 * Dead pixels of the frames that show `window`: of the map with most columns among those that are binned as the frames
 * are. Nothing if there is no such map.
 */
export function deadPixels(xml: string, window: SensorWindow, file: string): DeadPixels | undefined {
  const map = mapsOf(xml, file).filter(({ binning }) => binning > 1 === window.binned)
    .reduce<DefectMap | undefined>(
      (most, one) => most && most.columns >= one.columns ? most : one,
      undefined,
    );
  if (!map) return undefined;
  const { origin: [top, left], shape: [height, width] } = windowIn(map, window);
  const rows = new Marks(top, height), columns = new Marks(left, width);
  const dead = new Set<number>();
  for (const defect of map.defects) {
    const y = spanOf(defect, "Row", file), x = spanOf(defect, "Column", file);
    if (y && x) {
      const [r, c] = [y[0] - top, x[0] - left];
      if (r >= 0 && r < height && c >= 0 && c < width) dead.add(r * width + c);
    } else if (y) rows.mark(y);
    else if (x) columns.mark(x);
  }
  const [badRows, badColumns] = [rows.all(), columns.all()];
  if (badRows.length * width + badColumns.length * height > MOST_DEAD) {
    const text = `${badRows.length} rows and ${badColumns.length} columns are dead`;
    throw cannot("read", file, "malformed", text, { offset: 0 });
  }
  for (const r of badRows) for (let c = 0; c < width; c++) dead.add(r * width + c);
  for (const c of badColumns) for (let r = 0; r < height; r++) dead.add(r * width + c);
  return { shape: [height, width], pixels: [...dead].sort((a, b) => a - b) };
}

/** Marked rows or columns; marking a range takes as long as marking one. */
class Marks {
  readonly #steps: Int32Array;

  constructor(private readonly first: number, private readonly size: number) {
    this.#steps = new Int32Array(size + 1);
  }

  mark([from, to]: [number, number]): void {
    const [begin, end] = [from - this.first, to - this.first].map((n) => Math.min(Math.max(n, 0), this.size));
    this.#steps[begin!]!++;
    this.#steps[end!]!--;
  }

  all(): number[] {
    let depth = 0;
    return Array.from({ length: this.size }, (_, n) => n).filter((n) => (depth += this.#steps[n]!) > 0);
  }
}

/** What of a map the frames show: the window, or all of it where the window does not fit. */
function windowIn({ rows, columns }: DefectMap, { origin, shape }: SensorWindow) {
  const isInside = origin[0] + shape[0] <= rows && origin[1] + shape[1] <= columns;
  return isInside ? { origin, shape } : { origin: [0, 0] as const, shape: [rows, columns] as const };
}

function mapsOf(xml: string, file: string): DefectMap[] {
  return xmlElements(xml, "BadPixelMap").map(({ tag, inside }) => {
    const attributes = attributesOf(tag);
    const size = (name: string) => numberOf(attributes.get(name), `${name} of a map`, file);
    return {
      rows: size("Rows"),
      columns: size("Columns"),
      binning: attributes.has("Binning") ? size("Binning") : 1,
      defects: [...inside.matchAll(/<Defect\s([^<>]{0,2000})>/g)].map(([, text]) => attributesOf(text!)),
    };
  });
}

function attributesOf(text: string): Map<string, string> {
  const pairs = text.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...pairs].map(([, name, double, single]) => [name!, (double ?? single)!.trim()]));
}

/** Rows (or columns) of a defect, half open: one or a range; `undefined` if the defect names none. */
function spanOf(
  defect: ReadonlyMap<string, string>,
  name: string,
  file: string,
): [number, number] | undefined {
  const text = defect.get(name) ?? defect.get(`${name}s`);
  if (text === undefined) return undefined;
  const [first, last = first] = text.split("-");
  const [from, to] = [
    numberOf(first, `a ${name} of a defect`, file),
    numberOf(last, `a ${name} of a defect`, file),
  ];
  return [from, Math.max(from, to) + 1];
}

function numberOf(text: string | undefined, what: string, file: string): number {
  const value = /^\s*\d+\s*$/.test(text ?? "") ? Number(text) : NaN;
  if (value <= MOST_SIDE) return value;
  throw cannot("read", file, "malformed", `${what} is ${text ?? "missing"}`, { offset: 0 });
}

const MOST_XML = 2 ** 24;
const METADATA_BYTES = 4096;

/** Corrections that lie beside a sequence. */
interface SideFiles {
  /** Those that fit the frames, if any. */
  readonly corrections?: SuppliedCorrections;
  /** Those that do not. */
  readonly warnings: readonly string[];
}

/** Shapes of the frames of a sequence. */
interface SeqFrames {
  /** In the file. */
  readonly stored: Shape;
  /** As they are shown. */
  readonly shown: Shape;
}

/** Looks for side files; maps that are not of the shape of the frames are left out, with a warning. */
export async function sideFiles(
  input: FormatInput,
  frames: SeqFrames,
  options: OpenOptions,
): Promise<SideFiles> {
  const base = `${input.name.replace(/(\.seq)+$/i, "")}.seq`;
  const dark = await mapOf(input, `${base}.dark.mrc`, frames, options);
  const gain = await mapOf(input, `${base}.gain.mrc`, frames, options);
  const dead = await defects(input, base, frames, options);
  const warnings = [dark, gain, dead].flatMap(({ problem }) => problem === undefined ? [] : [problem]);
  const why = [
    ...(dark.found ? [`dark frame: ${base}.dark.mrc`] : []),
    ...(gain.found ? [`gain map: ${base}.gain.mrc`] : []),
    ...(dead.found ? [`${dead.found.length} dead pixels: ${base}.Config.Metadata.xml`] : []),
  ];
  if (why.length === 0) return { warnings };
  return {
    corrections: {
      ...defined({ dark: dark.found, gain: gain.found, excluded: dead.found }),
      why,
    },
    warnings,
  };
}

/** What a file beside the sequence gives, or why it is not applied; neither where there is no such file. */
interface Side<T> {
  readonly found?: T;
  readonly problem?: string;
}

/** A file beside the sequence. Where the folder cannot be listed, servers are asked for it. */
async function side(input: FormatInput, name: string): Promise<ByteSource | undefined> {
  const isThere = (await input.siblings()).includes(await nameLike(input, name));
  if (!isThere && input.source.describe().kind !== "http") return undefined;
  try {
    return await besideAnyCase(input, name);
  } catch (error) {
    if (!isThere && isTilewiseError(error, "permission")) return undefined; // what some servers say of missing files
    throw error;
  }
}

async function mapOf(
  input: FormatInput,
  name: string,
  { stored, shown }: SeqFrames,
  { signal }: OpenOptions,
): Promise<Side<FrameLayout>> {
  const source = await side(input, name);
  if (!source) return {};
  const { layout, sections: images } = await readMrcHead(source, signal);
  const end = layout.files[0]!.headerBytes + layout.storedBytes;
  if (end > source.size) {
    const text = `it ends at byte ${source.size} of ${end}`;
    throw cannot("read", source.name, "truncated", text, { expected: end, found: source.size });
  }
  if (sameShape(layout.sigShape, stored) && images === 1) {
    return { found: { ...layout, sigShape: shown } };
  }
  const found = `${images === 1 ? "" : `${images} images of `}${showShape(layout.sigShape)}`;
  return { problem: `${name} is not applied: it has ${found}, frames are ${showShape(stored)}` };
}

async function defects(
  input: FormatInput,
  base: string,
  { stored, shown }: SeqFrames,
  { signal }: OpenOptions,
): Promise<Side<number[][]>> {
  const name = `${base}.Config.Metadata.xml`;
  const xml = await side(input, name);
  if (!xml) return {};
  const metadata = await side(input, `${base}.metadata`);
  if (!metadata) {
    const missing = `${base}.metadata, which has the window of the sensor, is not there`;
    return { problem: `${name} is not applied: ${missing}` };
  }
  if (xml.size > MOST_XML) {
    const text = `it has ${xml.size} bytes, ${MOST_XML} is the most`;
    throw cannot("read", xml.name, "malformed", text, { expected: MOST_XML, found: xml.size });
  }
  const window = readWindow(await readUpTo(metadata, 0, METADATA_BYTES, signal), metadata.name);
  const text = xmlText(await readBytes(xml, 0, xml.size, signal));
  const dead = deadPixels(text, window, xml.name);
  const problem = !dead
    ? `has no map of dead pixels for ${window.binned ? "" : "un"}binned frames`
    : sameShape(dead.shape, stored)
    ? undefined
    : `is for ${showShape(dead.shape)}, frames are ${showShape(stored)}`;
  if (problem) return { problem: `${name} is not applied: it ${problem}` };
  if (!dead || dead.pixels.length === 0) return {};
  return { found: dead.pixels.map((pixel) => unravel(pixel, shown)) };
}
