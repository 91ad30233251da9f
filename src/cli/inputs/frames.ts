/**
 * Reads frames one block after another in a fixed amount of memory, for verbs that process samples themselves.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { FramesApart } from "../../dataset/frames_apart.ts";
import { loadUnchanged } from "../../dataset/storage/load_unchanged.ts";
import { sourcesAtEnd } from "../../dataset/sources.ts";
import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { mustBeUnchanged } from "../../io/unchanged.ts";
import { loadPacks } from "../../kernels/wasm.ts";
import { type Box, box, wholeBox } from "../../space/box.ts";
import { dtypeInfo, type TypedArray, zeros } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { ravel, showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { lowerBound } from "../../space/search.ts";
import { Turns } from "../../turns.ts";
import { MEASURE_BYTES, MEASURE_PACKS, type Measured, measurer } from "./measured.ts";
import { converter } from "../../udf/worker/convert.ts";
import { positionsIn } from "../../udf/buffers/positions.ts";
import { Tile } from "../../udf/interface/tile.ts";

/** Frames, or parts of frames, that were read together. The next block reuses their memory. */
interface FrameBlock {
  /** Flat scan positions of the frames, ascending. */
  readonly positions: Uint32Array;
  /** Which part of each frame. */
  readonly box: Box;
  /** The samples, frame by frame, native endian. */
  readonly data: TypedArray;
  /** Their sum and extremes in parts, for integers of up to 32 bits. */
  measured?(): readonly Measured[];
}

/** Options of {@link frameBlocks}. */
interface BlockOptions {
  /** Flat scan positions, ascending. Default: all that have a frame. */
  readonly positions?: Uint32Array;
  /** Which part of each frame. Default: all of it. */
  readonly box?: Box;
  /** Stops between blocks. */
  readonly signal?: AbortSignal;
}

/** Bytes of samples in a block, unless one row of one frame is larger. */
const BLOCK = 4 * 2 ** 20;
/** Bytes for sums, and to align what is taken. */
const MORE = 1024;

/** The positions of a data set that have a frame; the others are blank. */
export function presentPositions(dataset: StoredDataset): Uint32Array {
  const { frames, images, syncOffset, valid } = dataset;
  const shown = positionsIn({ images, syncOffset }, 0, frames);
  return valid ? shown.filter((position) => hasFrame(dataset, position)) : shown;
}

/**
 * Reads frames in scan order, so that the blocks together are the samples in C order. Errors: also `changed` after the last
 * block, when what describes the frames has changed.
 */
export async function* frameBlocks(
  dataset: StoredDataset,
  options: BlockOptions = {},
): AsyncGenerator<FrameBlock, void> {
  const { layout, dtype, navShape, syncOffset } = dataset;
  const positions = options.positions ?? presentPositions(dataset);
  const whole = options.box ?? wholeBox(dataset.sigShape);
  if (positions.length === 0 || sizeOf(whole.shape) === 0) return;
  const itemSize = dtypeInfo(dtype).itemSize;
  const bands = cutIntoBands(whole, itemSize);
  const pixels = sizeOf(bands[0]!.shape);
  const depth = Math.max(
    1,
    Math.min(positions.length, Math.floor(BLOCK / (pixels * itemSize * bands.length))),
  );
  const tileBytes = depth * pixels * itemSize;
  await loadPacks(MEASURE_PACKS);
  await using frames = await FramesApart.open(layout, {
    box: bands[0]!,
    maxFrames: depth,
    more: tileBytes + MORE,
  });
  const { reader, kernels, slab } = frames;
  const convert = converter(kernels, dtype, slab.take(tileBytes, "samples"));
  const measure = measurer(kernels, dtype, slab.take(MEASURE_BYTES, "sums"));
  const turns = new Turns(); // files are read at once: nothing else would have a turn until all is done
  for (let at = 0; at < positions.length; at += depth) {
    const part = positions.subarray(at, at + depth);
    const images = Array.from(part, (position) => position + syncOffset);
    for (const band of bands) {
      if (turns.due) await turns.give();
      throwIfAborted(options.signal);
      const raw = await loadUnchanged(reader, images, band, options.signal);
      const tile = new Tile({ raw, positions: part, box: band, navShape, convert });
      const { data } = tile;
      yield { positions: part, box: band, data, ...(measure ? { measured: () => measure(data) } : {}) };
    }
  }
  const [first, last] = [positions[0]! + syncOffset, positions.at(-1)! + syncOffset];
  await mustBeUnchanged(sourcesAtEnd(dataset, { first, last }), options.signal);
}

/** A box in parts along its first dimension, so that each fits a block; the first is the largest. */
function cutIntoBands(whole: Box, itemSize: number): Box[] {
  const rows = whole.shape[0] ?? 1;
  const rowBytes = sizeOf(whole.shape) / rows * itemSize;
  const each = Math.max(1, Math.floor(BLOCK / rowBytes));
  if (whole.shape.length === 0 || each >= rows) return [whole];
  return Array.from({ length: Math.ceil(rows / each) }, (_, band) => {
    const first = band * each;
    return box(
      [whole.origin[0]! + first, ...whole.origin.slice(1)],
      [Math.min(each, rows - first), ...whole.shape.slice(1)],
    );
  });
}

/** Most bytes that {@link readBox} returns. */
const MOST = 2 ** 30;

/** A box of a data set as an array: navigation, then signal dimensions. Blank frames are zero and not valid. */
export async function readBox(dataset: StoredDataset, wanted: Box, signal?: AbortSignal): Promise<NDArray> {
  const navs = dataset.navShape.length;
  const nav = box(wanted.origin.slice(0, navs), wanted.shape.slice(0, navs));
  const sig = box(wanted.origin.slice(navs), wanted.shape.slice(navs));
  const bytes = sizeOf(wanted.shape) * dtypeInfo(dataset.dtype).itemSize;
  if (bytes > MOST) {
    const text =
      `Cannot pick ${showShape(wanted.shape)} ${dataset.dtype}: ${formatBytes(bytes)} are more than ` +
      `${formatBytes(MOST)}; pick a smaller box`;
    throw new TilewiseError("over-budget", text, { expected: MOST, found: bytes });
  }
  const positions = flatPositions(nav, dataset.navShape);
  const present = positions.filter((position) => hasFrame(dataset, position));
  const data = zeros(dataset.dtype, sizeOf(wanted.shape));
  const units = positions.length === 0 ? 0 : data.length / positions.length;
  for await (
    const block of frameBlocks(dataset, { positions: present, box: sig, ...defined({ signal }) })
  ) {
    const each = block.data.length / block.positions.length;
    const start = ravel(
      [block.box.origin[0]! - sig.origin[0]!, ...sig.shape.slice(1).map(() => 0)],
      sig.shape,
    );
    const perPixel = units / sizeOf(sig.shape);
    block.positions.forEach((position, f) => {
      const part = block.data.subarray(f * each, (f + 1) * each);
      copyNumbers(
        data,
        part,
        lowerBound(positions, position) * units + (sig.shape.length > 0 ? start * perPixel : 0),
      );
    });
  }
  const valid = present.length < positions.length
    ? Uint8Array.from(positions, (position) => hasFrame(dataset, position) ? 1 : 0)
    : undefined;
  return ndarray(data, wanted.shape, dataset.dtype, valid);
}

function hasFrame({ images, syncOffset, valid }: StoredDataset, position: number): boolean {
  const image = position + syncOffset;
  return image >= 0 && image < images && valid?.[image] !== 0;
}

/** The flat positions of a box of the scan, ascending. */
function flatPositions({ origin, shape }: Box, navShape: readonly number[]): Uint32Array {
  let flat = [0];
  shape.forEach((n, d) => {
    flat = flat.flatMap((base) => Array.from({ length: n }, (_, i) => base * navShape[d]! + origin[d]! + i));
  });
  return Uint32Array.from(flat);
}
