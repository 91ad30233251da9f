/**
 * `tilewise stats`: count, sum, min, max and mean of the samples, in one pass over the file.
 *
 * @module
 */

import { defined } from "../options.ts";
import { HEADS } from "./shell/heads.ts";
import type { StoredDataset } from "../dataset/dataset.ts";
import { bytesOf } from "../space/bytes.ts";
import { dtypeInfo } from "../space/dtype.ts";
import { showShape } from "../space/shape.ts";
import { type CliIo, headingOf, outJson, outTable } from "./shell/io.ts";
import { frameBlocks, presentPositions } from "./inputs/frames.ts";
import { foldedOf, levelRows, pageRows, type Pages } from "./inputs/folded.ts";
import { type Advance, advances, withBar } from "./shell/progress.ts";
import { SOURCE_FLAGS } from "./flags/source_flags.ts";
import { forEachArray, showWarnings } from "./inputs/sources.ts";
import { type Summary, summing } from "./sums.ts";
import type { Verb } from "./shell/verb.ts";

/** The verb. */
export const STATS: Verb = {
  ...HEADS.stats,
  least: 1,
  flags: [
    { name: "sha256", help: "also the digest of the samples in C order, little endian" },
    ...SOURCE_FLAGS,
  ],
  notes: [
    "Sums of integers are exact, sums of floats compensated float64. Samples are in storage order and orientation, " +
    "also where info shows another split into scan and frame.",
    "Pages and levels of a pyramid are told as the one array that they are; --json tells each of them.",
    "Scan positions without a frame (blank) are not counted.",
  ],
  examples: [
    ["tilewise stats scan.mib", "Sums, extremes and mean of all samples."],
    [
      "tilewise stats --json --sha256 a.npy b.npy",
      "One JSON object per array, each on a line, with a digest of the samples.",
    ],
  ],
  run: (args, io) => {
    let pages: Pages | undefined;
    return forEachArray(
      args,
      io,
      async (dataset, source) => {
        const array = dataset.stored ?? dataset;
        const found = await withBar(
          "stats",
          { args, io },
          (bar) => statsOf(array, args.has("sha256"), io.signal, (advance) => bar.update(advance)),
        );
        showWarnings(dataset, args, io); // of what is refused, the refusal alone is said
        if (args.has("json")) outJson(io, { source, ...found });
        else show(array, source, found, [...levelRows(dataset), ...pageRows(dataset, pages)], io);
      },
      {
        arrays: Infinity,
        asSeries: !args.has("json"),
        left: () => {},
        told: ({ arrays, more }) => {
          if (args.has("json")) return arrays;
          const folded = foldedOf(arrays, more);
          pages = folded.pages;
          return folded.shown;
        },
      },
    );
  },
};

/** The statistics of one array. */
interface ArrayStats extends Summary {
  /** Name of the array; empty when there is only one. */
  readonly array: string;
  /** Navigation, then signal dimensions. */
  readonly shape: readonly number[];
  /** Shape of the scan. */
  readonly navShape: readonly number[];
  /** Shape of a frame. */
  readonly sigShape: readonly number[];
  /** Type of the samples. */
  readonly dtype: string;
  /** Scan positions without a frame, which are not counted. */
  readonly blank: number;
  /** Digest of the samples. */
  readonly sha256?: string;
  /** Of the first of pages that are opened together where one array is wanted: that they are. */
  readonly stack?: string;
}

/** Reads all samples of a data set once. */
export async function statsOf(
  dataset: StoredDataset,
  digest: boolean,
  signal?: AbortSignal,
  onAdvance?: (advance: Advance) => void,
): Promise<ArrayStats> {
  const sums = summing(dataset.dtype);
  const hash = digest ? (await import("node:crypto")).createHash("sha256") : undefined;
  const framesTotal = presentPositions(dataset).length;
  const frameBytes = dataset.pixels * dtypeInfo(dataset.dtype).itemSize;
  const advance = advances(framesTotal, frameBytes);
  let samples = 0;
  for await (const block of frameBlocks(dataset, defined({ signal }))) {
    const { data } = block;
    sums.add(data, block.measured?.());
    hash?.update(bytesOf(data));
    samples += data.byteLength;
    onAdvance?.(advance(samples / frameBytes));
  }
  const { array, shape, navShape, sigShape, dtype, metadata: { stack } } = dataset;
  const own = { array, shape, navShape, sigShape, dtype, blank: dataset.frames - framesTotal };
  const pages = typeof stack === "string" ? { stack } : {};
  return { ...own, ...sums.summary(), ...(hash ? { sha256: hash.digest("hex") } : {}), ...pages };
}

function show(
  dataset: StoredDataset,
  source: string,
  stats: ArrayStats,
  folded: readonly [string, string][],
  io: CliIo,
): void {
  io.out(headingOf(source, stats.array));
  outTable(io, [
    ["shape", `${showShape(dataset.navShape)} | ${showShape(dataset.sigShape)} ${stats.dtype}`],
    ["count", String(stats.count)],
    ["sum", text(stats.sum)],
    ["min", text(stats.min)],
    ["max", text(stats.max)],
    ["mean", text(stats.mean)],
    ...(stats.sha256 ? [["sha256", stats.sha256] as const] : []),
    ...(stats.blank > 0
      ? [["blank", `${stats.blank} scan positions have no frame and are not counted`] as const]
      : []),
    ...(stats.stack === undefined ? [] : [["stack", stats.stack] as const]),
    ...folded,
  ]);
}

function text(value: Summary["sum"] | null): string {
  if (value === null) return "none";
  if (typeof value !== "object") return String(value);
  return `${value.re} ${value.im < 0 ? "−" : "+"} ${Math.abs(value.im)}i`;
}
