/**
 * Reports the results of a run: a line, or a JSON row, and a picture for each result.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { numberBlocks } from "../../sinks/arrays/numbers.ts";
import type { PictureBeside } from "../../pictures/save.ts";
import { terminalPicture } from "../../pictures/terminal.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { PartialRun } from "../../udf/results/manifest.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { toldOf, valuesInWords } from "../../space/meaning/values.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, outJson, outTable, short } from "../shell/io.ts";
import { parseLook, resultPicture, wantsPictures } from "../flags/look.ts";
import type { Losses } from "./losses.ts";
import { listedTogether, reducedIn } from "./listed.ts";
import { isArray, type NamedArray, type NamedObjects } from "./named_results.ts";

/** Where a result was saved. */
interface Saved extends Losses {
  /** Its files. */
  readonly files: readonly PictureBeside[];
  /** The manifest beside them. */
  readonly manifest?: string;
  /** What it covers, where the run was interrupted. */
  readonly partial?: PartialRun | undefined;
}

/** Says what one result is. */
export function deliver(
  named: NamedArray | NamedObjects,
  { files, manifest, partial, losses }: Saved,
  dataset: StoredDataset,
  args: Arguments,
  io: CliIo,
): void {
  const { udf, result, label } = named;
  const facts = isArray(named) ? arrayFacts(named) : objectFacts(named);
  if (args.has("json")) {
    const paths = files.map(({ path }) => path);
    const where = {
      files: paths,
      ...reducedIn(files),
      ...defined({ manifest, partial, losses }),
    };
    return outJson(io, { source: dataset.source, udf, result, ...facts.row, ...where });
  }
  const rest = partial ? `; partial: ${partial.frames} of ${partial.framesTotal} frames` : "";
  const where = files.length > 0 ? `: ${listedTogether(files)}` : "";
  outTable(io, [[label, facts.text + rest + where]]);
  if (files.length === 0 && wantsPictures(args) && io.outIsTerminal && isArray(named)) {
    showPicture(named, dataset, args, io);
  }
}

interface ResultFacts {
  readonly row: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** NaN, infinities and entries that are not valid do not count for the range. */
function arrayFacts({ array }: NamedArray): ResultFacts {
  const { shape, dtype } = array;
  const { min, max, finite } = rangeOf(array);
  const words = array.values ? valuesInWords(array.values) : "";
  const head = `${showShape(shape)} ${dtype}${words ? ` ${words}` : ""}`;
  const row = { shape, dtype, ...toldOf(array), min, max, finite };
  if (min === null || max === null) return { row, text: `${head}, no finite value` };
  const what = dtypeInfo(dtype).kind === "c" ? "magnitude from" : "from";
  const count = sizeOf(shape);
  const rest = finite < count ? `; ${count - finite} of ${count} are NaN or not valid` : "";
  return { row, text: `${head}, ${what} ${short(min)} to ${short(max)}${rest}` };
}

/** The least and the largest finite value, and how many there are. */
function rangeOf(array: NDArray): { min: number | null; max: number | null; finite: number } {
  let [min, max, finite] = [Infinity, -Infinity, 0];
  for (const block of numberBlocks(array)) {
    for (const value of block) {
      if (!Number.isFinite(value)) continue;
      finite++;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return finite > 0 ? { min, max, finite } : { min: null, max: null, finite };
}

function objectFacts({ objects: { shape, data } }: NamedObjects): ResultFacts {
  const finite = data.filter((value) => value !== null).length;
  return {
    row: { shape, dtype: "object", finite },
    text: `${showShape(shape)} objects, ${finite} of them there`,
  };
}

function showPicture(
  { array, result }: NamedArray,
  dataset: StoredDataset,
  args: Arguments,
  io: CliIo,
): void {
  const raster = resultPicture(array, dataset, result, parseLook(args));
  if (raster) {
    io.out(terminalPicture(raster, { columns: Math.min(io.columns, 64), colour: io.colour }) + "\n");
  }
}
