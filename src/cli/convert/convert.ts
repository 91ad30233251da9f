/**
 * `tilewise convert`: writes the frames of a source into a file of another format.
 *
 * @module
 */

import { HEADS } from "../shell/heads.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { endingAt, endingsFor, isChunkPath, isKind, targetAt, TARGETS } from "../../sinks/registry.ts";
import { showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { manifestIn, manifestRows } from "../manifests/files.ts";
import { Opened } from "../manifests/opened.ts";
import { type Arguments, storeFlag, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { lossRows } from "../outputs/losses.ts";
import { type Advance, withBar } from "../shell/progress.ts";
import { NO_MANIFEST, RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { OUT_DTYPE_FLAG, outDtype } from "../flags/out_dtype.ts";
import { refuseSinkFlags, SINK_FLAGS } from "../flags/sink_flags.ts";
import { regionOfInterest } from "../inputs/run_inputs.ts";
import { channelsFirst } from "../inputs/channels_first.ts";
import { openOptions, SOURCE_FLAGS } from "../flags/source_flags.ts";
import { openAsked, showWarnings, tellBlank } from "../inputs/sources.ts";
import { AS_FLAG, partsIn, SEVERAL_FLAGS } from "../shell/several.ts";
import { checkThreads, contextForViews } from "../shell/threads.ts";
import type { Several, Verb } from "../shell/verb.ts";
import type { Writing, Written } from "./writing.ts";

/** Flags of frames that are selected or corrected. */
export const CHANGES = ["roi", "dark", "gain", "exclude"];
const TAKEN = [...CHANGES, "workers", "memory", "stall-timeout"];

/** How it takes several sources. */
const CONVERT_SOURCES: Several = {
  out: "argument",
  check: (args) => checkOut(partsIn(args, CONVERT_SOURCES).out!, args),
};

/** The verb. */
export const CONVERT: Verb = {
  ...HEADS.convert,
  least: 2,
  most: 2,
  several: CONVERT_SOURCES,
  flags: [
    { name: "output", short: "o", value: "FOLDER", help: "with --each: the folder of the results" },
    AS_FLAG,
    OUT_DTYPE_FLAG,
    ...SEVERAL_FLAGS,
    ...SINK_FLAGS,
    NO_MANIFEST,
    ...RUN_FLAGS.filter(({ name }) => TAKEN.includes(name)),
    ...STORE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  notes: [
    "The ending of OUT says what is written:",
    ...TARGETS.filter(({ frames, results }) => frames ?? results)
      .map(({ endings: [ending], holds }) => `  ${ending.padEnd(11)} ${holds}`),
    "All keep the type of the samples, and all but .mib and .fits are little endian. With --dark, --gain or --exclude",
    "the corrected samples are written, with --roi the selected frames: ranges give a smaller scan, a mask a list;",
    ".tif files then have no tiles.",
    "With --store many machines convert parts, each with --shard I/N and the same words; tilewise merge writes the file.",
    "If a command with --resume is stopped, the same command goes on where it was. Without --resume it leaves nothing.",
  ],
  examples: [
    [
      "tilewise convert scan.mib scan.npy --nav 256x256",
      "A file that NumPy can map, however large the scan is.",
    ],
    ["tilewise convert scan.dm4 scan.raw", "Plain samples, and the flags that open them."],
    ["tilewise convert scan.mib part.npy --roi 0:16,0:16", "The frames of 16 rows and columns."],
    [
      "tilewise convert scan.mib scan.ome.zarr --nav 256x256 --shard-size 256MiB --resume",
      "A pyramid in files of about 256 MiB before compression.",
    ],
    ["tilewise convert scan.dm4 scan.ome.tif --compression zstd", "A pyramid for viewers of microscopy."],
    [
      "tilewise convert im_1.dm4 im_2.dm4 im_3.dm4 series.ome.tif --stack",
      "Images of one shape as one series.",
    ],
    ["tilewise convert scans/ --each -o out/ --as zarr", "Every scan of a folder, into a folder."],
    [
      "tilewise convert scan.mib scan.ome.zarr --store dir:/scratch/c1 --shard 3/16",
      "A 16th of the work, on one of 16 machines; then tilewise merge dir:/scratch/c1 -o scan.ome.zarr.",
    ],
  ],
  source: ({ positionals }) => positionals[0],
  writes: () => true,
  run: convert,
};

async function convert(args: Arguments, io: CliIo): Promise<number> {
  if (storeFlag(args)) {
    return await (await import("./stored.ts")).storedConvert(args, io);
  }
  const { sources, out = "" } = partsIn(args, CONVERT_SOURCES);
  if (["output", "as"].some((flag) => args.has(flag))) {
    throw new UsageError("convert: -o and --as go with --each");
  }
  checkOut(out, args);
  using opened = new Opened();
  const roi = await regionOfInterest(args);
  checkThreads(args); // refused before anything is opened
  const options = openOptions(args, io.signal);
  const asStored = await openAsked(sources, args, options);
  const isOme = isKind(out, "ome-zarr");
  const { dataset } = isOme ? await channelsFirst(asStored, options) : { dataset: asStored };
  showWarnings(dataset, args, io);
  await using context = contextForViews(args, io, dataset.byteLength);
  const way = isChunked(out, args) ? inChunks : asFrames, { signal } = io;
  const written = await withBar("convert", { args, io, tellsEnd: true }, (bar) => {
    const onProgress = (progress: Advance) => bar.update(progress);
    return way(dataset, args, { out, context, signal, onProgress, roi, opened, io });
  });
  tell(dataset, out, written, args, io);
  return 0;
}

function tell(dataset: StoredDataset, out: string, written: Written, args: Arguments, io: CliIo): void {
  const { files, shape, dtype, bytes, blank, openWith, losses, warnings } = written;
  showWarnings({ source: out, warnings }, args, io);
  tellBlank(blank, io);
  if (args.has("json")) {
    const { source } = dataset;
    return outJson(io, {
      source,
      file: out,
      files,
      shape,
      dtype,
      bytes,
      blank,
      ...(losses === undefined ? {} : { losses }),
      ...(openWith ? { openWith } : {}),
      ...manifestIn(written),
    });
  }
  io.out(`${printable(out)}  ${showShape(shape)} ${dtype}, ${formatBytes(bytes)}\n`);
  for (const file of files) if (file !== out) io.out(`${printable(file)}\n`);
  outTable(io, [...lossRows(written), ...manifestRows(written)]);
  if (openWith) io.out(`open it with ${openWith}\n`);
}

/** Each way loads what it needs. */
const inChunks: Way = async (...given) => await (await import("./chunks.ts")).convertChunks(...given);
const asFrames: Way = async (...given) => await (await import("./frames.ts")).convertFrames(...given);

type Way = (dataset: StoredDataset, args: Arguments, writing: Writing) => Promise<Written>;

/** Whether the output is written in chunks, which take samples as they are stored, or as another type. */
function isChunked(out: string, args: Arguments): boolean {
  return isChunkPath(out) && !CHANGES.some((flag) => args.has(flag));
}

/** A name of a kind that is not written, and flags that do not go with it, are mistakes on the command line. */
function checkOut(out: string, args: Arguments): void {
  outDtype(args);
  if (isChunked(out, args)) return;
  const isWhole = targetAt(out, "results") !== undefined && targetAt(out, "frames") === undefined;
  const changed = CHANGES.find((flag) => args.has(flag));
  if (changed !== undefined && isWhole) {
    const ending = endingAt(out, "results");
    throw new UsageError(`convert: ${ending} is written without --${changed}; convert to .npy first`);
  }
  refuseSinkFlags(args, changed !== undefined && isChunkPath(out) ? `${out} with --${changed}` : out);
  if (targetAt(out, "frames")) return;
  const endings = endingsFor("frames", "results").join(", ");
  throw new UsageError(`convert: Cannot write ${out}: the name must end with one of ${endings}`);
}
