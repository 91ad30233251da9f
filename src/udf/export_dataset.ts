/**
 * Writes a data set into a file of another format, in one pass and a fixed amount of memory.
 *
 * @module
 */

import type { Corrections } from "../dataset/corrections.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { RoiInput } from "../dataset/roi.ts";
import { TilewiseError } from "../errors.ts";
import { isSameFile, PartFile } from "../io/write.ts";
import { type DType, dtypeInfo } from "../space/dtype.ts";
import { checkedProduct, type Shape } from "../space/shape.ts";
import { recordFrames, recordSpec } from "./builtin/record.ts";
import type { Context } from "./context.ts";
import { plan } from "./plan.ts";
import type { Progress } from "./progress.ts";
import { run } from "./run.ts";

/** Options of {@link exportDataset}. */
export interface ExportOptions {
  /** Region of interest. Default: everything. */
  readonly roi?: RoiInput;
  /** Dark frame, gain map, dead pixels: samples are written as corrected. Default: as they are stored. */
  readonly corrections?: Corrections;
  /** Where to run. */
  readonly context?: Context;
  /** Cancels it; then there is no file. */
  readonly signal?: AbortSignal;
  /** Called now and then with how far it is. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What {@link exportDataset} has written. */
export interface Exported {
  /** Path of the file. */
  readonly path: string;
  /** Shape of the array in it. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Frames that the data set has no image for; they are zeros in the file. */
  readonly blank: number;
}

/**
 * Writes the frames of `dataset` to `path`, a `.npy` file, as they are (or as corrected): dtype of the data, little endian,
 * shape (…scan, …frame), or with a region of interest (frames selected, …frame) in the order of the scan. Workers write
 * what they read, straight from their memory: the data may be larger than it. The file appears when it is complete; an
 * older one of that name is replaced.
 *
 * Errors: `unsupported` for other kinds of files, `invalid` for the file that is being read, and those of planning, running
 * and writing.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const folder = await Deno.makeTempDir();
 * const raw = { format: "raw", dtype: "uint16", byteOrder: "big", nav: [2], sig: [1, 2] } as const;
 * const scan = await open(Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4), raw);
 * const { shape, dtype, bytes } = await exportDataset(scan, `${folder}/scan.npy`);
 * assertEquals([shape, dtype, bytes], [[2, 1, 2], "uint16", 136]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function exportDataset(
  dataset: Dataset,
  path: string,
  options: ExportOptions = {},
): Promise<Exported> {
  const { roi, corrections, context, signal, onProgress } = options;
  await checkTarget(dataset, path);
  await using file = await PartFile.at(path);
  const planned = await plan(dataset, { record: recordFrames({ part: file.part, path }) }, {
    ...(roi ? { roi } : {}),
    corrections: corrections ?? "none",
    ...(context ? { context } : {}),
  });
  const { meta } = planned.udfs[0]!;
  const { head, shape, dtype } = recordSpec(meta);
  const bytes = head.length + checkedProduct([...shape, dtypeInfo(dtype).itemSize], "a file");
  await file.create(head, bytes);
  await run(planned, { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) });
  await file.finish();
  return { path, shape, dtype, bytes, blank: meta.roi.count - meta.selected };
}

async function checkTarget({ layout }: Dataset, path: string): Promise<void> {
  if (!/\.npy$/i.test(path)) {
    const text = `Cannot export to ${path}: the file can be .npy`;
    throw new TilewiseError("unsupported", text, { file: path, expected: ".npy" });
  }
  for (const { source } of layout.files) {
    if (source.kind !== "file" || !await isSameFile(source.path, path)) continue;
    const text = `Cannot export to ${path}: that file is being read; choose another name`;
    throw new TilewiseError("invalid", text, { file: path });
  }
}
