/**
 * The calls that open data sets, with types that show only facts. The data sets with their internals come from `open.ts`.
 *
 * @module
 */

import type { Dataset } from "../dataset/face.ts";
import { open as openInside, openAll as openAllInside, type OpenInput, type OpenOptions } from "./open.ts";

/**
 * Opens a data set. Headers are read and checked, samples are not; nothing stays open.
 *
 * When the source has several arrays and none is named, the largest is taken, and a warning names the others;
 * arrays that only correct another one do not count.
 *
 * An array in memory is an {@link ArrayInput}, such as a result of a run; sparse matrices are {@link CsrInput} and
 * {@link CooInput}. Their samples stay where they are. Workers read samples in a `SharedArrayBuffer` in place; of others
 * each run makes one copy, which its plan counts, or stays on the calling thread where that does not fit the budget.
 *
 * In a page, a source may be what a user has picked or dropped: a `File`, the handle of a file or folder, or all files of a
 * folder (`input.files`, `droppedFiles()`). Of a folder, the first file that a format recognises is opened, together with the
 * files that belong to it; a warning names others that could be opened.
 *
 * @param source a path, a URL, a `Blob` or `File`, bytes, the handle of a file or folder, or a list: the files of a series, or of
 *   one data set; or what lies in memory
 * @param options facts that the bytes do not have
 * @returns the data set; it has facts, and samples when a run reads them
 *
 * @example A file in memory
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const bytes = new Uint8Array(2 * 3 * 16 * 2);
 * const scan = await open(bytes, { dtype: "uint16", nav: [2, 3], sig: [4, 4] });
 * assertEquals([scan.shape, scan.dtype, scan.detection.format], [[2, 3, 4, 4], "uint16", "raw"]);
 * ```
 *
 * @example An array in memory
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open({ data: new Float32Array(96), shape: [2, 3, 4, 4] });
 * assertEquals([scan.navShape, scan.sigShape, scan.dtype], [[2, 3], [4, 4], "float32"]);
 * ```
 * @category Data sets
 */
export function open(source: OpenInput, options: OpenOptions = {}): Promise<Dataset> {
  return openInside(source, options);
}

/**
 * Opens every array of a source; with the option `array` only that one. A source may have none.
 *
 * @param source as for {@link open}
 * @param options as for {@link open}
 * @returns the data sets
 * @category Data sets
 */
export function openAll(source: OpenInput, options: OpenOptions = {}): Promise<Dataset[]> {
  return openAllInside(source, options);
}
