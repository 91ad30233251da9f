/**
 * Opens files in every way that a page has, and reads all that is in them.
 *
 * @module
 */

/// <reference lib="dom" />

import { isTilewiseError } from "@tilewise/tilewise";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, type OpenInput, type OpenOptions } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";

/** One array, or why there is none. */
export interface FoundArray {
  /** Its name in the file. */
  readonly array: string;
  /** Its shape. */
  readonly shape: readonly number[];
  /** The type of its samples. */
  readonly dtype: string;
  /** SHA-256 of its samples in C order, or the error of reading them. */
  readonly sha256: string;
}

/** What is in a file, or the code and the message of the error. */
export type Found = readonly FoundArray[] | { readonly code: string; readonly message: string };

/** Opens what the user has chosen in the field `#files`, the first file first. */
export function chosenFiles(first: string, options: OpenOptions): Promise<Found> {
  const files = filesOf("#files");
  files.sort((a, b) => Number(b.name === first) - Number(a.name === first));
  return arraysIn(files.length === 1 ? files[0]! : files, options);
}

/** Opens the folder that the user has chosen in the field `#folder`. */
export function chosenFolder(options: OpenOptions): Promise<Found> {
  return arraysIn(filesOf("#folder"), options);
}

/** Opens files of servers. */
export function fromUrls(urls: readonly string[], options: OpenOptions): Promise<Found> {
  const all = urls.map((url) => new URL(url, location.href));
  return arraysIn(all.length === 1 ? all[0]! : all, options);
}

function filesOf(field: string): File[] {
  return [...document.querySelector<HTMLInputElement>(field)!.files!];
}

/** Reads all arrays of a source. */
export async function arraysIn(input: OpenInput, options: OpenOptions): Promise<Found> {
  try {
    const found: FoundArray[] = [];
    for (const dataset of await openAll(input, options)) {
      const stored = dataset.stored ?? dataset; // its frames may be other dimensions than the last ones
      const { array, shape, dtype } = stored;
      found.push({ array, shape, dtype, sha256: await digestOf(stored) });
    }
    return found;
  } catch (error) {
    if (isTilewiseError(error)) return { code: error.code, message: error.message };
    return { code: "untyped", message: String((error as Error).stack ?? error) };
  }
}

/** Samples as they are stored, without corrections that a file brings along. */
async function digestOf(dataset: StoredDataset): Promise<string> {
  if (dataset.shape.includes(0)) return "empty";
  try {
    const { data } = await readBox(dataset, wholeBox(dataset.shape));
    const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
    return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  } catch (error) {
    return isTilewiseError(error) ? `${error.code}: ${error.message}` : String((error as Error).stack);
  }
}
