/**
 * Where the elements of TIA series lie: most programs write them at equal distances, but their offsets may be any.
 *
 * @module
 */

import { framesAsChunks } from "../../dataset/layout/chunks.ts";
import { frameBytes, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { type CodecSpec, contiguous } from "../../dataset/layout/storage.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";

/** Runs of images: each is opened on its own. */
const MOST_RUNS = 256;

/** Equal elements of a series. */
export interface SerElements {
  /** Where each begins. */
  readonly table: Float64Array;
  /** Bytes before its samples. */
  readonly samples: number;
  /** Their type. */
  readonly dtype: DType;
  /** Shape of an element. */
  readonly sigShape: readonly number[];
}

/**
 * Runs of elements at equal distances are frames with headers; spectra that lie anyhow are found by their offsets. Images
 * are stored from the bottom row up, and shown from the top row down.
 */
export function serLayout(
  source: ByteSource,
  { table, samples, dtype, sigShape }: SerElements,
): FrameLayout {
  const storedBytes = frameBytes(sigShape, dtype);
  const pitch = pitchOf(table, samples + storedBytes);
  const runs = runsOf(table, pitch);
  if (runs.length === 1 || (sigShape.length > 1 && runs.length <= MOST_RUNS)) {
    const files = runs.map(([start, end]) => ({
      source: source.describe(),
      start,
      end,
      headerBytes: table[start]!,
    }));
    const footer = pitch - samples - storedBytes;
    const gaps = { frameHeaderBytes: samples, frameFooterBytes: footer };
    return frameLayout({ files, sigShape, dtype, ...gaps, storage: contiguous(flipped(sigShape)) });
  }
  if (sigShape.length > 1) {
    const text =
      `Cannot read ${source.name}: its images lie at ${runs.length} uneven places, ${MOST_RUNS} is the most`;
    throw new TilewiseError("unsupported", text, {
      file: source.name,
      expected: MOST_RUNS,
      found: runs.length,
    });
  }
  const chunks = framesAsChunks({
    shape: [table.length, ...sigShape],
    sig: sigShape.length,
    itemSize: dtypeInfo(dtype).itemSize,
    addresses: table.map((at) => at + samples),
  });
  const files = [{ source: source.describe(), start: 0, end: table.length, headerBytes: 0 }];
  return frameLayout({ files, sigShape, dtype, storage: { kind: "chunks", chunks } });
}

/** The distance of the first two elements, if they do not overlap. */
function pitchOf(table: Float64Array, least: number): number {
  return table.length > 1 && table[1]! - table[0]! >= least ? table[1]! - table[0]! : least;
}

/** First and last (not included) elements of runs at that distance. */
function runsOf(table: Float64Array, pitch: number): [start: number, end: number][] {
  const runs: [number, number][] = [];
  for (let start = 0, i = 1; i <= table.length; i++) {
    if (i < table.length && table[i] === table[i - 1]! + pitch) continue;
    runs.push([start, i]);
    start = i;
  }
  return runs;
}

function flipped(sigShape: readonly number[]): CodecSpec | undefined {
  return sigShape.length < 2 ? undefined : { id: "flip_rows", params: { rows: sigShape[0]! } };
}
