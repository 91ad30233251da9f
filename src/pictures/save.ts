/**
 * Saves arrays as the file that its extension names: `.npy`, `.npz`, `.tif`, `.png` or `.csv`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type FileContent, type PendingFile, writeFilesAtomic } from "../io/write.ts";
import { checkOptionNames, type OptionNames, type OptionRule } from "../options.ts";
import { each, must, oneOf, text, truth } from "../options/rules.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { type NdArray, ndarray } from "../space/ndarray.ts";
import { checkArray } from "../space/rules.ts";
import { type Shape, sizeOf } from "../space/shape.ts";
import { COLORMAPS } from "./colormap.ts";
import { csvPieces } from "./csv.ts";
import { denseData, encodeNpy } from "./npy.ts";
import { encodeNpz } from "./npz.ts";
import { grayPicture, picture, type PictureOptions, withoutAlpha } from "./picture.ts";
import { encodePng, type PngOptions } from "./png.ts";
import { encodeTiff } from "./tiff.ts";
import { vectorPicture } from "./vectors.ts";

/** Options of {@link save}; all but `text` and `bits` concern how a picture looks. */
export interface SaveOptions extends PictureOptions, PngOptions {
  /** Bits of a sample in a PNG. 16 gives gray, whatever the colour map. Default 8. */
  readonly bits?: 8 | 16;
}

const PNG_OPTIONS: OptionNames<PngOptions> = { text: each("an object of texts by keyword", text) };

const limits: OptionRule = must(
  "two numbers, such as [0, 100]",
  (value) => Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === "number"),
);

const SAVE_OPTIONS: OptionNames<SaveOptions> = {
  ...PNG_OPTIONS,
  range: limits,
  percentile: limits,
  symmetric: truth,
  colormap: oneOf(...COLORMAPS),
  legend: truth,
  bits: must("8 or 16", (value) => value === 8 || value === 16),
};

type Encoder = (array: NdArray, options: SaveOptions) => FileContent | Promise<FileContent>;

const ENCODERS: Readonly<Record<string, Encoder>> = {
  npy: (array) => encodeNpy(withNaN(array)),
  npz: (array) => encodeNpz(arraysOf("array", array)),
  tif: encodeTiff,
  tiff: encodeTiff,
  csv: csvPieces,
  png: (array, options) => {
    const raster = options.bits === 16 ? grayPicture(array, options) : withoutAlpha(picture(array, options));
    return encodePng(raster, { text: { Software: "Tilewise", ...options.text } });
  },
};

/**
 * Saves an array; a file of that name is replaced in one step, or left as it was.
 *
 * Entries that are not valid are NaN in the `.npy` of a float array, transparent in a PNG and empty in CSV; beside
 * the `.npy` of an integer array, which cannot say it, lies `NAME.valid.npy`.
 *
 * @returns the paths written
 *
 * @example
 * ```ts no-assert
 * import { ndarray } from "../space/ndarray.ts";
 * const folder = await Deno.makeTempDir();
 * const image = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64");
 * await save(image, `${folder}/image.npy`);
 * await save(image, `${folder}/image.png`, { colormap: "magma", percentile: [1, 99] });
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function save(array: NdArray, path: string, options: SaveOptions = {}): Promise<string[]> {
  checkOptionNames("save()", options, SAVE_OPTIONS);
  checkArray("save()", array);
  text("save()", "path", path);
  return await written(filesOf(array, path, options));
}

/** The files that {@link save} writes. */
export function filesOf(array: NdArray, path: string, options: SaveOptions = {}): PendingFile[] {
  const extension = extensionOf(path);
  const file = { path, content: () => ENCODERS[extension]!(array, options) };
  const { valid, shape } = array;
  if (extension !== "npy" || !valid || isFloat(array) || valid.every((v) => v !== 0)) return [file];
  const mask = path.replace(/\.npy$/i, ".valid.npy");
  return [file, { path: mask, content: () => encodeNpy(maskOf(valid, shape)) }];
}

/** Writes files, all or none; their paths. */
async function written(files: readonly PendingFile[]): Promise<string[]> {
  await writeFilesAtomic(files);
  return files.map(({ path }) => path);
}

/**
 * Saves several arrays in one `.npz`, in the order given; those of integers that are not valid everywhere get a mask
 * `NAME_valid` beside them.
 *
 * @example
 * ```ts no-assert
 * import { ndarray } from "../space/ndarray.ts";
 * const folder = await Deno.makeTempDir();
 * const sum = ndarray(Float64Array.of(1, 2), [2], "float64");
 * await saveAll({ sum, mean: sum }, `${folder}/results.npz`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveAll(arrays: Readonly<Record<string, NdArray>>, path: string): Promise<string[]> {
  text("saveAll()", "path", path);
  return await written([archiveOf(arrays, path)]);
}

/** The file that {@link saveAll} writes. */
export function archiveOf(arrays: Readonly<Record<string, NdArray>>, path: string): PendingFile {
  if (!/\.npz$/i.test(path)) {
    throw new TilewiseError("invalid", `Cannot save several arrays as "${path}": only a .npz holds them`, {
      file: path,
    });
  }
  const all = Object.entries(arrays).map(([name, array]) => {
    checkArray("saveAll()", array, `"${name}"`);
    return arraysOf(name, array);
  });
  return { path, content: () => encodeNpz(Object.assign({}, ...all)) };
}

/**
 * Saves the picture of a vector field, see {@link vectorPicture}: the hue is the direction, the lightness the length.
 *
 * @param path ends in `.png`
 */
export async function saveVectors(
  y: NdArray,
  x: NdArray,
  path: string,
  options: PngOptions = {},
): Promise<string[]> {
  checkOptionNames("saveVectors()", options, PNG_OPTIONS);
  for (const array of [y, x]) checkArray("saveVectors()", array);
  text("saveVectors()", "path", path);
  return await written([vectorsOf(y, x, path, options)]);
}

/** The file that {@link saveVectors} writes. */
export function vectorsOf(y: NdArray, x: NdArray, path: string, options: PngOptions = {}): PendingFile {
  const named = { text: { Software: "Tilewise", ...options.text } };
  return { path, content: () => encodePng(withoutAlpha(vectorPicture(y, x)), named) };
}

/** An array, and its mask where the array cannot tell what is not valid. */
function arraysOf(name: string, array: NdArray): Record<string, NdArray> {
  const { valid, shape } = array;
  if (!valid || isFloat(array) || valid.every((v) => v !== 0)) return { [name]: withNaN(array) };
  return { [name]: array, [`${name}_valid`]: maskOf(valid, shape) };
}

/** The extension of `path`, if {@link save} can write it; otherwise an error that names those it can. */
export function extensionOf(path: string): string {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (extension in ENCODERS) return extension;
  const known = Object.keys(ENCODERS).map((name) => `.${name}`).join(", ");
  throw new TilewiseError("invalid", `Cannot save "${path}": known are the extensions ${known}`, {
    file: path,
    found: extension,
  });
}

/** The mask as an array: one entry a sample, or one for all samples of the last dimensions. */
function maskOf(valid: Uint8Array, shape: Shape): NdArray {
  let dimensions = shape.length;
  while (dimensions > 0 && sizeOf(shape.slice(0, dimensions)) > valid.length) dimensions--;
  return ndarray(valid.map((v) => v ? 1 : 0), shape.slice(0, dimensions), "bool");
}

function isFloat({ dtype }: NdArray): boolean {
  return "fc".includes(dtypeInfo(dtype).kind);
}

/** A float array with NaN where entries are not valid. */
function withNaN(array: NdArray): NdArray {
  const { valid, shape, dtype } = array;
  if (!valid || !isFloat(array) || valid.every((v) => v !== 0)) return array;
  const data = (denseData(array) as Float64Array).slice();
  const units = data.length / valid.length;
  valid.forEach((v, i) => v || data.fill(NaN, i * units, (i + 1) * units));
  return ndarray(data, shape, dtype);
}
