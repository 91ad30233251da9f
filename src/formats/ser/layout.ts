/**
 * Where the elements of TIA series lie: most programs write them at equal distances, but their offsets may be any. Their axes and times.
 *
 * @module
 */

import { framesAsChunks } from "../../dataset/layout/chunks.ts";
import { frameBytes, type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { type CodecSpec, contiguous } from "../../dataset/layout/storage.ts";
import { cannot } from "../../errors.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { kindOfUnit } from "../../space/meaning/said_kinds.ts";
import { Fields } from "../common/fields.ts";

/** Runs of images: each is opened on its own. */
const MOST_RUNS = 256;

/** Equal elements of a series. */
interface SerElements {
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
    const text = `its images lie at ${runs.length} uneven places, ${MOST_RUNS} is the most`;
    throw cannot("read", source.name, "unsupported", text, { expected: MOST_RUNS, found: runs.length });
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

// The axes of TIA series, from the dimensions of the series and the calibration of its elements.

/** A dimension of the series. */
export interface SerDimension {
  /** Elements along it. */
  readonly size: number;
  /** Its first value. */
  readonly offset: number;
  /** Step from one element to the next. */
  readonly delta: number;
  /** What runs along it. */
  readonly description: string;
  /** Unit of both. */
  readonly units: string;
}

/** The axes of the series; "Number" only counts, positions are those of a scan. */
export function seriesAxes(
  { axes }: { readonly axes: readonly SerDimension[] },
  nav: number,
): AxisFacts[] {
  const series = axes.toReversed().map(({ delta, offset, units, description }): AxisFacts => {
    if (units === "" || description === "Number") return { kind: "series" };
    const kind = kindOfUnit(units);
    const known = kind === "length" || kind === undefined ? "scan" : kind;
    return { kind: known, scale: delta, offset, unit: units };
  });
  if (series.length === nav) return series;
  const kind = nav > 1 ? "scan" : "series"; // more than one dimension was asked for
  return Array.from({ length: nav }, () => ({ kind }));
}

/** Calibration of one axis of an element: the value at sample `at`, and the step. */
export interface Calibration {
  /** The value. */
  readonly offset: number;
  /** Step from one sample to the next. */
  readonly delta: number;
  /** The sample. */
  readonly at: number;
}

/**
 * The axes of an element. Units are not in the file: energies are in eV, and steps of images in metres or, where they
 * would be too large for that, in 1/m. Rows are shown from the top down, so that theirs have a step only. Images of a scan
 * (`isScan`) are patterns.
 */
export function elementAxes(
  { rank }: { readonly rank: 1 | 2 },
  calibrations: readonly Calibration[],
  sig: number,
  isScan: boolean,
): (AxisFacts | undefined)[] {
  if (sig !== rank) return Array.from({ length: sig }, () => undefined);
  if (rank === 1) {
    const { offset, delta, at } = calibrations[0]!;
    return [{ name: "energy", kind: "energy", scale: delta, offset: offset - at * delta, unit: "eV" }];
  }
  return calibrations.toReversed().map(({ delta }) => {
    const size = Math.abs(delta);
    if (size > 1e3) return { kind: "detector", scale: delta, unit: "1/m" };
    const kind = isScan ? { kind: "detector" as const } : {};
    return size < 1e-3
      ? { kind: isScan ? "detector" : "space", scale: delta, unit: "m" }
      : { ...kind, scale: delta };
  });
}

// When the first element of a TIA series was taken: its tag has the seconds since 1970, possibly in local time.
//
// ```
// behind the offsets of elements: those of tags;  tag  kind₃₂ (0x4152, or 0x4142 with a position) time₃₂ …
// ```

const KINDS = [0x4152, 0x4142];
/** Seconds from 1970 to 1990: there are no earlier series. */
const LEAST_SECONDS = 631_152_000;

/** Where the offsets of tags lie. */
interface SerTags {
  /** Byte of the first offset. */
  readonly at: number;
  /** Bytes of an offset. */
  readonly offsetBytes: 4 | 8;
}

/** The time in the first tag, as if it were in UTC; `undefined` if there is no tag at the place given in the file. */
export async function firstTime(
  source: ByteSource,
  { at, offsetBytes }: SerTags,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const offset = new Fields(await readUpTo(source, at, offsetBytes, signal), source.name);
  if (offset.bytes.length < offsetBytes) return undefined;
  const high = offsetBytes === 8 ? offset.u32(4) : 0;
  const place = high * 2 ** 32 + offset.u32(0);
  if (place === 0 || place + 8 > source.size) return undefined;
  const tag = new Fields(await readUpTo(source, place, 8, signal), source.name);
  const seconds = tag.u32(4);
  if (!KINDS.includes(tag.u32(0) & 0xffff) || seconds < LEAST_SECONDS) return undefined;
  return new Date(1000 * seconds).toISOString();
}
