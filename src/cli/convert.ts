/**
 * `tilewise convert`: writes the frames of a source into a file of another format.
 *
 * @module
 */

import { open } from "../formats/open.ts";
import { writerOf } from "../formats/writers/registry.ts";
import { showShape } from "../space/shape.ts";
import { formatBytes, parseBytes } from "../space/size.ts";
import { createContext } from "../runner/context.ts";
import { exportDataset, exportedFiles } from "../udf/run/export_dataset.ts";
import type { Progress } from "../udf/run/progress.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { type CliIo, outJson, printable } from "./shell/io.ts";
import { prepareOutputs } from "./outputs/outputs.ts";
import { doneText, ProgressBar } from "./shell/progress.ts";
import { RUN_FLAGS } from "./flags/run_flags.ts";
import { parseCorrections, regionOfInterest } from "./inputs/run_inputs.ts";
import { openOptions, SOURCE_FLAGS } from "./flags/source_flags.ts";
import { showWarnings } from "./inputs/sources.ts";
import { threadsFor, workersAsked } from "./shell/threads.ts";
import type { Verb } from "./shell/verb.ts";

const TAKEN = ["roi", "dark", "gain", "exclude", "workers", "memory"];

/** The verb. */
export const CONVERT: Verb = {
  name: "convert",
  summary:
    "writes the frames of a source into a file of another format: .npy, .raw, .mib, .xml (EMPAD), .tif",
  usage: "SOURCE OUT",
  least: 2,
  most: 2,
  flags: [...RUN_FLAGS.filter(({ name }) => TAKEN.includes(name)), ...SOURCE_FLAGS],
  notes: [
    "The ending of OUT says what is written:",
    "  .npy   any samples, in the shape of scan and frame",
    "  .raw   plain samples, and a .rpl (Ripple) that describes them",
    "  .mib   images of uint8, uint16 or uint32, and a .hdr with the scan",
    "  .xml   EMPAD: frames of 128x128 float32, in a .raw beside it",
    "  .tif   one float32 page per frame",
    "Other files than .tif keep the type of the samples. All but .mib are little endian. With --dark, --gain or --exclude",
    "the corrected samples are written. With --roi the selected frames are written as a list.",
  ],
  examples: [
    [
      "tilewise convert scan.mib scan.npy --nav 256x256",
      "A file that NumPy can map, however large the scan is.",
    ],
    ["tilewise convert scan.dm4 scan.raw", "Plain samples, and the flags that open them."],
    ["tilewise convert scan.mib part.npy --roi 0:16,0:16", "The frames of 16 rows and columns, as a list."],
  ],
  source: ({ positionals }) => positionals[0],
  writes: () => true,
  run: convert,
};

async function convert(args: Arguments, io: CliIo): Promise<number> {
  const [source, out] = args.positionals as [string, string];
  checkOut(out);
  const roi = await regionOfInterest(args);
  const memory = args.value("memory", parseBytes);
  workersAsked(args); // refused before anything is opened
  const dataset = await open(source, openOptions(args, io.signal));
  showWarnings(dataset, args, io);
  const workers = threadsFor(args, io, dataset.byteLength);
  await using context = createContext({
    ...(memory === undefined ? {} : { memory }),
    ...(workers === undefined ? {} : { workers }),
  });
  const corrections = await parseCorrections(args, dataset);
  await prepareOutputs(exportedFiles(out), args);
  const bar = new ProgressBar(io, "convert", args.has("quiet"));
  let last: Progress | undefined;
  const written = await exportDataset(dataset, out, {
    ...(roi === undefined ? {} : { roi }),
    ...(corrections ? { corrections } : {}),
    context,
    signal: io.signal,
    onProgress: (progress) => bar.update(last = progress),
  }).finally(() => bar.clear());
  if (last && !args.has("quiet")) io.err(`${doneText(last)}\n`);
  const { files, shape, dtype, bytes, blank, openWith, warnings } = written;
  showWarnings({ source: out, warnings }, args, io);
  if (blank > 0) {
    io.err(`tilewise: blank frames: ${blank}; the source has no image for them, they are zero here\n`);
  }
  if (args.has("json")) {
    const { source } = dataset;
    outJson(io, { source, file: out, files, shape, dtype, bytes, blank, ...(openWith ? { openWith } : {}) });
    return 0;
  }
  io.out(`${printable(out)}  ${showShape(shape)} ${dtype}, ${formatBytes(bytes)}\n`);
  for (const file of files) if (file !== out) io.out(`${printable(file)}\n`);
  if (openWith) io.out(`open it with ${openWith}\n`);
  return 0;
}

/** A name of a kind that is not written is a mistake on the command line. */
function checkOut(out: string): void {
  try {
    writerOf(out);
  } catch (error) {
    throw new UsageError(`convert: ${(error as Error).message}`);
  }
}
