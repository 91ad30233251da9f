/**
 * Where results go: one file, a folder, or files with a suffix, and a picture beside each.
 *
 * @module
 */

import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TilewiseError } from "../errors.ts";
import { picture } from "../pictures/picture.ts";
import type { Raster } from "../pictures/png.ts";
import { extensionOf, save, type SaveOptions } from "../pictures/save.ts";
import { numbersOf } from "../pictures/scale.ts";
import type { NdArray } from "../space/ndarray.ts";
import { sizeOf } from "../space/shape.ts";
import type { Results } from "../udf/results.ts";

/** One result array. */
export interface NamedArray {
  /** Key of its UDF. */
  readonly udf: string;
  /** Name of the buffer. */
  readonly result: string;
  /** Short name: the key, with the buffer where there are several. */
  readonly label: string;
  /** The array. */
  readonly array: NdArray;
}

/** The arrays of all UDFs. */
export function namedArrays(results: Results): NamedArray[] {
  return Object.entries(results).flatMap(([udf, buffers]) => {
    const names = Object.keys(buffers);
    return names.map((result) => {
      const label = names.length === 1 ? udf : `${udf}-${result}`;
      return { udf, result, label, array: buffers[result]! };
    });
  });
}

/**
 * The path of each label for `-o out`.
 *
 * One array goes to `out`; several go to `out-LABEL.npy` where `out` names a file, else into the folder `out`.
 */
export async function outputPaths(out: string, labels: readonly string[]): Promise<Map<string, string>> {
  const isFolder = /[/\\]$/.test(out) || await isDirectory(out);
  const extension = /\.(npy|png|csv)$/i.exec(out)?.[0];
  if (!isFolder && extension) {
    const stem = out.slice(0, -extension.length);
    return new Map(
      labels.map((label) => [label, labels.length === 1 ? out : `${stem}-${label}${extension}`]),
    );
  }
  if (!isFolder && /\.\w+$/.test(out)) extensionOf(out); // names a kind of file that we do not write: says which we do
  if (!isFolder && labels.length === 1) return new Map([[labels[0]!, `${out}.npy`]]);
  return new Map(labels.map((label) => [label, join(out, `${label}.npy`)]));
}

/** Makes the folders of `paths` and checks that they can be written to, before any work is done. */
export async function prepareOutputs(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const folder = dirname(path);
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
    } catch (cause) {
      const text = `Cannot write ${path}: its folder cannot be made or may not be written to`;
      throw new TilewiseError("permission", text, { file: path, found: codeOf(cause) }, { cause });
    }
    if (await isDirectory(path)) {
      throw new TilewiseError("not-a-file", `Cannot write ${path}: a folder has this name; choose another`, {
        file: path,
      });
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? "error";
}

/** Saves an array and, beside a `.npy`, its picture; the paths written. */
export async function saveWithPicture(array: NdArray, path: string, title: string): Promise<string[]> {
  const options: SaveOptions = { ...lookOf(array), text: { Title: title } };
  const paths = await save(array, path, options);
  if (!/\.npy$/i.test(path) || !isPicture(array)) return paths;
  return [...paths, ...await save(array, path.replace(/\.npy$/i, ".png"), options)];
}

/** The picture of a result as it is shown and saved; `undefined` for single numbers and endless stacks. */
export function resultPicture(array: NdArray): Raster | undefined {
  return isPicture(array) ? picture(array, lookOf(array)) : undefined;
}

/** Images of a sheet beyond which nobody looks. */
const MOST_IMAGES = 64;

function isPicture({ shape }: NdArray): boolean {
  const images = sizeOf(shape.slice(0, -2));
  return shape.length >= 1 && sizeOf(shape) > 1 && sizeOf(shape) <= 2 ** 26 && images <= MOST_IMAGES;
}

/** Values of both signs are shown around zero. */
function lookOf(array: NdArray): SaveOptions {
  if (!isPicture(array)) return {};
  const values = numbersOf(array);
  const hasBoth = values.some((v) => v < 0) && values.some((v) => v > 0);
  return { colormap: hasBoth ? "balance" : "viridis" };
}
