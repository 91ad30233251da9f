/**
 * `tilewise map`: filters an array larger than memory, all filters in one pass, into a file.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { toldOf, valuesInWords } from "../../space/meaning/values.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson, outPlan, outTable, printable } from "../shell/io.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { AS_FLAG, SEVERAL_FLAGS } from "../shell/several.ts";
import { endingsFor, isChunkPath, isKind, targetAt } from "../../sinks/registry.ts";
import { LOOK_FLAGS, parseLook } from "../flags/look.ts";
import { STORE_FLAGS } from "../flags/run_flags.ts";
import { OUT_DTYPE_FLAG, outDtype } from "../flags/out_dtype.ts";
import { SINK_FLAGS } from "../flags/sink_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import { type Arguments, storeFlag, UsageError } from "../shell/args.ts";
import type { Verb } from "../shell/verb.ts";
import { listed, reducedIn } from "../outputs/listed.ts";
import { lossesStored, lossRows } from "../outputs/losses.ts";
import { bytesOf } from "../outputs/size.ts";
import { type Planned, planned, withMap } from "./request.ts";
import { checkFlags, isPng, isTable, MAP_FLAGS, wordDefaults } from "./flags.ts";
import { FILTERS } from "../../analyses/filters/table.ts";
import type { ReductionWord } from "../reductions/reduction.ts";
import { findReduction, makesLabels, REDUCTIONS } from "../reductions/table.ts";
import { loadsOf, showLoads } from "./loads.ts";
import { deliverTable } from "./tables.ts";
import { MAP_SOURCES, parseWords, type Words, wordsOf } from "./words.ts";
import { manifestIn, manifestRows } from "../manifests/files.ts";
import { type Places, preparePlaces, writeImage, type Written } from "./write.ts";
import { filterHelp, filterList, helpPage, listed as inHelp } from "../filters/filter_help.ts";

/** All words, with their parameters and defaults. */
function wordList(): string[] {
  const filters = filterList();
  const reductions = [
    "At their end, or alone, for tables (-o .csv or .json, or printed) and labels (an image):",
    "",
    ...REDUCTIONS.flatMap(inHelp),
    "",
    "What filters before them make is kept in a temporary file beside OUT meanwhile.",
    "",
  ];
  return [...filters.slice(0, -1), ...reductions, filters.at(-1)!];
}

/** The page of the filter or reduction that `words` name first; nothing where they name none. */
function wordHelp(words: readonly string[]): string | undefined {
  const found = words.map((word) => findReduction(word.replace(/:.*$/s, ""))).find((one) =>
    one !== undefined
  );
  if (!found) return filterHelp(words);
  const { result, example } = found;
  const usage = `SOURCE ${makesLabels(found) ? "-o OUT" : "[-o OUT]"}`;
  return helpPage(found, { usage, result, example });
}

/** The verb. */
export const MAP: Verb = {
  ...HEADS.map,
  least: 2,
  flags: [
    ...MAP_FLAGS,
    ...SEVERAL_FLAGS,
    AS_FLAG,
    OUT_DTYPE_FLAG,
    ...STORE_FLAGS,
    ...SINK_FLAGS,
    ...LOOK_FLAGS,
    ...SOURCE_FLAGS,
  ],
  words: Object.fromEntries([...FILTERS, ...REDUCTIONS].map(({ name, help }) => [name, help])),
  notes: [
    ...wordList(),
    "",
    "With --store many machines map parts, each with --shard I/N and the same words; tilewise merge writes the file: one",
    "with rows, such as .npy or .hspy, or, if all of them are told -o OUT, a Zarr or TIFF.",
  ],
  topic: wordHelp,
  examples: [
    [
      "tilewise map gaussian:sigma=2 image.tif -o smooth.npy",
      "One filter over the largest image of a file, with a picture and a manifest, which `replay` takes.",
    ],
    [
      "tilewise map gaussian:sigma=2 sobel threshold:value=100 image.ome.tif -o edges.ome.zarr",
      "Three filters in one pass, and a pyramid of the result.",
    ],
    [
      "tilewise map median:radius=0x0x2x2 scan.mib --nav 256x256 -o median.npy",
      "Each frame of a scan by itself.",
    ],
    [
      "tilewise map expr:'(x - dark) / flat' image.tif --with dark=dark.tif --with flat=flat.npy -o clean.tif",
      "An expression over the source, x, and other arrays of its shape.",
    ],
    ["tilewise map log:sigma=2 image.ome.tif --level 2 -o look.png", "A picture of a smaller level."],
    [
      "tilewise map downsample:factor=4 image.zarr --dry-run",
      "What would be read, and how much memory it would take.",
    ],
    [
      "tilewise map gaussian:sigma=2 measure:threshold=otsu image.tif -o table.csv",
      "A row per object: area, centroid, box, mean, least and greatest sample.",
    ],
    [
      "tilewise map gaussian:sigma=2 images/ --each -o smooth/ --as ome.zarr",
      "Every image of a folder; a bad one is told, and does not stop the others.",
    ],
    ["tilewise map otsu image.tif", "Prints a threshold; histogram and measure print and write tables."],
  ],
  several: { ...MAP_SOURCES, check: checked },
  source: ({ positionals }) => positionals.at(-1),
  writes: (args) => args.has("output") && !args.has("dry-run"),
  run: map,
};

async function map(args: Arguments, io: CliIo): Promise<number> {
  if (storeFlag(args)) {
    return await (await import("./stored.ts")).storedMap(args, io);
  }
  const { reduction, out } = await checked(args); // refused before anything is opened
  return await withMap(args, io, out, async (asked) => {
    const plan = await planned(asked, out, args);
    const places = out === undefined ? undefined : await preparePlaces(out, plan, { args, io });
    if (args.has("dry-run")) return explain(plan, args, io);
    if (reduction && !makesLabels(reduction.row)) {
      await deliverTable(plan, reduction.row, places, { args, io });
    } else await tell(await writeImage(plan, places!, { args, io }), places!, plan, { args, io });
    return 0;
  });
}

/** The reduction and the place of the result; {@link UsageError} for words and flags that mean nothing. */
async function checked(args: Arguments): Promise<{ reduction: Words["reduction"]; out: string | undefined }> {
  const { reduction } = await parseWords(wordsOf(args), wordDefaults(args));
  const out = outputOf(args, reduction?.row);
  checkFlags(args, out, reduction?.row);
  parseLook(args);
  return { reduction, out };
}

async function tell(
  { files, sha256, count, table }: Written,
  { out, ...place }: Places,
  { asked: { source }, result }: Planned,
  { args, io }: { readonly args: Arguments; readonly io: CliIo },
): Promise<void> {
  const { name, shape, dtype, values } = result;
  const bytes = await bytesOf(out);
  const losses = await lossesStored(out, result, outDtype(args));
  if (args.has("json")) {
    const facts = {
      filter: name,
      shape,
      dtype,
      ...toldOf(result),
      bytes,
      ...defined({ count }),
      ...reducedIn(files),
      ...losses,
    };
    const beside = { ...manifestIn(place), ...(sha256 ? { sha256 } : {}) };
    outJson(io, { source, file: out, files: files.map(({ path }) => path), ...facts, ...beside });
    if (table) outJson(io, { source, ...table });
    return;
  }
  const words = valuesInWords(values);
  io.out(
    `${printable(out)}  ${showShape(shape)} ${dtype}${words ? ` ${words}` : ""}, ${formatBytes(bytes)}\n`,
  );
  outTable(io, [
    ...lossRows(losses),
    ...(count === undefined ? [] : [["labels", String(count)] as const]),
    ...files.filter(({ path }) => isKind(path, "png")).map((file) => ["picture", listed(file)] as const),
    ...(table ? [["table", `${table.files}, ${table.shape} rows`] as const] : []),
    ...manifestRows(place),
  ]);
}

function explain({ asked: { source, dataset }, plan, result }: Planned, args: Arguments, io: CliIo): number {
  const { shape, dtype, memory: { total, workers }, views: { grid: { tile, counts }, radius } } = plan;
  const loads = loadsOf(plan);
  const text = `${plan.explain()}\n${showLoads(loads, dataset.byteLength)}`;
  const { bytes: bytesToRead, chunks } = loads;
  const facts = {
    source,
    shape,
    dtype,
    ...toldOf(result),
    tile,
    tiles: sizeOf(counts),
    radius,
    workers,
    peakBytes: total,
    bytesToRead,
    ...defined({ chunks }),
  };
  return outPlan({ args, io }, facts, text);
}

/** Where the result goes; nothing in a dry run without a name, and for a table that is printed. */
function outputOf(args: Arguments, reduction: ReductionWord | undefined): string | undefined {
  const out = args.text("output");
  const makesTable = reduction !== undefined && !makesLabels(reduction);
  if (out === undefined && (makesTable || args.has("dry-run"))) return undefined;
  if (out === undefined) throw new UsageError("map needs -o OUT, or --dry-run to see the plan");
  if (out === "-") throw new UsageError("map cannot write to stdout; name a file after -o");
  const endings = makesTable
    ? [".csv", ".json"]
    : reduction
    ? endingsFor("results")
    : [...endingsFor("results"), ".png"];
  const fits = makesTable
    ? isTable(out)
    : targetAt(out, "results") !== undefined || (isPng(out) && !reduction);
  const path = isChunkPath(out) ? out.replace(/[/\\]+$/, "") : out;
  if (fits && !/[/\\]$/.test(path)) return path;
  const what = makesTable ? `the table of ${reduction.name}` : reduction ? "labels" : "the result";
  throw new UsageError(`map cannot write ${out}: for ${what} the name must end with ${endings.join(", ")}`);
}
