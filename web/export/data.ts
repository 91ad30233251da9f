/**
 * Arrays as files: `.npy`, `.tif`, `.csv`, with the writers of the library.
 *
 * @module
 */

import type { NDArray } from "@tilewise/tilewise";
import { filesOf } from "../../src/pictures/mod.ts";

/** A file that the page hands over. */
export interface ExportedFile {
  /** Its name. */
  readonly name: string;
  /** Its contents. */
  readonly blob: Blob;
}

const TYPES: Readonly<Record<string, string>> = {
  npy: "application/octet-stream",
  tif: "image/tiff",
  csv: "text/csv",
  png: "image/png",
};

/** The files that `save` would write for this name: integers that are not valid everywhere have a mask beside them. */
export async function arrayFiles(array: NDArray, name: string): Promise<ExportedFile[]> {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const files = filesOf(array, name).map(async ({ path, content }) => {
    const given = await content();
    const parts = given instanceof Uint8Array ? [given] : await Array.fromAsync(given);
    return { name: path, blob: new Blob(parts.map(unshared), { type }) };
  });
  return await Promise.all(files);
}

/** Bytes that a Blob can take. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? bytes as Uint8Array<ArrayBuffer> : bytes.slice();
}

/** A text as a file. */
export function textFile(name: string, text: string, type: string = "text/plain"): ExportedFile {
  return { name, blob: new Blob([text], { type }) };
}
