/**
 * `tilewise pick`: one frame or a box of samples, as a file or as values.
 *
 * @module
 */

import { HEADS } from "./shell/heads.ts";
import type { StoredDataset } from "../dataset/dataset.ts";
import { TilewiseError } from "../errors.ts";
import { openStored } from "../formats/open.ts";
import { denseData } from "../sinks/arrays/numbers.ts";
import { arrayPieces } from "../sinks/arrays/pieces.ts";
import { npyTarget } from "../sinks/rows/npy.ts";
import { sha256 } from "../io/hash.ts";
import { writeFilesAtomic } from "../io/write/write.ts";
import type { PictureBeside } from "../pictures/save.ts";
import { terminalPicture } from "../pictures/terminal.ts";
import { bytesOf } from "../space/bytes.ts";
import { type Box, box } from "../space/box.ts";
import { dtypeInfo, type TypedArray } from "../space/dtype.ts";
import { type NDArray, ndarray } from "../space/ndarray.ts";
import { fillNumbers } from "../space/numbers.ts";
import { toldOf } from "../space/meaning/values.ts";
import { cropped, sampleOf } from "../space/meaning/axes.ts";
import { factsOf } from "../space/axes.ts";
import { boxOfRanges, parseRanges, resolveRanges } from "../space/ranges.ts";
import { type Shape, showShape, sizeOf } from "../space/shape.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { readBox } from "./inputs/frames.ts";
import { type CliIo, outJson, outTable, printable } from "./shell/io.ts";
import { NO_MANIFEST } from "./flags/run_flags.ts";
import { LOOK_FLAGS, parseLook, resultPicture, wantsPictures } from "./flags/look.ts";
import { lossesSaved, lossRows } from "./outputs/losses.ts";
import {
  manifestBeside,
  manifestIn,
  manifestRows,
  type OutputFiles,
  preparedPlace,
} from "./manifests/files.ts";
import { Opened } from "./manifests/opened.ts";
import { outputPaths } from "./outputs/outputs.ts";
import { savedFiles } from "./outputs/safe_outputs.ts";
import { listed, reducedIn } from "./outputs/listed.ts";
import { filesWithPicture } from "./outputs/saving.ts";
import { openOptions, SOURCE_FLAGS } from "./flags/source_flags.ts";
import { showWarnings } from "./inputs/sources.ts";
import type { Verb } from "./shell/verb.ts";

/** The verb. */
export const PICK: Verb = {
  ...HEADS.pick,
  least: 1,
  most: 1,
  flags: [
    { name: "at", value: "I,J", help: "the frame at this scan position" },
    {
      name: "box",
      value: "START:STOP,…",
      help: "the samples of these ranges: one for each dimension of the scan, then of the frame",
    },
    {
      name: "output",
      short: "o",
      value: "OUT",
      help: ".npy (with a .png beside it), .png or .csv; - is stdout",
    },
    NO_MANIFEST,
    ...LOOK_FLAGS,
    ...SOURCE_FLAGS,
  ],
  examples: [
    ["tilewise pick scan.mib --at 12,40 -o frame.npy", "The frame of row 12 and column 40."],
    ["tilewise pick scan.npy --box 0:2,0,60:68,-8: --json", "Some samples of two frames, as JSON."],
  ],
  source: ({ positionals }) => positionals[0],
  writes: (args) => args.has("output") && args.text("output") !== "-",
  async run(args, io) {
    const source = args.positionals[0]!;
    using opened = new Opened();
    const dataset = await openStored(source, openOptions(args, io.signal));
    showWarnings(dataset, args, io);
    const wanted = wantedBox(args, dataset);
    if (args.has("json") && !args.has("output")) checkPrintable(wanted.shape);
    const out = args.text("output") === "-" ? "-" : await preparedOutput(args, io);
    opened[Symbol.dispose]();
    const array = described(
      withBlank(await readBox(dataset, wanted, io.signal)),
      dataset,
      wanted,
      args.has("at") ? dataset.navShape.length : 0,
    );
    await deliver(array, out, args, io, dataset, wanted, opened);
    return 0;
  },
};

function wantedBox(args: Arguments, dataset: StoredDataset): Box {
  const [at, ranges] = [args.text("at"), args.value("box", parseRanges)];
  if (at === undefined && ranges === undefined && dataset.shape.length === 0) return box([], []); // its one sample
  if ((at === undefined) === (ranges === undefined)) {
    throw new UsageError("pick needs either --at I,J (one frame) or --box START:STOP,… (samples)");
  }
  if (at !== undefined) return frameAt(at, dataset);
  return boxOfRanges(resolveRanges(ranges!, dataset.shape, "the array"));
}

function frameAt(text: string, { navShape, sigShape }: StoredDataset): Box {
  if (!/^\s*-?\d+(\s*,\s*-?\d+)*\s*$/.test(text)) {
    throw new UsageError(`--at ${text}: write indices like 12,40`);
  }
  const given = text.split(",").map(Number);
  const index = given.map((i, d) => i < 0 ? i + (navShape[d] ?? 0) : i);
  if (index.length !== navShape.length || index.some((i, d) => i < 0 || i >= navShape[d]!)) {
    const message = `Cannot pick frame ${given.join(", ")}: the scan is ${showShape(navShape)}`;
    throw new TilewiseError("invalid", message, { expected: showShape(navShape), found: text });
  }
  return box([...index, ...sigShape.map(() => 0)], [...navShape.map(() => 1), ...sigShape]);
}

/** The same, with NaN in floats of blank frames. */
function withBlank(array: NDArray): NDArray {
  const { data, dtype, valid } = array;
  if (!valid || !"fc".includes(dtypeInfo(dtype).kind)) return array;
  const each = data.length / valid.length;
  valid.forEach((isThere, f) => isThere || fillNumbers(data, NaN, f * each, (f + 1) * each));
  return array;
}

/** The array with what is known of it, without its first `dimensions`, which have size 1. */
function described(
  { data, shape, dtype, valid }: NDArray,
  { axes, values }: StoredDataset,
  { origin }: Box,
  dimensions: number,
): NDArray {
  const known = axes.map((axis, d) => cropped(factsOf(axis), origin[d]!, shape[d]!));
  const of = [...values.of ?? [], ...known.slice(0, dimensions).map((axis) => sampleOf(axis, 0))];
  return {
    ...ndarray(data, shape.slice(dimensions), dtype, valid),
    axes: known.slice(dimensions),
    values: { ...values, ...(of.length > 0 ? { of } : {}) },
  };
}

/** Most values that are printed as JSON: their text has to be in memory as a whole. */
const MOST_PRINTED = 1 << 22;

function checkPrintable(shape: Shape): void {
  const found = sizeOf(shape);
  if (found <= MOST_PRINTED) return;
  const text = `Cannot print ${showShape(shape)} values as JSON: ${found} are more than ${MOST_PRINTED}; ` +
    "save them with -o pick.npy or -o pick.csv, or pick a smaller box";
  throw new TilewiseError("over-budget", text, { expected: MOST_PRINTED, found });
}

/** Where the samples go, checked before they are read. */
async function preparedOutput(args: Arguments, io: CliIo): Promise<OutputFiles | undefined> {
  const out = args.text("output");
  if (out === undefined) return out;
  const path = (await outputPaths(out, [{ label: "pick", suffix: "pick" }])).get("pick")!;
  return await preparedPlace(path, { results: [path], beside: savedFiles(path).slice(1) }, args, io);
}

async function deliver(
  array: NDArray,
  out: OutputFiles | "-" | undefined,
  args: Arguments,
  io: CliIo,
  dataset: StoredDataset,
  wanted: Box,
  opened: Opened,
): Promise<void> {
  const isBlank = array.valid?.includes(0) ?? false;
  if (isBlank) {
    io.err(
      "tilewise: some frames are blank: the file has no image for them; they are zero here, or NaN in floats\n",
    );
  }
  if (out === "-") {
    for (const piece of arrayPieces(npyTarget, array)) io.out(piece);
    return;
  }
  const files = out === undefined ? [] : await write(array, out, dataset, opened, args);
  const losses = out === undefined ? {} : await lossesSaved(out.results[0]!, array);
  if (args.has("json")) {
    const { shape, dtype } = array;
    const content = out === undefined
      ? { values: nested(array) }
      : { files: files.map(({ path }) => path), ...reducedIn(files), ...losses, ...manifestIn(out) };
    return outJson(io, { source: dataset.source, box: wanted, shape, dtype, ...content });
  }
  if (out === undefined) show(array, dataset, args, io);
  else {
    files.forEach((file) => io.out(`${printable(listed(file))}\n`));
    outTable(io, [...lossRows(losses), ...manifestRows(out)]);
  }
}

async function write(
  array: NDArray,
  place: OutputFiles,
  dataset: StoredDataset,
  opened: Opened,
  args: Arguments,
): Promise<PictureBeside[]> {
  const [out] = place.results as [string];
  const files = filesWithPicture(array, out, dataset.source, dataset, args);
  const paths = files.map(({ path }) => path), { shape, dtype } = array;
  const made = async () => ({
    result: {
      ...{ result: "samples", shape, dtype, ...toldOf(array), files: paths },
      ...{ ...reducedIn(files), ...await lossesSaved(out, array) },
      sha256: await sha256(bytesOf(denseData(array))),
    },
    inputs: await opened.inputs(dataset),
  });
  const { pending, gone } = await manifestBeside(PICK.name, place, paths, made, args);
  await writeFilesAtomic([...files, ...pending], gone);
  return files;
}

function show(array: NDArray, dataset: StoredDataset, args: Arguments, io: CliIo): void {
  io.out(`${showShape(array.shape)} ${array.dtype}\n`);
  const raster = sizeOf(array.shape) > 0 && wantsPictures(args)
    ? resultPicture(array, dataset, "", parseLook(args))
    : undefined;
  if (raster) {
    io.out(terminalPicture(raster, { columns: Math.min(io.columns, 80), colour: io.colour }) + "\n");
  } else if (sizeOf(array.shape) <= 16) io.out(`${nested(array)}\n`);
}

type Nested = number | bigint | boolean | { re: number; im: number } | Nested[];

/** The values as nested lists. */
function nested({ data, shape, dtype }: NDArray): Nested {
  const at = valueAt(data, dtypeInfo(dtype).kind);
  let next = 0;
  const level = (d: number): Nested =>
    d === shape.length ? at(next++) : Array.from({ length: shape[d]! }, () => level(d + 1));
  return level(0);
}

function valueAt(data: TypedArray, kind: string): (i: number) => Exclude<Nested, Nested[]> {
  if (kind === "c") return (i) => ({ re: Number(data[2 * i]), im: Number(data[2 * i + 1]) });
  if (kind === "b") return (i) => data[i] !== 0;
  return (i) => data[i]!;
}
