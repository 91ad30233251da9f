/**
 * Saves the results of a run: arrays with a picture beside each, JSON values, the pictures of vector fields, the manifest.
 *
 * All of them are written before the first gets its name, so that a full disk or an interrupt leaves an earlier result and
 * its manifest as they were.
 *
 * @module
 */

import { besideKind, isKind } from "../../sinks/registry.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import type { PendingFile } from "../../io/write/write.ts";
import { imagesOf } from "../../pictures/images.ts";
import type { PictureOptions } from "../../pictures/picture.ts";
import { archiveOf, filesOf, type PictureBeside, pictureBeside, vectorsBeside } from "../../pictures/save.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { ObjectArray } from "../../udf/interface/buffer_types.ts";
import { lookFor } from "../flags/look.ts";
import { isArray, type NamedArray, type NamedObjects } from "./named_results.ts";

/** The files of each result, by its label. */
export type ResultFiles = ReadonlyMap<string, readonly PictureBeside[]>;

/** The files of all results: with the picture beside each `.npy`, and that of each vector field. */
export function resultFiles(
  named: readonly (NamedArray | NamedObjects)[],
  paths: ReadonlyMap<string, string>,
  dataset: StoredDataset,
  look: PictureOptions = {},
): ResultFiles {
  const files = new Map<string, PictureBeside[]>();
  const arrays = named.filter(isArray);
  for (const one of named) if (!isArray(one)) files.set(one.label, [objectFile(one, paths.get(one.label)!)]);
  const archive = [...paths.values()].find((path) => isKind(path, "npz"));
  if (archive !== undefined) {
    const all = archiveOf(Object.fromEntries(arrays.map(({ label, array }) => [label, array])), archive);
    for (const { label } of arrays) files.set(label, [all]);
    return files;
  }
  for (const { label, result, array } of arrays) {
    const title = `${label} of ${dataset.source}`;
    files.set(label, filesWithPicture(array, paths.get(label)!, title, dataset, look, result));
  }
  for (const { y, x } of vectorFields(arrays)) {
    const picture = fieldPicture(paths.get(y.label)!);
    if (picture === undefined) continue;
    files.get(y.label)!.push(vectorsBeside(y.array, x.array, picture, { text: { Title: "field" } }));
  }
  return files;
}

/** Where the picture of a field goes whose component along y is saved at `path`. */
export function fieldPicture(path: string): string | undefined {
  const stem = besideKind(path, "npy", ""), end = stem === path ? null : /field_y(\.partial)?$/i.exec(stem);
  return end ? `${stem.slice(0, end.index)}field${end[1] ?? ""}.png` : undefined;
}

function objectFile({ objects }: NamedObjects, path: string): PendingFile {
  return { path, content: () => new TextEncoder().encode(objectText(objects)) };
}

/** One value per line, so that a file of many can be looked at. */
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

/** The files of an array and, beside a `.npy`, of its picture. */
export function filesWithPicture(
  array: NDArray,
  path: string,
  title: string,
  dataset: StoredDataset,
  look: PictureOptions = {},
  result: string = "",
): PictureBeside[] {
  const images = imagesOf(array, dataset);
  const options = (shown: NDArray) => ({ ...lookFor(result, shown, look), text: { Title: title } });
  if (isKind(path, "png")) return filesOf(images ?? array, path, options(images ?? array));
  const files = filesOf(array, path);
  if (!images || !isKind(path, "npy")) return files;
  return [...files, pictureBeside(images, besideKind(path, "npy", ".png"), options(images))];
}
