/**
 * Keeps the samples of a data set decoded in memory, so that later runs read and decode nothing.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type Dataset, StoredDataset } from "../../dataset/dataset.ts";
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { kindOf } from "../../dataset/storage/kinds.ts";
import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { dtypeInfo, type TypedArray, typedArray, unitsOf } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { formatBytes } from "../../space/size.ts";
import type { Context } from "../../runner/context.ts";
import { pickFrames } from "../builtin/pick_frames.ts";
import { checkDataset } from "../plan/given.ts";
import { plan } from "./plan.ts";

/** Options of {@link keepSamples}. */
interface KeepOptions {
  /** The context in which frames are read and decoded. Default: the default context. */
  readonly context?: Context;
  /** Stops it; nothing is kept then. */
  readonly signal?: AbortSignal;
  /** Most bytes that may be kept. Default: 1 GiB. */
  readonly most?: number;
  /** Called after every block with the number of positions so far; a promise is awaited before the next block is read. */
  readonly onBlock?: (positions: number) => void | Promise<void>;
}

const MiB = 2 ** 20;

/** Bytes of frames that are picked at once. */
const BLOCK = 16 * MiB;

/**
 * The same data set, with its samples in memory that threads share; the data set itself if they are there already. Facts, corrections and results are the same; positions
 * without a frame stay without one.
 *
 * Errors: `over-budget` if it has more bytes than it may or than there are, and the errors of a run.
 *
 * @example
 * ```ts
 * import { open, run, plan, sumFrames } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const kept = await keepSamples(scan);
 * const { sum } = await run(await plan(kept, { sum: sumFrames() }));
 * assertEquals([...sum.intensity.data as Float64Array], [4, 6]);
 * ```
 */
export async function keepSamples(given: Dataset, options: KeepOptions = {}): Promise<Dataset> {
  checkDataset("keepSamples()", given);
  const dataset: StoredDataset = given;
  const shown = shownBy(dataset);
  if (shown.count === 0 || isKept(dataset)) return dataset;
  const samples = roomFor(dataset, shown.count * dataset.pixels, options.most ?? 1024 * MiB);
  const each = dataset.pixels * unitsOf(dataset.dtype);
  const step = Math.max(1, Math.floor(BLOCK / (each * samples.BYTES_PER_ELEMENT)));
  const stop = shown.position + shown.count;
  for (let start = shown.position; start < stop; start += step) {
    const end = Math.min(stop, start + step);
    const { frames, positions } = await pickedFrom(dataset, start, end, options);
    positions.forEach((position, row) => {
      copyNumbers(samples, frames.subarray(row * each, (row + 1) * each), (position - shown.position) * each);
    });
    await options.onBlock?.(end);
    throwIfAborted(options.signal);
  }
  return withSamples(dataset, samples, shown);
}

/** Whether threads see the samples already, as they are. */
function isKept({ layout }: StoredDataset): boolean {
  const isShared = ({ source }: (typeof layout.files)[number]) =>
    source.kind === "bytes" && source.bytes.buffer instanceof SharedArrayBuffer;
  return hasPlainSamples(layout) && layout.files.every(isShared);
}

/** Whether the bytes of its files are its samples, as they are. */
export function hasPlainSamples(layout: FrameLayout): boolean {
  return layout.byteOrder === "little" && kindOf(layout).isPlain(layout);
}

/** The images that positions show: the first one, the position that shows it, and their number. */
interface Shown {
  readonly image: number;
  readonly position: number;
  readonly count: number;
}

function shownBy({ frames, images, syncOffset }: StoredDataset): Shown {
  const image = Math.max(0, syncOffset);
  const position = Math.max(0, -syncOffset);
  return { image, position, count: Math.max(0, Math.min(frames - position, images - image)) };
}

/** Shared memory for all samples; `over-budget` if there is none. */
function roomFor({ source, dtype }: StoredDataset, count: number, most: number): TypedArray {
  const needed = count * dtypeInfo(dtype).itemSize;
  const refuse = (found: number, cause?: unknown) => {
    const text = `Cannot keep the samples of ${source}: they need ${formatBytes(needed)}, ` +
      (cause ? "which this machine does not have now" : `at most ${formatBytes(found)} may be kept`);
    return new TilewiseError("over-budget", text, { file: source, expected: needed, found }, { cause });
  };
  if (needed > most) throw refuse(most);
  try {
    return typedArray(dtype, new SharedArrayBuffer(needed), 0, count);
  } catch (error) {
    throw refuse(0, error);
  }
}

/** The valid frames at the flat positions from `start` to `stop`, as they are stored, and where they are. */
async function pickedFrom(
  dataset: StoredDataset,
  start: number,
  stop: number,
  { context, signal }: KeepOptions,
): Promise<{ frames: TypedArray; positions: Uint32Array }> {
  const mask = new Uint8Array(dataset.frames).fill(1, start, stop);
  const options = { roi: mask, corrections: "none", ...defined({ context }) } as const;
  const planned = await plan(dataset, { picked: pickFrames() }, options);
  const { picked } = await planned.run(defined({ signal }));
  return { frames: picked.intensity.data, positions: planned.roi.indices! };
}

/** The same facts with another place of the samples, which are those of the images that are shown. */
function withSamples(dataset: StoredDataset, samples: TypedArray, { image, count }: Shown): StoredDataset {
  const { buffer, byteOffset, byteLength } = samples;
  const source = {
    kind: "bytes",
    name: dataset.source,
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
  } as const;
  const files = [{ source, start: 0, end: count, headerBytes: 0 }];
  const layout = frameLayout({ files, sigShape: dataset.sigShape, dtype: dataset.dtype });
  const { corrections, valid } = dataset;
  return new StoredDataset({
    source: dataset.source,
    array: dataset.array,
    detection: dataset.detection,
    navShape: dataset.navShape,
    layout,
    syncOffset: dataset.syncOffset - image,
    warnings: dataset.warnings,
    ...defined({ corrections }),
    axes: dataset.axes,
    values: dataset.values,
    instrument: dataset.instrument,
    metadata: dataset.metadata,
    level: dataset.level,
    levels: dataset.levels,
    filesRead: dataset.filesRead,
    ...(valid ? { valid: valid.slice(image, image + count) } : {}),
  });
}
