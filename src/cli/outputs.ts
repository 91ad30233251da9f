/**
 * Where results go: one file, a folder, or files with a suffix, and a picture beside each.
 *
 * @module
 */

import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Dataset } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import { imagesOf, lookOf } from "../pictures/images.ts";
import { picture } from "../pictures/picture.ts";
import type { Raster } from "../pictures/png.ts";
import { extensionOf, save, saveAll, saveVectors } from "../pictures/save.ts";
import type { NdArray } from "../space/ndarray.ts";
import type { Results } from "../udf/results.ts";

/** One result array. */
export interface NamedArray {
  /** Key of its UDF. */
  readonly udf: string;
  /** Name of the buffer. */
  readonly result: string;
  /** Short name: the key, with the buffer where there are several. */
  readonly label: string;
  /** What a file name gets at its end to tell it from the others. */
  readonly suffix: string;
  /** The array. */
  readonly array: NdArray;
}

/** The arrays of all UDFs. */
export function namedArrays(results: Results): NamedArray[] {
  const isSingle = Object.keys(results).length === 1;
  return Object.entries(results).flatMap(([udf, buffers]) => {
    const names = Object.keys(buffers);
    return names.map((result) => {
      const label = names.length === 1 ? udf : `${udf}-${result}`;
      return { udf, result, label, suffix: isSingle ? result : label, array: buffers[result]! };
    });
  });
}

/**
 * The path of each array for `-o out`, by label.
 *
 * One array goes to `out`; several go to `out-SUFFIX.npy` where `out` names a file, else into the folder `out`.
 * A `.npz` takes them all.
 */
export async function outputPaths(
  out: string,
  arrays: readonly Pick<NamedArray, "label" | "suffix">[],
): Promise<Map<string, string>> {
  const isFolder = /[/\\]$/.test(out) || await isDirectory(out);
  const extension = /\.(npy|npz|tiff?|png|csv)$/i.exec(out)?.[0];
  const paths = (path: (array: Pick<NamedArray, "label" | "suffix">) => string) =>
    new Map(arrays.map((array) => [array.label, path(array)]));
  if (isFolder) return paths(({ label }) => join(out, `${label}.npy`));
  if (extension?.toLowerCase() === ".npz") return paths(() => out);
  if (extension) {
    const stem = out.slice(0, -extension.length);
    return paths(({ suffix }) => arrays.length === 1 ? out : `${stem}-${suffix}${extension}`);
  }
  if (/\.\w+$/.test(out)) extensionOf(out); // a kind of file that we do not write: the error says which we do
  return paths(({ label }) => arrays.length === 1 ? `${out}.npy` : join(out, `${label}.npy`));
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

/** Saves all arrays, the picture beside each `.npy`, and that of each vector field; the paths written, by label. */
export async function saveResults(
  arrays: readonly NamedArray[],
  paths: ReadonlyMap<string, string>,
  dataset: Dataset,
): Promise<Map<string, string[]>> {
  const archive = [...paths.values()].find((path) => /\.npz$/i.test(path));
  if (archive !== undefined) {
    await saveAll(Object.fromEntries(arrays.map(({ label, array }) => [label, array])), archive);
    return new Map(arrays.map(({ label }) => [label, [archive]]));
  }
  const files = new Map<string, string[]>();
  for (const { label, array } of arrays) {
    files.set(
      label,
      await saveWithPicture(array, paths.get(label)!, `${label} of ${dataset.source}`, dataset),
    );
  }
  for (const { y, x } of vectorFields(arrays)) {
    const path = paths.get(y.label)!;
    if (!/field_y\.npy$/i.test(path)) continue;
    const picture = path.replace(/field_y\.npy$/i, "field.png");
    files.get(y.label)!.push(...await saveVectors(y.array, x.array, picture, { text: { Title: "field" } }));
  }
  return files;
}

/** The pairs of images that are the components of one field over the scan. */
function vectorFields(arrays: readonly NamedArray[]): { y: NamedArray; x: NamedArray }[] {
  const component = (udf: string, result: string) =>
    arrays.find((named) => named.udf === udf && named.result === result && named.array.shape.length === 2);
  return [...new Set(arrays.map(({ udf }) => udf))].flatMap((udf) => {
    const [y, x] = [component(udf, "field_y"), component(udf, "field_x")];
    return y && x ? [{ y, x }] : [];
  });
}

/** Saves an array and, beside a `.npy`, its picture; the paths written. */
export async function saveWithPicture(
  array: NdArray,
  path: string,
  title: string,
  dataset: Dataset,
): Promise<string[]> {
  const images = imagesOf(array, dataset);
  const options = { ...(images ? lookOf(images) : {}), text: { Title: title } };
  if (/\.png$/i.test(path)) return await save(images ?? array, path, options);
  const paths = await save(array, path);
  if (!images || !/\.npy$/i.test(path)) return paths;
  return [...paths, ...await save(images, path.replace(/\.npy$/i, ".png"), options)];
}

/** The picture of a result as it is shown and saved; `undefined` for single numbers and endless stacks. */
export function resultPicture(array: NdArray, dataset: Dataset): Raster | undefined {
  const images = imagesOf(array, dataset);
  return images && picture(images, lookOf(images));
}
