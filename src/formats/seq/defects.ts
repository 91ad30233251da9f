/**
 * Dead rows, columns and pixels of cameras of Direct Electron, from the XML and the metadata beside a sequence.
 *
 * ```
 * <BadPixelMap Rows="4096" Columns="4096" Binning="1">
 *   <Defect Row="12"/> <Defect Rows="3-5"/> <Defect Column="7"/> <Defect Columns="0-1"/> <Defect Row="1" Column="2"/>
 * ```
 * Coordinates count pixels of the whole sensor; the metadata say which window of it the frames show.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { xmlElements } from "../common/xml.ts";
import type { Shape } from "../../space/shape.ts";
import { Fields } from "../common/fields.ts";

/** Where the numbers begin in the metadata. */
const METADATA = 282;
/** Rows and columns of a sensor are not more. */
const MOST_SIDE = 2 ** 16;
/** Most pixels of dead rows and columns: each of them is patched by itself. */
const MOST_DEAD = 2 ** 20;

/** The part of the sensor that frames show, in its pixels. */
export interface SensorWindow {
  /** First row and column. */
  readonly origin: readonly [number, number];
  /** Rows and columns. */
  readonly shape: readonly [number, number];
  /** Whether the sensor adds pixels up before they are read. */
  readonly binned: boolean;
}

/** The window, from the first bytes of a `.metadata` file. */
export function readWindow(bytes: Uint8Array, file: string): SensorWindow {
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
export interface DeadPixels {
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
    const text = `Cannot read ${file}: ${badRows.length} rows and ${badColumns.length} columns are dead`;
    throw new TilewiseError("malformed", text, { file, offset: 0 });
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
  throw new TilewiseError("malformed", `Cannot read ${file}: ${what} is ${text ?? "missing"}`, {
    file,
    offset: 0,
  });
}
