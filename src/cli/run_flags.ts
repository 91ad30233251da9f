/**
 * The flags of `run`: region of interest, corrections, memory and workers.
 *
 * @module
 */

import type { Corrections } from "../dataset/corrections.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { RoiInput } from "../dataset/roi.ts";
import { TilewiseError } from "../errors.ts";
import { type NdArray, ndarray } from "../space/ndarray.ts";
import { sameShape, type Shape, showShape, sizeOf, unravel } from "../space/shape.ts";
import { type Arguments, UsageError } from "./args.ts";
import { flatPositions } from "./frames.ts";
import { readArray } from "./sources.ts";
import type { Flag } from "./verb.ts";

/** The flags. */
export const RUN_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "OUT",
    help:
      "a file (.npy with a .png beside it, .npz, .tif, .png, .csv) or a folder; a manifest lies beside it",
  },
  {
    name: "roi",
    value: "ROI",
    help: "scan positions: first:size for each dimension, positions Y,X;Y,X;…, or a mask file (.npy)",
  },
  { name: "dark", value: "FILE", help: "a dark frame to subtract" },
  { name: "gain", value: "FILE", help: "a gain map to multiply by" },
  { name: "exclude", value: "Y,X", multiple: true, help: "a dead pixel, or a mask file (.npy)" },
  { name: "no-corrections", help: "leave out the corrections that come with the data set" },
  { name: "workers", value: "N", help: "worker threads; 0 uses this one" },
  { name: "memory", value: "SIZE", help: "most memory for buffers, such as 256MiB" },
  { name: "partitions", value: "N", help: "at least so many parts" },
  { name: "tile-bytes", value: "SIZE", help: "most bytes of a tile that is one read, such as 1MiB" },
  { name: "backends", value: "NAMES", help: "forms of tiles that UDFs may get: dense,csr,csc,coo" },
  { name: "no-cull", help: "reads all rows of frames, also those that no UDF needs" },
  { name: "stall-timeout", value: "SECONDS", help: "how long a worker may give no sign of life" },
  { name: "dry-run", help: "print the plan and do nothing" },
];

/** A region of interest from `first:size,…`, from positions `y,x;y,x;…`, or from a file with a mask. */
export async function parseRoi(text: string, { navShape }: Dataset): Promise<RoiInput> {
  if (/^[-\d,;\s]+$/.test(text)) return positions(text);
  if (!/^[\d:,\s]+$/.test(text)) return await readArray(text);
  const ranges = text.split(",").map((part) => /^\s*(\d+):(\d+)\s*$/.exec(part)?.slice(1).map(Number));
  if (ranges.some((range) => !range)) {
    throw new UsageError(
      `--roi ${text}: write first:size for each scan dimension, positions Y,X;Y,X;…, or name a mask file`,
    );
  }
  const origin = ranges.map((range) => range![0]!);
  const shape = ranges.map((range) => range![1]!);
  if (origin.length !== navShape.length || origin.some((o, d) => o + shape[d]! > navShape[d]!)) {
    throw new TilewiseError("invalid", `Cannot use the region ${text}: the scan is ${showShape(navShape)}`, {
      expected: showShape(navShape),
      found: text,
    });
  }
  const mask = new Uint8Array(sizeOf(navShape));
  for (const position of flatPositions({ origin, shape }, navShape)) mask[position] = 1;
  return ndarray(mask, navShape, "bool");
}

/** Positions; negative coordinates count from the end. */
function positions(text: string): number[][] {
  const rows = text.split(";").filter((row) => row.trim() !== "").map((row) => row.split(","));
  if (rows.length > 0 && rows.every((row) => row.every((part) => /^\s*-?\d+\s*$/.test(part)))) {
    return rows.map((row) => row.map(Number));
  }
  throw new UsageError(`--roi ${text}: write positions as Y,X;Y,X;…`);
}

/** Dark frame, gain map and dead pixels, if any were given; they replace those that come with the data set. */
export async function parseCorrections(
  args: Arguments,
  { sigShape }: Dataset,
): Promise<Corrections | undefined> {
  const [dark, gain] = [args.text("dark"), args.text("gain")];
  const excluded = await excludedPixels(args.texts("exclude"), sigShape);
  if (dark === undefined && gain === undefined && excluded.length === 0) return undefined;
  return {
    ...(dark === undefined ? {} : { dark: await readArray(dark) }),
    ...(gain === undefined ? {} : { gain: await readArray(gain) }),
    ...(excluded.length === 0 ? {} : { excluded }),
  };
}

async function excludedPixels(texts: readonly string[], sigShape: Shape): Promise<number[][]> {
  const lists = texts.map(async (text) => {
    if (/^\s*\d+(\s*,\s*\d+)*\s*$/.test(text)) return [text.split(",").map(Number)];
    return markedPixels(await readArray(text), text, sigShape);
  });
  return (await Promise.all(lists)).flat();
}

function markedPixels({ data, shape }: NdArray, file: string, sigShape: Shape): number[][] {
  if (!sameShape(shape, sigShape)) {
    const text = `Cannot use ${file} as mask of dead pixels: it is ${showShape(shape)}, frames are ${
      showShape(sigShape)
    }`;
    throw new TilewiseError("invalid", text, {
      file,
      expected: showShape(sigShape),
      found: showShape(shape),
    });
  }
  return Array.from(data as ArrayLike<number>, (on, i) => on ? unravel(i, sigShape) : [])
    .filter((pixel) => pixel.length > 0);
}
