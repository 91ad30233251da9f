/**
 * Regions of interest and corrections (dark frames, gain maps, dead pixels) from the flags of `run`.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { range } from "../../dataset/roi/region.ts";
import type { RoiInput } from "../../dataset/roi/roi.ts";
import { TilewiseError } from "../../errors.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sameShape, type Shape, showShape, unravel } from "../../space/shape.ts";
import type { Arguments } from "../shell/args.ts";
import { readArray } from "./sources.ts";

/** The region of `--roi`: ranges `start:stop,…`, positions `Y,X;Y,X;…`, or the positions set in a mask file. */
export async function regionOfInterest(args: Arguments): Promise<RoiInput | undefined> {
  const region = args.value("roi", parseRegion);
  return typeof region === "string" ? { mask: await readArray(region) } : region;
}

/** Refuses a text of `--roi` that is not a region; a file that it names is not read. */
export function checkRegion(args: Arguments): void {
  args.value("roi", parseRegion);
}

/** The region for `text`, or `text` itself if it names a file. */
function parseRegion(text: string): RoiInput | string {
  if (/^[-\d,;\s]+$/.test(text)) return positions(text);
  const isName = /\p{L}/u.test(text) && (/[/\\]|\.\w+$/.test(text) || !/[:+;]/.test(text));
  return isName ? text : range(text);
}

/** Positions; negative coordinates count from the end. */
function positions(text: string): RoiInput {
  const rows = text.split(";").filter((row) => row.trim() !== "").map((row) => row.split(","));
  if (rows.length > 0 && rows.every((row) => row.every((part) => /^\s*-?\d+\s*$/.test(part)))) {
    return { positions: rows.map((row) => row.map(Number)) };
  }
  throw new TilewiseError("invalid", "write positions as Y,X;Y,X;…");
}

/** Dark frame, gain map and dead pixels, if any were given; they replace those that come with the data set. */
export async function parseCorrections(
  args: Arguments,
  { sigShape }: StoredDataset,
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

function markedPixels({ data, shape }: NDArray, file: string, sigShape: Shape): number[][] {
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
