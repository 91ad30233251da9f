/**
 * Where results go: one file, a folder, or files with a suffix, and a picture beside each.
 *
 * @module
 */

import { mkdir, open, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pid } from "node:process";
import type { Dataset } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import { mayDo } from "../io/permission.ts";
import { writeFileAtomic } from "../io/write.ts";
import { imagesOf } from "../pictures/images.ts";
import type { PictureOptions } from "../pictures/picture.ts";
import { extensionOf, save, saveAll, saveVectors } from "../pictures/save.ts";
import type { NdArray } from "../space/ndarray.ts";
import type { ObjectArray } from "../udf/result_values.ts";
import { lookFor } from "./look.ts";
import { isArray, type NamedArray, type NamedObjects, type ResultName } from "./named_results.ts";

/** What decides about the path of a result. */
type Named = Pick<ResultName, "label" | "suffix"> & Partial<Pick<ResultName, "isObject">>;

/**
 * The path of each result for `-o out`, by label.
 *
 * One result goes to `out`; several go to `out-SUFFIX.npy` where `out` names a file, else into the folder `out`.
 * A `.npz` takes all arrays. Results of JSON values go to `.json` files in any case.
 */
export async function outputPaths(out: string, named: readonly Named[]): Promise<Map<string, string>> {
  const isFolder = /[/\\]$/.test(out) || await isDirectory(out);
  const known = named.some(({ isObject }) => isObject)
    ? /\.(npy|npz|tiff?|png|csv|json)$/i
    : /\.(npy|npz|tiff?|png|csv)$/i;
  const extension = known.exec(out)?.[0];
  const paths = (path: (named: Named) => string) =>
    new Map(named.map((one) => [one.label, one.isObject ? asJson(path(one)) : path(one)]));
  if (isFolder) return paths(({ label }) => join(out, `${label}.npy`));
  const stem = out.slice(0, out.length - (extension?.length ?? 0));
  if (extension?.toLowerCase() === ".npz") {
    return paths(({ suffix, isObject }) => isObject ? `${stem}-${suffix}.npy` : out);
  }
  if (extension) {
    const kind = extension.toLowerCase() === ".json" ? ".npy" : extension;
    return paths(({ suffix }) => named.length === 1 ? out : `${stem}-${suffix}${kind}`);
  }
  if (/\.\w+$/.test(out)) extensionOf(out); // a kind of file that we do not write: the error says which we do
  return paths(({ label }) => named.length === 1 ? `${out}.npy` : join(out, `${label}.npy`));
}

function asJson(path: string): string {
  return path.replace(/\.\w+$/, ".json");
}

/** Makes the folders of `paths` and checks that they can be written to, before any work is done. */
export async function prepareOutputs(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const folder = dirname(path);
    mustWriteTo(folder, path);
    try {
      await mkdir(folder, { recursive: true });
      await probe(folder);
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

/** Files get their names when they are complete, and a file may only be renamed by who may read and write it. */
function mustWriteTo(folder: string, path: string): void {
  if (["read", "write"].every((name) => mayDo({ name, path: folder }))) return;
  const flags = `--allow-read=${folder} --allow-write=${folder}`;
  const text = `Cannot write ${path}: Deno may not read and write its folder; add ${flags}`;
  throw new TilewiseError("permission", text, { file: path, expected: flags });
}

/** Makes a file in `folder` and removes it: what the file system permits is not known before. */
async function probe(folder: string): Promise<void> {
  const path = join(folder, `.tilewise.${pid}.part`);
  await (await open(path, "w")).close();
  await unlink(path);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? "error";
}

/** Saves all results, the picture beside each `.npy`, and that of each vector field; the paths written, by label. */
export async function saveResults(
  named: readonly (NamedArray | NamedObjects)[],
  paths: ReadonlyMap<string, string>,
  dataset: Dataset,
  look: PictureOptions = {},
): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  const arrays = named.filter(isArray);
  for (const one of named) {
    if (isArray(one)) continue;
    const path = paths.get(one.label)!;
    await writeFileAtomic(path, new TextEncoder().encode(objectText(one.objects)));
    files.set(one.label, [path]);
  }
  const archive = [...paths.values()].find((path) => /\.npz$/i.test(path));
  if (archive !== undefined) {
    await saveAll(Object.fromEntries(arrays.map(({ label, array }) => [label, array])), archive);
    for (const { label } of arrays) files.set(label, [archive]);
    return files;
  }
  for (const { label, result, array } of arrays) {
    const title = `${label} of ${dataset.source}`;
    files.set(label, await saveWithPicture(array, paths.get(label)!, title, dataset, look, result));
  }
  for (const { y, x } of vectorFields(arrays)) {
    const path = paths.get(y.label)!;
    if (!/field_y\.npy$/i.test(path)) continue;
    const picture = path.replace(/field_y\.npy$/i, "field.png");
    files.get(y.label)!.push(...await saveVectors(y.array, x.array, picture, { text: { Title: "field" } }));
  }
  return files;
}

/** One value a line, so that a file of many can be looked at. */
function objectText({ shape, data, valid }: ObjectArray): string {
  const values = data.map((value) => `    ${JSON.stringify(value)}`).join(",\n");
  const mask = valid && !valid.every((on) => on) ? `,\n  "valid": ${JSON.stringify([...valid])}` : "";
  return `{\n  "shape": ${JSON.stringify(shape)},\n  "data": [\n${values}\n  ]${mask}\n}\n`;
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
  look: PictureOptions = {},
  result: string = "",
): Promise<string[]> {
  const images = imagesOf(array, dataset);
  const draw = (shown: NdArray, picture: string) =>
    save(shown, picture, { ...lookFor(result, shown, look), text: { Title: title } });
  if (/\.png$/i.test(path)) return await draw(images ?? array, path);
  const paths = await save(array, path);
  if (!images || !/\.npy$/i.test(path)) return paths;
  return [...paths, ...await draw(images, path.replace(/\.npy$/i, ".png"))];
}
