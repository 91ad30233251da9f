/**
 * Runs `tilewise image`.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import { dirtyImage } from "../../rime/image/dirty.ts";
import { checkGrid, type ImageGrid, MOST_PIXELS } from "../../rime/image/grid.ts";
import { extentOf } from "../../rime/observed/extent.ts";
import { gridFor } from "../../rime/observed/image_grid.ts";
import { imagingRows, type Product, productOf } from "../../rime/observed/product.ts";
import type { TileProgress } from "../../runner/tiles.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import { ARCSECOND } from "../../skies/angles.ts";
import { parseLook } from "../flags/look.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { tileAdvance } from "../outputs/to_sink.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";
import { checkThreads, contextForViews } from "../shell/threads.ts";
import { angleText, arcs, declination, hours } from "./angles.ts";
import { imageFiles, type Made } from "./image_files.ts";
import { type Peak, peakOf } from "./peak.ts";
import { wordOf } from "./words.ts";

/** Runs the verb; the exit code. */
export async function image(args: Arguments, io: CliIo): Promise<number> {
  const [source] = args.positionals as [string];
  const [out, picture] = outputsOf(args);
  const asked = askedOf(args);
  checkThreads(args); // refused before anything is opened
  const look = parseLook(args);
  const wanted = args.text("correlation")?.toUpperCase();
  await using observation = await openObservation(source, observationOptions(args, io.signal));
  showWarnings(observation, args, io);
  const product = productOf(observation, wanted);
  const { unit } = observation.visibility ?? {};
  if (unit !== undefined) {
    const text = `Visibilities are in ${unit}, not in Jy; so is the image`;
    showWarnings({ source: observation.source, warnings: [text] }, args, io);
  }
  const bar = new ProgressBar(io, "image", args.has("quiet"));
  bar.note("reading baselines");
  const extent = await extentOf(observation, { signal: io.signal }).finally(() => bar.clear());
  const grid = gridFor(observation, extent, asked.grid);
  checkSky(grid);
  const facts = {
    source,
    out,
    observation,
    product,
    grid,
    weighting: asked.weighting,
    longest: extent.longest,
  };
  if (args.has("dry-run")) return explain(facts, args, io);
  await prepareOutputs([out], args, picture === undefined ? [] : [picture]);
  const bytes = 16 * observation.rows * observation.frequencies.length;
  await using context = contextForViews(args, io, bytes);
  const { image, sumOfWeights } = await dirtyImage(imagingRows(observation, product), grid, {
    ...asked.options,
    weighting: asked.weighting,
    convention: observation.convention,
    context,
    signal: io.signal,
    onProgress: (progress: TileProgress) => bar.update(tileAdvance(progress, bytes, "parts")),
  }).finally(() => bar.clear());
  const made: Made = { image, grid, observation, product, source };
  const files = imageFiles(made, { out, look, ...(picture === undefined ? {} : { picture }) });
  await writeFilesAtomic(files);
  const peak = peakOf(image, grid, observation.field);
  tell({ ...facts, files: files.map(({ path }) => path), sumOfWeights, peak }, args, io);
  return 0;
}

/** Refuses images that are larger than the sky. */
function checkSky(grid: ImageGrid): void {
  try {
    checkGrid("image", grid);
  } catch {
    const [nx, ny] = grid.pixels, cell = angleText(grid.cell[1]);
    throw new UsageError(
      `image cannot show ${nx} × ${ny} pixels of ${cell}: its corners are beyond the horizon. ` +
        "Fewer pixels (--pixels) or smaller ones (--cell) would work",
    );
  }
}

/** What will be imaged. */
interface Facts {
  readonly source: string;
  readonly out: string;
  readonly observation: Observation;
  readonly product: Product;
  readonly grid: ImageGrid;
  readonly weighting: string;
  readonly longest: number;
}

/** What was imaged. */
interface Done extends Facts {
  readonly files: readonly string[];
  readonly sumOfWeights: number;
  readonly peak: Peak;
}

function jsonOf(
  { source, out, observation, product, grid, weighting, longest }: Facts,
): Record<string, unknown> {
  const { field, rows, frequencies } = observation, { phaseCentre } = field;
  return {
    source,
    file: out,
    shape: grid.pixels.toReversed(),
    cellArcsec: grid.cell[1] / ARCSECOND,
    phaseCentre,
    ...(field.frame === undefined ? {} : { frame: field.frame, direction: field.direction }),
    correlation: product.name,
    weighting,
    rows,
    channels: frequencies.length,
    longestBaseline: longest,
  };
}

function explain(facts: Facts, args: Arguments, io: CliIo): number {
  if (args.has("json")) {
    outJson(io, jsonOf(facts));
    return 0;
  }
  io.out(`${printable(facts.out)}\n`);
  outTable(io, [...rowsOf(facts), [
    "samples",
    `${facts.observation.rows} rows × ${facts.observation.frequencies.length} channels`,
  ]]);
  return 0;
}

function tell({ peak, files, sumOfWeights, ...facts }: Done, args: Arguments, io: CliIo): void {
  if (args.has("json")) return outJson(io, { ...jsonOf(facts), files, sumOfWeights, peak });
  for (const file of files) io.out(`${printable(file)}\n`);
  outTable(io, [
    ...rowsOf(facts),
    ["weights", `${sumOfWeights.toPrecision(6)} in all, ${facts.weighting}`],
    [
      "peak",
      `${peak.value.toPrecision(5)} Jy/beam at ${hours(peak.ra)} ${declination(peak.dec)}, pixel ${
        peak.pixel.join(", ")
      }`,
    ],
  ]);
}

/** The facts that people read. */
function rowsOf({ product, grid, longest, observation }: Facts): [string, string][] {
  const [nx, ny] = grid.pixels, cell = grid.cell[1];
  const [ra, dec] = observation.field.phaseCentre;
  return [
    [
      "image",
      `${nx} × ${ny} pixels of ${angleText(cell)}, ${angleText(nx * cell)} × ${angleText(ny * cell)}`,
    ],
    ["correlation", product.name],
    ["centre", `${hours(ra)} ${declination(dec)}`],
    ["longest", `baseline of ${Number(longest.toPrecision(6))} m`],
  ];
}

/** Where the image goes, and the picture beside it. */
function outputsOf(args: Arguments): [out: string, picture?: string] {
  const out = args.text("output") ?? "image.png";
  const ending = /\.(png|fits|npy)$/i.exec(out);
  if (!ending) {
    throw new UsageError(`image cannot write ${out}: the name must end with .png, .fits or .npy`);
  }
  const isAlone = /png/i.test(ending[1]!) || args.has("no-picture");
  return isAlone ? [out] : [out, `${out.slice(0, ending.index)}.png`];
}

/** What the flags say. */
function askedOf(args: Arguments) {
  const pixels = args.value("pixels", pixelsOf);
  const cell = args.value("cell", arcs);
  const epsilon = args.value("epsilon", numberOf);
  return {
    grid: { ...(pixels ? { pixels } : {}), ...(cell === undefined ? {} : { cell }) },
    weighting: wordOf(args, "weighting", ["natural", "uniform"]),
    options: {
      precision: wordOf(args, "precision", ["f64", "mixed"]),
      wTerm: !args.has("flat"),
      ...(epsilon === undefined ? {} : { epsilon }),
    },
  };
}

function pixelsOf(text: string): [number, number] {
  const [, nx, ny = nx] = /^\s*(\d+)(?:x(\d+))?\s*$/i.exec(text) ?? [];
  const sides: [number, number] = [Number(nx), Number(ny)];
  if (sides.every((side) => side >= 1 && side <= MOST_PIXELS)) return sides;
  const expected = `write one or two sizes of at most ${MOST_PIXELS}, such as 512 or 1024x512`;
  throw new TilewiseError("invalid", expected, { found: text });
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new TilewiseError("invalid", "write a number", { found: text });
}
