/**
 * Opens the sources of a command one after another; one that fails is reported and the others continue.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { visiblePositions } from "../../dataset/sync.ts";
import { throwIfAborted } from "../../errors.ts";
import { type First, openFirst, openStored } from "../../formats/open.ts";
import { wholeBox } from "../../space/box.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, oneLine, outJson, printable } from "../shell/io.ts";
import { asFlags } from "../flags/option_flags.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { partsIn } from "../shell/several.ts";
import { openOptions } from "../flags/source_flags.ts";

/**
 * Calls `each` with every array of every source. What fails is said on one line (as an object on stdout with
 * `--json`), and the exit code is 1 then.
 */
export async function forEachArray(
  args: Arguments,
  io: CliIo,
  each: (dataset: StoredDataset, source: string) => void | Promise<void>,
  most: Most = { arrays: Infinity, asSeries: false, left: () => {} },
): Promise<number> {
  const options = openOptions(args, io.signal);
  let failed = 0;
  const isOne = args.has("stack");
  const one = async () => {
    const series = await openAsked(partsIn(args, {}).sources, args, options);
    return { arrays: [series], more: 0, main: series };
  };
  for (const source of isOne ? [args.positionals.join(" ")] : args.positionals) {
    try {
      const first: First = isOne
        ? await one()
        : await openFirst(source, options, { most: most.arrays, asSeries: most.asSeries });
      const { arrays, more } = first, told = most.told?.(first) ?? arrays;
      for (const dataset of told.slice(0, most.arrays)) await each(dataset, source);
      const left = more + Math.max(0, told.length - most.arrays);
      if (left > 0) most.left(left, source);
    } catch (error) {
      throwIfAborted(io.signal);
      const { code, message } = (await import("../flags/option_flags.ts")).reportOf(error);
      if (code === undefined) throw error;
      failed++;
      if (args.has("json")) outJson(io, { source, error: { code, message } });
      else io.err(`tilewise: [${code}] ${message}\n`);
    }
  }
  return failed > 0 ? 1 : 0;
}

/** The only source, or with `--stack` all of them as one series. */
export async function openAsked(
  sources: readonly string[],
  args: Arguments,
  options: OpenOptions,
): Promise<StoredDataset> {
  if (!args.has("stack")) return await openStored(sources[0]!, options);
  const { openSeries } = await import("./folder_sources.ts");
  return await openSeries(sources, options);
}

/** How many arrays of a source are wanted. */
interface Most {
  /** Most arrays: those that a file is about, or the first by name. */
  readonly arrays: number;
  /** Whether series that images make are told as arrays too. */
  readonly asSeries: boolean;
  /** Those that are told one by one. Default: all. */
  readonly told?: (first: First) => readonly StoredDataset[];
  /** Called with the number of arrays that were left out. */
  readonly left: (count: number, source: string) => void;
}

/** The warnings that a command has given: each is said once. */
const warningsOf = new WeakMap<Arguments, Set<string>>();

/** The number of positions that show no valid image. */
export function blankFrames({ frames, images, syncOffset, valid }: StoredDataset): number {
  const { start, stop } = visiblePositions({ frames, images, syncOffset });
  let shown = stop - start;
  if (valid) { for (let at = start; at < stop; at++) if (valid[at + syncOffset] === 0) shown--; }
  return frames - shown;
}

/** Says that `count` frames have no image, and are zero in what is written; nothing if there are none. */
export function tellBlank(count: number, io: CliIo): void {
  if (count === 0) return;
  io.err(`tilewise: blank frames: ${count}; the source has no image for them, they are zero here\n`);
}

/** Writes warnings about a data set, or about a plan for it, to stderr, unless `--quiet` is given. */
export function showWarnings(
  { source, warnings }: { readonly source: string; readonly warnings: readonly string[] },
  args: Arguments,
  io: CliIo,
): void {
  if (args.has("quiet")) return;
  const told = warningsOf.get(args) ?? new Set();
  warningsOf.set(args, told);
  for (const warning of warnings) {
    if (told.has(warning)) continue;
    told.add(warning);
    io.err(`tilewise: warning: ${printable(source)}: ${oneLine(asFlags(warning, source))}\n`);
  }
}

/** A whole file as one array, or with `FILE#/ARRAY` one of its arrays; a scan of one frame is that frame. */
export async function readArray(source: string): Promise<NDArray> {
  const [, file, name] = /^(.+)#(\/.+)$/.exec(source) ?? [];
  const dataset = file === undefined ? await openStored(source) : await openStored(file, { array: name! });
  const { readBox } = await import("./frames.ts");
  const array = await readBox(dataset, wholeBox(dataset.shape));
  const isOne = dataset.frames === 1;
  return isOne ? ndarray(array.data, dataset.sigShape, array.dtype, array.valid) : array;
}
