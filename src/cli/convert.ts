/**
 * `tilewise convert`: writes the frames of a source into a file of another format.
 *
 * @module
 */

import { open } from "../formats/open.ts";
import { showShape } from "../space/shape.ts";
import { formatBytes, parseBytes } from "../space/size.ts";
import { createContext } from "../udf/context.ts";
import { exportDataset } from "../udf/export_dataset.ts";
import type { Progress } from "../udf/progress.ts";
import { type Arguments, UsageError } from "./args.ts";
import { type CliIo, outJson } from "./io.ts";
import { prepareOutputs } from "./outputs.ts";
import { doneText, ProgressBar } from "./progress.ts";
import { parseCorrections, parseRoi, RUN_FLAGS } from "./run_flags.ts";
import { openOptions, showWarnings, SOURCE_FLAGS } from "./sources.ts";
import type { Verb } from "./verb.ts";

const TAKEN = ["roi", "dark", "gain", "exclude", "workers", "memory"];

/** The verb. */
export const CONVERT: Verb = {
  name: "convert",
  summary: "writes the frames of a source into a .npy file",
  usage: "SOURCE OUT.npy",
  least: 2,
  most: 2,
  flags: [...RUN_FLAGS.filter(({ name }) => TAKEN.includes(name)), ...SOURCE_FLAGS],
  notes: [
    "Samples keep their type, and become little endian; with --dark, --gain or --exclude they are written as corrected.",
    "The file has the shape of scan and frame, with --roi that of the selected frames one after another.",
  ],
  examples: [
    [
      "tilewise convert scan.mib scan.npy --nav 256x256",
      "A file that NumPy can map, however large the scan is.",
    ],
    ["tilewise convert scan.mib part.npy --roi 0:16,0:16", "The frames of 16 rows and columns, as a list."],
  ],
  run: convert,
};

async function convert(args: Arguments, io: CliIo): Promise<number> {
  const [source, out] = args.positionals as [string, string];
  if (!/\.npy$/i.test(out)) throw new UsageError(`convert writes .npy files; "${out}" is none`);
  const memory = args.value("memory", parseBytes);
  const workers = args.count("workers");
  await using context = createContext({
    ...(memory === undefined ? {} : { memory }),
    ...(workers === undefined ? {} : { workers }),
  });
  const dataset = await open(source, openOptions(args, io.signal));
  showWarnings(dataset, args, io);
  const roi = args.text("roi");
  const corrections = await parseCorrections(args, dataset);
  await prepareOutputs([out]);
  const bar = new ProgressBar(io, "convert", args.has("quiet"));
  let last: Progress | undefined;
  const written = await exportDataset(dataset, out, {
    ...(roi === undefined ? {} : { roi: await parseRoi(roi, dataset) }),
    ...(corrections ? { corrections } : {}),
    context,
    signal: io.signal,
    onProgress: (progress) => bar.update(last = progress),
  }).finally(() => bar.clear());
  if (last && !args.has("quiet")) io.err(`${doneText(last)}\n`);
  const { shape, dtype, bytes, blank } = written;
  if (blank > 0) {
    io.err(`tilewise: blank frames: ${blank}; the source has no image for them, they are zero here\n`);
  }
  if (args.has("json")) outJson(io, { source: dataset.source, file: out, shape, dtype, bytes, blank });
  else io.out(`${out}  ${showShape(shape)} ${dtype}, ${formatBytes(bytes)}\n`);
  return 0;
}
