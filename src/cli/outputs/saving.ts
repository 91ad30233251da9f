/**
 * Saves the results of a run: arrays with a picture beside each, JSON values, the manifest.
 *
 * All of them are written before the first gets its name, so that a full disk or an interrupt leaves an earlier result and
 * its manifest as they were.
 *
 * @module
 */

import { besideKind, isKind, targetAt } from "../../sinks/registry.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import type { PendingFile } from "../../io/write/write.ts";
import { imagesOf } from "../../pictures/images.ts";
import { archiveOf, filesOf, type PictureBeside, pictureBeside } from "../../pictures/save.ts";
import { componentsOf } from "../../pictures/vectors.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { ObjectArray } from "../../udf/interface/buffer_types.ts";
import { lookFor, parseLook, wantsPictures } from "../flags/look.ts";
import type { Arguments } from "../shell/args.ts";
import { isArray, type NamedArray, type NamedObjects } from "./named_results.ts";

/** The files of each result, by its label. */
export type ResultFiles = ReadonlyMap<string, readonly PictureBeside[]>;

/** The files of all results: with the picture beside each `.npy`, where pictures are wanted. */
export function resultFiles(
  named: readonly (NamedArray | NamedObjects)[],
  paths: ReadonlyMap<string, string>,
  dataset: StoredDataset,
  args: Arguments,
): ResultFiles {
  const files = new Map<string, PictureBeside[]>();
  const arrays = named.filter(isArray);
  for (const one of named) if (!isArray(one)) files.set(one.label, [objectFile(one, paths.get(one.label)!)]);
  const archive = [...paths.values()].find((path) => targetAt(path, "arrays")?.several);
  if (archive !== undefined && (arrays.length > 1 || isKind(archive, "npz"))) {
    const all = archiveOf(Object.fromEntries(arrays.map(({ label, array }) => [label, array])), archive);
    for (const { label } of arrays) files.set(label, [all]);
    return files;
  }
  for (const { label, result, array } of arrays) {
    const title = `${label} of ${dataset.source}`;
    files.set(label, filesWithPicture(array, paths.get(label)!, title, dataset, args, result));
  }
  return files;
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

/** The files of an array and, beside a `.npy`, of its picture, where pictures are wanted. */
export function filesWithPicture(
  array: NDArray,
  path: string,
  title: string,
  dataset: StoredDataset,
  args: Arguments,
  result: string = "",
): PictureBeside[] {
  const look = parseLook(args);
  const isField = componentsOf(array) && Object.keys(look).length === 0; // with colours of its own
  const images = isField ? array : imagesOf(array, dataset);
  const options = (shown: NDArray) => ({
    ...(isField ? {} : lookFor(result, shown, look)),
    text: { Title: title },
  });
  if (isKind(path, "png")) return filesOf(images ?? array, path, options(images ?? array));
  const files = filesOf(array, path);
  if (!images || !isKind(path, "npy") || !wantsPictures(args)) return files;
  return [...files, pictureBeside(images, besideKind(path, "npy", ".png"), options(images))];
}
