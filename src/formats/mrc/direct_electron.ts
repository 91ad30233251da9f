/**
 * What cameras of Direct Electron write beside a movie in MRC: `x_info.txt` beside `x_movie.mrc`, a `key = value` per line.
 *
 * @module
 */

import { type Instrument, known } from "../../dataset/facts.ts";
import { type AxisFacts, factsOf } from "../../space/axes.ts";
import { readBytes } from "../../io/source/source.ts";
import type { Shape } from "../../space/shape.ts";
import { beside } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";

/** Most bytes of such a text. */
const MOST_BYTES = 2 ** 20;
/** What the name of a movie ends with. */
const MOVIE = /_movie\.mrcs?$/i;

/** What the text says. */
export interface Movie {
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
export async function movieFacts(
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
