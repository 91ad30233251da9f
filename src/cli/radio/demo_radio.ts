/**
 * `tilewise demo radio`: simulates an observation of a known sky, images it, finds and fits its sources, and compares.
 *
 * @module
 */

import { arrayFromAsync } from "../../portable.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type PendingFile, writeFilesAtomic } from "../../io/write/write.ts";
import type { Observation } from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import { isKind } from "../../sinks/registry.ts";
import { encodePng } from "../../sinks/png/png.ts";
import { colourRows } from "../../pictures/picture.ts";
import { rasterOf } from "../../sinks/png/raster.ts";
import { terminalPicture } from "../../pictures/terminal.ts";
import type { ImageGrid } from "../../rime/image/grid.ts";
import { lmToRadec } from "../../rime/geometry/directions.ts";
import { coverageOf } from "../../rime/observed/coverage.ts";
import { extentOf } from "../../rime/observed/extent.ts";
import { gridFor } from "../../rime/observed/image_grid.ts";
import { type ImagePlane, imagePlanes } from "../../rime/observed/image_planes.ts";
import { planObservation } from "../../rime/observed/predict_observation.ts";
import type { Context } from "../../runner/context.ts";
import { readSky } from "../../skies/read.ts";
import { ARCSECOND } from "../../skies/angles.ts";
import { mustBeOwn, prepareOutputs } from "../outputs/outputs.ts";
import { wantsPictures } from "../flags/look.ts";
import { bytesOf } from "../outputs/size.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";
import { contextForViews } from "../shell/threads.ts";
import { formatBytes } from "../../space/size.ts";
import { declination, hours } from "../../observations/meaning/shown.ts";
import { angleText } from "./angles.ts";
import { CENTRE, demoArray, NOISE, noiseOf, skyText, sourceDirections } from "./demo_array.ts";
import { findSources, type Found } from "./demo_find.ts";
import { imageFiles } from "./image_files.ts";
import { uvPicture } from "./uv_picture.ts";

/** Pixels of the images along each side. */
const PIXELS = 256;

/** Standard deviations by which a source may be off. */
const BOUND = 5;

/** By how much χ² per number may differ from 1: 70 000 samples are one to a few per mille. */
const CHI_BOUND = 0.02;

/** Names of the files that it writes. */
const OWN = ["sky.csv", "found.csv", "day.zarr", "uv.png", "image.png", "image.fits", "residual.png"];

/** Runs it; the exit code. */
export async function demoRadio(args: Arguments, io: CliIo): Promise<number> {
  const folder = args.text("output") ?? "demo-radio";
  const seed = args.count("seed", 1) ?? 1;
  const quiet = args.has("quiet") || args.has("json");
  const say = (name: string, value: string) => quiet || outTable(io, [[name.padEnd(9), value]]);
  const at = (name: string) => join(folder, name);
  const isWritten = (path: string) => wantsPictures(args) || !isKind(path, "png");
  const own = OWN.map(at).filter(isWritten);
  const isDemo = async () => {
    return (await readFile(at("sky.csv"), "utf8").catch(() => "")).includes("\ndemo-1,POINT,");
  };
  await mustBeOwn(folder, (name) => OWN.includes(name), isDemo);
  await prepareOutputs([at("sky.csv")], args);
  await using context = contextForViews(args, io, 2 ** 24);
  const bar = new ProgressBar(io, "demo radio", quiet);
  const run = { context, signal: io.signal };

  const rows = await simulated(at, seed, run);
  say("array", `${rows.antennas} antennas, ${rows.rows} rows of ${rows.channels} channels, 4 correlations`);
  say(
    "simulated",
    `${at("day.zarr")}, ${formatBytes(await bytesOf(at("day.zarr")))}, noise of ${NOISE} Jy per sample`,
  );

  await using observation = await openObservation(at("day.zarr"));
  const grid = gridFor(observation, await extentOf(observation), { pixels: [PIXELS, PIXELS] });
  const found = await findSources(observation, grid, { ...run, note: (text) => bar.note(text) })
    .finally(() => bar.clear());
  const files = await pictures(observation, grid, found, at, run);
  const written = files.files.filter(({ path }) => isWritten(path));
  await writeFilesAtomic([...written, { path: at("found.csv"), content: () => encoded(found) }]);

  if (!quiet) {
    const columns = Math.min(io.columns, 100);
    io.out(`\n${terminalPicture(files.shown, { columns, colour: io.colour })}\n\n`);
    say(
      "image",
      `Stokes I, ${PIXELS} × ${PIXELS} pixels of ${angleText(grid.cell[1])}; the faintest source has ${
        (Math.min(...sourceDirections().map(({ flux }) => flux)) / found.noise).toFixed(0)
      } times the noise, ${(1000 * found.noise).toFixed(1)} mJy/beam`,
    );
  }
  const compared = comparisons(found);
  for (const one of compared) say(one.name, one.text);
  const chi = Math.abs(found.chiSquared - 1) < CHI_BOUND;
  say("left", `χ² per number is ${found.chiSquared.toFixed(4)} after ${found.steps} steps  ${mark(chi)}`);
  say("files", own.join(" "));
  if (!quiet) io.out("\n");
  say("next", `tilewise info ${at("day.zarr")}`);
  say("", `tilewise image ${at("day.zarr")} -o ${at("again.fits")} --pixels 512`);
  say("", `tilewise predict ${at("sky.csv")} ${at("day.zarr")} -o ${at("model.zarr")}`);
  const ok = chi && compared.every((one) => one.ok) && compared.length === sourceDirections().length;
  if (args.has("json")) {
    const sources = compared.map(({ text: _, ...one }) => one);
    outJson(io, { ok, sources, chiSquared: found.chiSquared, noise: found.noise, files: own });
  }
  if (!ok) io.err("tilewise: what was found is not what was simulated\n");
  return ok ? 0 : 1;
}

/** Where it runs. */
interface Where {
  readonly context: Context;
  readonly signal: AbortSignal;
}

/** Paths of files. */
type At = (name: string) => string;

/** Writes the sky, and what the array sees of it, with noise. */
async function simulated(
  at: At,
  seed: number,
  run: Where,
): Promise<{ antennas: number; rows: number; channels: number }> {
  const sources = sourceDirections().map(({ name, l, m, flux }) => {
    const [ra, dec] = lmToRadec([l, m], CENTRE);
    return { name, ra: ra!, dec: dec!, flux };
  });
  const text = new TextEncoder().encode(skyText(sources));
  await writeFilesAtomic([{ path: at("sky.csv"), content: () => text }]);
  await using array = await openObservation(demoArray());
  const simulation = { name: "VISIBILITY", added: (index: number) => noiseOf(seed, index) };
  const plan = await planObservation(await readSky(text), array, at("day.zarr"), run, simulation);
  await plan.run({ signal: run.signal });
  const { antennas, rows, frequencies } = array;
  return { antennas: antennas.length, rows, channels: frequencies.length };
}

/** The baselines, the image as observed, and what is left of it. */
async function pictures(
  observation: Observation,
  grid: ImageGrid,
  { residual }: Found,
  at: At,
  run: Where,
): Promise<{ readonly files: PendingFile[]; readonly shown: ReturnType<typeof rasterOf> }> {
  const [plane] = await arrayFromAsync(imagePlanes(observation, grid, run)) as [ImagePlane];
  const coverage = await coverageOf(observation, { pixels: 640, unit: "wavelengths", channels: "all" });
  const made = { grid, observation, source: at("day.zarr") };
  const shown = colourRows(plane.image, { colormap: "viridis" }, undefined, true);
  const look = { range: shown.limits };
  const files = [
    { path: at("uv.png"), content: () => encodePng(uvPicture(coverage, observation, "wavelengths")) },
    ...imageFiles(made, plane, { out: at("image.fits"), picture: at("image.png"), look }),
    ...imageFiles(made, { ...plane, image: residual }, { out: at("residual.png"), look }),
  ];
  return { files, shown: rasterOf(shown) };
}

/** What was found, as a list that `tilewise predict` reads. */
function encoded({ sky: { lm, stokes } }: Found): Uint8Array<ArrayBuffer> {
  const places = lmToRadec(lm, CENTRE);
  const list = Array.from({ length: lm.length / 2 }, (_, s) => ({
    name: `found-${s + 1}`,
    ra: places[2 * s]!,
    dec: places[2 * s + 1]!,
    flux: stokes[4 * s]!,
  }));
  return new TextEncoder().encode(skyText(list));
}

/** A source that was simulated, beside the one that was found nearest to it. */
interface Comparison {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly truth: { readonly ra: number; readonly dec: number; readonly flux: number };
  readonly found: { readonly ra: number; readonly dec: number; readonly flux: number };
  /** Arc seconds between both, and the most that noise explains. */
  readonly offset: number;
  readonly offsetBound: number;
  /** The most that noise explains of the difference of the fluxes. */
  readonly fluxBound: number;
}

function comparisons({ sky: { lm, stokes }, uncertainty }: Found): Comparison[] {
  const own = Array.from({ length: lm.length / 2 }, (_, s) => ({
    l: lm[2 * s]!,
    m: lm[2 * s + 1]!,
    flux: stokes[4 * s]!,
  }));
  const skyAt = (l: number, m: number) => {
    const [ra, dec] = lmToRadec([l, m], CENTRE);
    return { ra: ra!, dec: dec! };
  };
  return sourceDirections().map(({ name, l, m, flux }) => {
    const distance = (one: { l: number; m: number }) => Math.hypot(one.l - l, one.m - m) / ARCSECOND;
    const nearest = own.toSorted((a, b) => distance(a) - distance(b))[0] ?? { l: 0, m: 0, flux: 0 };
    const offset = distance(nearest);
    const offsetBound = BOUND * uncertainty.direction / flux / ARCSECOND;
    const fluxBound = BOUND * uncertainty.flux;
    const ok = offset <= offsetBound && Math.abs(nearest.flux - flux) <= fluxBound;
    const [truth, found] = [{ ...skyAt(l, m), flux }, { ...skyAt(nearest.l, nearest.m), flux: nearest.flux }];
    const text = `${placed(truth)}  found ${placed(found)}, ${offset.toFixed(3)}″ off (noise: ${
      offsetBound.toFixed(3)
    }″)  ${mark(ok)}`;
    return { name, ok, text, truth, found, offset, offsetBound, fluxBound };
  });
}

function placed({ ra, dec, flux }: Comparison["truth"]): string {
  return `${hours(ra)} ${declination(dec)} ${flux.toFixed(3)} Jy`;
}

function mark(ok: boolean): string {
  return ok ? "✓" : "✗ WRONG";
}
