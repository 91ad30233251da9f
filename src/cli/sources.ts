/**
 * Opens the sources of a command one after another; one that fails is reported and the others continue.
 *
 * @module
 */

import type { Dataset } from "../dataset/dataset.ts";
import { isTilewiseError, throwIfAborted, TilewiseError } from "../errors.ts";
import { open, openAll, type OpenOptions } from "../formats/open.ts";
import { wholeBox } from "../space/box.ts";
import { parseDType } from "../space/dtype.ts";
import { parseShape } from "../space/shape.ts";
import { type NdArray, ndarray } from "../space/ndarray.ts";
import type { Arguments } from "./args.ts";
import { readBox } from "./frames.ts";
import { type CliIo, oneLine, outJson } from "./io.ts";
import type { Flag } from "./verb.ts";

/** The flags that say how to open a source, for every verb that opens one. */
export const SOURCE_FLAGS: readonly Flag[] = [
  { name: "format", value: "NAME", help: "read it as this format, such as mib, npy, raw" },
  { name: "array", value: "NAME", help: "the array of that name, where a source has several" },
  { name: "level", value: "N", help: "the resolution level, 0 is full" },
  { name: "nav", value: "AxB", help: "shape of the scan" },
  { name: "sig", value: "CxD", help: "shape of a frame" },
  { name: "sig-dims", value: "N", help: "how many of the last dimensions are the frame; default 2" },
  { name: "sync-offset", value: "N", help: "frames to skip at the start; negative: blank positions" },
  { name: "dtype", value: "NAME", help: "raw: type of the samples, such as uint16" },
  { name: "byte-order", value: "ORDER", help: "raw: little or big" },
  { name: "header-bytes", value: "N", help: "raw: bytes before the first frame" },
  { name: "frame-header-bytes", value: "N", help: "raw: bytes before each frame" },
  { name: "frame-footer-bytes", value: "N", help: "raw: bytes after each frame" },
  { name: "bits", value: "N", help: "raw: bits of a packed sample" },
  { name: "bit-order", value: "ORDER", help: "raw: which bit of a byte comes first, lsb or msb" },
  { name: "allow-truncated", help: "read the complete frames of a file that ends inside one" },
  {
    name: "force-c-order",
    help: "dm: the dimensions in the order of storage, though the scan is stored fastest",
  },
  {
    name: "gain-map",
    value: "FILE",
    help: "frms6: gain map that runs apply, .mat (GainMap) or .csv (transposed)",
  },
  { name: "no-series", help: "read this file alone, not the numbered series it belongs to" },
];

/** What the flags say, as options of `open`. */
export function openOptions(args: Arguments, signal?: AbortSignal): OpenOptions {
  const options = {
    format: args.text("format"),
    array: args.text("array"),
    level: args.count("level"),
    nav: args.value("nav", parseShape),
    sig: args.value("sig", parseShape),
    sigDims: args.count("sig-dims"),
    syncOffset: args.count("sync-offset", -Infinity),
    dtype: args.value("dtype", checkedDType),
    byteOrder: args.value("byte-order", oneOf("little", "big")),
    headerBytes: args.count("header-bytes"),
    frameHeaderBytes: args.count("frame-header-bytes"),
    frameFooterBytes: args.count("frame-footer-bytes"),
    bits: args.count("bits", 1),
    bitOrder: args.value("bit-order", oneOf("lsb", "msb")),
    allowTruncated: args.has("allow-truncated") || undefined,
    noSeries: args.has("no-series") || undefined,
    forceCOrder: args.has("force-c-order") || undefined,
    gainMap: args.text("gain-map"),
    signal,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The name as it was written, as it may say the byte order too (`>u2`). */
function checkedDType(text: string): string {
  parseDType(text);
  return text;
}

function oneOf<T extends string>(...known: readonly T[]): (text: string) => T {
  return (text) => {
    const found = known.find((word) => word === text);
    if (found !== undefined) return found;
    throw new TilewiseError("invalid", `write ${known.join(" or ")}`, { found: text });
  };
}

/**
 * Calls `each` with every array of every source. What fails is said on one line (as an object on stdout with
 * `--json`), and the exit code is 1 then.
 */
export async function forEachArray(
  args: Arguments,
  io: CliIo,
  each: (dataset: Dataset, source: string) => void | Promise<void>,
): Promise<number> {
  const options = openOptions(args, io.signal);
  let failed = 0;
  for (const source of args.positionals) {
    try {
      const arrays = await openAll(source, options);
      if (arrays.length === 0) io.err(`tilewise: ${source} has no array of numbers\n`);
      for (const dataset of arrays) await each(dataset, source);
    } catch (error) {
      throwIfAborted(io.signal);
      if (!isTilewiseError(error)) throw error;
      failed++;
      if (args.has("json")) outJson(io, { source, error: { code: error.code, message: error.message } });
      else io.err(`tilewise: [${error.code}] ${oneLine(error.message)}\n`);
    }
  }
  return failed > 0 ? 1 : 0;
}

/** What the user should know of a data set, or of a plan for it, on stderr; nothing with `--quiet`. */
export function showWarnings(
  { source, warnings }: { readonly source: string; readonly warnings: readonly string[] },
  args: Arguments,
  io: CliIo,
): void {
  if (args.has("quiet")) return;
  for (const warning of warnings) io.err(`tilewise: warning: ${source}: ${oneLine(warning)}\n`);
}

/** A whole file as one array; a scan of one frame is that frame. */
export async function readArray(source: string): Promise<NdArray> {
  const dataset = await open(source);
  const array = await readBox(dataset, wholeBox(dataset.shape));
  const isOne = dataset.frames === 1;
  return isOne ? ndarray(array.data, dataset.sigShape, array.dtype, array.valid) : array;
}
