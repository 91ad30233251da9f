/**
 * Saves arrays to a file; its ending decides the format, see the table in `sinks/registry.ts`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { FileContent } from "../io/write/part_file.ts";
import { type PendingFile, writeFilesAtomic } from "../io/write/write.ts";
import { stemOf } from "../io/file/names.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../options.ts";
import { each, must, text, truth } from "../options/rules.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { checkArray } from "../space/check_array.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { colormapRule } from "./colours/colormap.ts";
import { arrayPieces, hasHolesIn, isFloat, mustHold, severalPieces } from "../sinks/arrays/pieces.ts";
import { type Keeps, lossesOf } from "../sinks/losses.ts";
import { besideKind, mustBeTarget, type OwnId, targetAt } from "../sinks/registry.ts";
import { rowTarget } from "../sinks/rows/registry.ts";
import { colourRows, grayRows, type PictureOptions } from "./picture.ts";
import { MOST_BESIDE, reductionOf } from "./plane.ts";
import { type PngOptions, pngPieces } from "../sinks/png/png.ts";
import type { Limits } from "./scale.ts";
import { withoutAlpha } from "../sinks/png/raster.ts";
import { componentsOf, vectorRows } from "./vectors.ts";

/**
 * Options of {@link save}; all except `text` and `bits` control how a picture looks.
 * @category Results
 */
export interface SaveOptions extends PictureOptions, PngOptions {
  /** Bits per sample in a PNG. 16 gives gray and ignores the colour map. Default 8. */
  readonly bits?: 8 | 16;
}

const PNG_OPTIONS: OptionNames<PngOptions> = { text: each("an object of texts by keyword", text) };

const limits: OptionRule<Limits> = must(
  "two numbers, such as [0, 100]",
  (value) => Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === "number"),
);

// deno-fmt-ignore: written by `deno task build`
const SAVE_OPTIONS: OptionNames<SaveOptions> = {
  ...PNG_OPTIONS, range: limits, percentile: limits, symmetric: truth, colormap: colormapRule, legend: truth,
  bits: must("8 or 16", (value) => value === 8 || value === 16),
};

/** How an array becomes a file. */
type Encoder = (array: NDArray, options: SaveOptions, path: string) => FileContent | Promise<FileContent>;

/** Files of arrays that have no rows. */
const ENCODERS: Readonly<Record<OwnId, Encoder>> = {
  npz: (array) => npzPieces(arraysOf("array", array)),
  csv: async (array) => (await import("../sinks/arrays/csv.ts")).csvPieces(array),
  png: (array, options) => pictureOf(array, options),
};

async function encoded(...[array, options, path]: Parameters<Encoder>): Promise<FileContent> {
  const { id, arrays } = mustBeTarget(path, "arrays");
  if (arrays === "own") return await ENCODERS[id as OwnId](array, options, path);
  return arrayPieces(await rowTarget(id), array, stemOf(path.replace(/^.*[/\\]/, "")));
}

async function npzPieces(arrays: Readonly<Record<string, NDArray>>): Promise<FileContent> {
  return (await import("../sinks/arrays/npz.ts")).npzPieces(arrays);
}

function pictureOf(array: NDArray, options: SaveOptions, most?: number): FileContent {
  const { text: _text, ...look } = options, [y, x] = componentsOf(array) ?? [];
  if (y && x && Object.keys(look).length === 0) {
    return pngPieces(withoutAlpha(vectorRows(y, x, undefined, most)), named(options));
  }
  const rows = options.bits === 16 ? grayRows(array, options, most) : colourRows(array, options, most);
  return pngPieces(withoutAlpha(rows), named(options));
}

/** The text entries of a picture. */
function named({ text }: PngOptions): PngOptions {
  return { text: { Software: "Tilewise", ...text } };
}

/** See `face.ts`. */
export async function save(array: NDArray, path: string, options: SaveOptions = {}): Promise<string[]> {
  checkOptionNames("save()", options, SAVE_OPTIONS);
  checkArray("save()", array);
  text("save()", "path", path);
  return await written(filesOf(array, path, options));
}

/** The files that {@link save} writes. */
export function filesOf(array: NDArray, path: string, options: SaveOptions = {}): PendingFile[] {
  const { id } = mustBeTarget(path, "arrays");
  const file = { path, content: () => encoded(array, options, path) };
  const { valid, shape, dtype } = array;
  if (id !== "npy" || !valid || isFloat(dtype) || !hasHolesIn(array)) return [file];
  const mask = besideKind(path, "npy", ".valid.npy");
  return [file, { path: mask, content: () => encoded(maskOf(valid, shape), {}, mask) }];
}

/**
 * What the file that {@link save} writes at `path` does not hold of what is known of an array, in words; empty if nothing is
 * lost. A picture is a look at an array, not a file of it.
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { lossesIn } from "@tilewise/tilewise/unstable/results";
 * import { assertEquals } from "@std/assert";
 * const line = { ...ndarray(Float32Array.of(1, 2), [2], "float32"), axes: [{ name: "x", scale: 0.5, unit: "nm" }] };
 * assertEquals(await lossesIn(line, "line.npy"), "scale and unit of x");
 * assertEquals(await lossesIn(line, "line.hspy"), "");
 * ```
 * @category Results
 */
export async function lossesIn(
  array: Pick<NDArray, "shape" | "dtype" | "axes" | "values" | "valid">,
  path: string,
): Promise<string> {
  const { id, arrays } = mustBeTarget(path, "arrays");
  if (id === "png") return "";
  const target = arrays === "rows" ? await rowTarget(id) : undefined;
  const { dtype } = array;
  const isWidened = target !== undefined && !target.hasMask && !isFloat(dtype) && hasHolesIn(array);
  const all = [
    lossesOf(target?.keeps ?? NOTHING, array),
    ...(isWidened ? [`the type ${dtype}: samples are float64, NaN where they are not valid`] : []),
  ];
  return all.filter((text) => text !== "").join("; ");
}

/** Refuses an array that {@link save} cannot write at `path`, by its facts, before it is computed. */
export async function mustBeHeld(
  array: Pick<NDArray, "shape" | "dtype" | "axes">,
  path: string,
): Promise<void> {
  const { id, arrays } = mustBeTarget(path, "arrays");
  if (arrays === "rows") mustHold(await rowTarget(id), array);
}

/** Of text, and of archives. */
const NOTHING: Keeps = {};

/** A picture beside a file that has all samples: it is reduced to at most {@link MOST_BESIDE} pixels. */
export interface PictureBeside extends PendingFile {
  /** A pixel is the mean of this number of samples in both directions. Absent: every sample is a pixel. */
  readonly reduced?: number;
}

/** The picture at `path` beside a file with the samples of `array`. */
export function pictureBeside(array: NDArray, path: string, options: SaveOptions = {}): PictureBeside {
  return {
    path,
    content: () => pictureOf(array, options, MOST_BESIDE),
    ...reduction((componentsOf(array)?.[0] ?? array).shape),
  };
}

function reduction(shape: Shape): Pick<PictureBeside, "reduced"> {
  const reduced = reductionOf(shape);
  return reduced > 1 ? { reduced } : {};
}

/** Writes files, all or none; returns their paths. */
async function written(files: readonly PendingFile[]): Promise<string[]> {
  await writeFilesAtomic(files);
  return files.map(({ path }) => path);
}

/**
 * Saves several arrays in one `.npz` or `.hspy`, in the order given. In a `.npz`, integer arrays that are not valid everywhere get
 * a mask `NAME_valid` beside them.
 *
 * @param arrays what to save, by the names in the file
 * @param path where; it ends in `.npz` or `.hspy`
 * @returns the paths written
 *
 * @example
 * ```ts no-assert
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { saveAll } from "@tilewise/tilewise/results";
 * const folder = await Deno.makeTempDir();
 * const sum = ndarray(Float64Array.of(1, 2), [2], "float64");
 * await saveAll({ sum, mean: sum }, `${folder}/results.npz`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Results
 */
export async function saveAll(arrays: Readonly<Record<string, NDArray>>, path: string): Promise<string[]> {
  text("saveAll()", "path", path);
  return await written([archiveOf(arrays, path)]);
}

/** The file that {@link saveAll} writes. */
export function archiveOf(arrays: Readonly<Record<string, NDArray>>, path: string): PendingFile {
  const target = targetAt(path, "arrays");
  if (!target?.several) {
    const text = `Cannot save several arrays as "${path}": only a .npz or .hspy holds them`;
    throw new TilewiseError("invalid", text, { file: path });
  }
  const all = Object.entries(arrays);
  for (const [name, array] of all) checkArray("saveAll()", array, `"${name}"`);
  const content = async () =>
    target.arrays === "own"
      ? await npzPieces(Object.assign({}, ...all.map(([name, array]) => arraysOf(name, array))))
      : severalPieces(await rowTarget(target.id), arrays);
  return { path, content };
}

/**
 * Saves the picture of a vector field, see {@link vectorPicture}: the hue is the direction, the lightness the length.
 *
 * @param path ends in `.png`
 * @category Results
 */
export async function saveVectors(
  y: NDArray,
  x: NDArray,
  path: string,
  options: PngOptions = {},
): Promise<string[]> {
  checkOptionNames("saveVectors()", options, PNG_OPTIONS);
  for (const array of [y, x]) checkArray("saveVectors()", array);
  text("saveVectors()", "path", path);
  return await written([vectorsOf(y, x, path, options)]);
}

/** The file that {@link saveVectors} writes. */
export function vectorsOf(y: NDArray, x: NDArray, path: string, options: PngOptions = {}): PendingFile {
  return { path, content: () => pngPieces(withoutAlpha(vectorRows(y, x)), named(options)) };
}

/** An array, with its mask if the array cannot mark entries that are not valid. */
function arraysOf(name: string, array: NDArray): Record<string, NDArray> {
  const { valid, shape, dtype } = array;
  if (!valid || isFloat(dtype) || !hasHolesIn(array)) return { [name]: array };
  return { [name]: array, [`${name}_valid`]: maskOf(valid, shape) };
}

/** The mask as an array: one entry per sample, or one for all samples of the last dimensions. */
function maskOf(valid: Uint8Array, shape: Shape): NDArray {
  let dimensions = shape.length;
  while (dimensions > 0 && sizeOf(shape.slice(0, dimensions)) > valid.length) dimensions--;
  return ndarray(valid.map((v) => v ? 1 : 0), shape.slice(0, dimensions), "bool");
}
