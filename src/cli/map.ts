/**
 * `tilewise map`: filters an array larger than memory, all filters in one pass, into a file.
 *
 * @module
 */

import type { Dataset } from "../dataset/face.ts";
import { open } from "../formats/open.ts";
import type { Context } from "../runner/face.ts";
import { parseShape, type Shape, showShape } from "../space/shape.ts";
import { formatBytes, parseBytes } from "../space/size.ts";
import { asOne } from "../views/operations/chain.ts";
import type { ViewOperation } from "../views/operations/operation.ts";
import type { MapPlan } from "../views/map/facts.ts";
import { mapViews } from "../views/map/map_views.ts";
import { planMap } from "../views/map/plan.ts";
import { fileSink, isSinkPath, SINK_ENDINGS } from "../views/sinks/registry.ts";
import { filterHelp, filterList } from "./filters/filter_help.ts";
import { modulePath, numbersIn, operationOf } from "./filters/words.ts";
import { SINK_FLAGS, sinkOptions } from "./flags/sink_flags.ts";
import { openOptions, SOURCE_FLAGS } from "./flags/source_flags.ts";
import { showWarnings } from "./inputs/sources.ts";
import { prepareOutputs } from "./outputs/outputs.ts";
import { bytesOf, tileAdvance } from "./outputs/to_sink.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { type CliIo, outJson, printable } from "./shell/io.ts";
import { type Advance, doneText, ProgressBar } from "./shell/progress.ts";
import { contextForViews, workersAsked } from "./shell/threads.ts";
import type { Flag, Verb } from "./shell/verb.ts";

const MAP_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "OUT",
    help: `the result: a name that ends with ${SINK_ENDINGS.join(", ")}`,
  },
  {
    name: "radius",
    value: "N",
    help: "samples on both sides for filters that take a radius and were given none; N or AxBxC",
  },
  {
    name: "border",
    option: "border",
    value: "NAME",
    help:
      "what is seen outside: edge, reflect, symmetric, wrap, constant; NAME,NAME,… per dimension; default edge",
  },
  { name: "fill", option: "fill", value: "NUMBER", help: "the constant of --border constant; default 0" },
  {
    name: "traversal",
    option: "traversal",
    value: "NAME",
    help: "the order of tiles: row-major, snake, diagonal, spiral, z-order, hilbert",
  },
  { name: "workers", option: "workers", value: "N", help: "worker threads; 0 computes on the main thread" },
  { name: "memory", option: "memory", value: "SIZE", help: "most memory for buffers, such as 256MiB" },
  { name: "dry-run", help: "print the plan and do nothing" },
];

/** The verb. */
export const MAP: Verb = {
  name: "map",
  summary: "filters an image, a stack or a scan of any size, all filters in one pass, into a file",
  usage: "FILTER… SOURCE -o OUT",
  least: 2,
  flags: [...MAP_FLAGS, ...SINK_FLAGS, ...SOURCE_FLAGS],
  notes: filterList(),
  topic: filterHelp,
  examples: [
    ["tilewise map gaussian:sigma=2 image.tif -o smooth.npy", "One filter over the largest image of a file."],
    [
      "tilewise map gaussian:sigma=2 sobel threshold:value=100 image.ome.tif -o edges.ome.zarr",
      "Three filters in one pass, and a pyramid of the result.",
    ],
    [
      "tilewise map median:radius=0x0x2x2 scan.mib --nav 256x256 -o median.npy",
      "Each frame of a scan by itself.",
    ],
    [
      "tilewise map downsample:factor=4 image.zarr --dry-run",
      "What would be read, and how much memory it would take.",
    ],
  ],
  source: ({ positionals }) => positionals.at(-1),
  writes: (args) => args.has("output") && !args.has("dry-run"),
  run: map,
};

async function map(args: Arguments, io: CliIo): Promise<number> {
  const source = args.positionals.at(-1)!;
  const words = args.positionals.slice(0, -1);
  for (const path of words.map(modulePath)) if (path !== undefined) args.inputs.add(path);
  const radius = args.value("radius", radiusIn);
  const operation = asOne(
    "map",
    words.map((word) => operationOf(word, radius === undefined ? {} : { radius })),
  );
  const out = outputOf(args);
  args.value("memory", parseBytes);
  workersAsked(args); // refused before anything is opened
  const dataset = await open(source, openOptions(args, io.signal));
  showWarnings(dataset, args, io);
  await using context = contextForViews(args, io, dataset.byteLength);
  const asked = { dataset, operation, context, options: viewOptions(args, dataset.shape, out) };
  const plan = await planMap(dataset, operation, { ...asked.options, context });
  if (out === undefined) return explain(plan, source, args, io);
  await prepareOutputs([out], args, [], !/\.npy$/i.test(out));
  await filtered(asked, out, args, io);
  await tell(plan, source, out, args, io);
  return 0;
}

/** What is to be computed. */
interface Asked {
  readonly dataset: Dataset;
  readonly operation: ViewOperation;
  readonly context: Context;
  readonly options: ReturnType<typeof viewOptions>;
}

async function filtered(
  { dataset, operation, context, options }: Asked,
  out: string,
  args: Arguments,
  io: CliIo,
): Promise<void> {
  const bar = new ProgressBar(io, "map", args.has("quiet"));
  let last: Advance | undefined;
  await mapViews(dataset, operation, {
    ...options,
    context,
    sink: fileSink(out, isNpy(out) ? {} : sinkOptions(args)),
    signal: io.signal,
    onProgress: (progress) => bar.update(last = tileAdvance(progress, dataset.byteLength, "tiles")),
  }).finally(() => bar.clear());
  if (last && !args.has("quiet")) io.err(`${doneText(last)}\n`);
}

async function tell(plan: MapPlan, source: string, out: string, args: Arguments, io: CliIo): Promise<void> {
  const { shape, dtype, operation: { name } } = plan;
  const bytes = await bytesOf(out);
  if (args.has("json")) return outJson(io, { source, file: out, filter: name, shape, dtype, bytes });
  io.out(`${printable(out)}  ${showShape(shape)} ${dtype}, ${formatBytes(bytes)}\n`);
}

function explain(plan: MapPlan, source: string, args: Arguments, io: CliIo): number {
  const { shape, dtype, memory: { total }, views: { grid: { tile } } } = plan;
  if (args.has("json")) {
    outJson(io, { source, shape, dtype, tile, peakBytes: total, explain: plan.explain() });
  } else io.out(plan.explain().split("\n").map((line) => printable(line) + "\n").join(""));
  return 0;
}

/** Where the result goes; nothing in a dry run. */
function outputOf(args: Arguments): string | undefined {
  if (args.has("dry-run")) return undefined;
  const out = args.text("output");
  if (out === undefined) throw new UsageError("map needs -o OUT, or --dry-run to see the plan");
  if (isSinkPath(out)) return out;
  throw new UsageError(`map cannot write ${out}: the name must end with ${SINK_ENDINGS.join(", ")}`);
}

function isNpy(out: string): boolean {
  return /\.npy$/i.test(out);
}

/** The options of the views. `--tile` is that of a TIFF, if one is written. */
function viewOptions(args: Arguments, shape: Shape, out: string | undefined) {
  const border = args.text("border")?.split(",");
  const fill = args.value("fill", numberIn);
  const traversal = args.text("traversal");
  const tile = out === undefined || isNpy(out)
    ? args.value("tile", (text) => tileIn(text, shape))
    : undefined;
  return {
    ...(border === undefined ? {} : { border: border.length === 1 ? border[0]! : border }),
    ...(fill === undefined ? {} : { fill }),
    ...(traversal === undefined ? {} : { traversal }),
    ...(tile === undefined ? {} : { tile }),
  };
}

/** A tile of the last dimensions, with one sample in the others. */
function tileIn(text: string, shape: Shape): Shape {
  const given = text.includes("x") ? parseShape(text) : shape.slice(-2).map(() => Number(text));
  return [...shape.slice(0, Math.max(0, shape.length - given.length)).map(() => 1), ...given];
}

function radiusIn(text: string): number | number[] {
  const found = numbersIn(text);
  if (found !== undefined) return found;
  throw new UsageError(`--radius takes a number, or one per dimension as in 0x2x2, not "${text}"`);
}

function numberIn(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new UsageError(`--fill takes a number, not "${text}"`);
}
