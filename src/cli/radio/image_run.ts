/**
 * Runs `tilewise image`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isKind } from "../../sinks/registry.ts";
import { arrayFromAsync } from "../../portable.ts";
import type { Observation } from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import { checkGrid, type ImageGrid } from "../../rime/image/grid.ts";
import type { MainLobe } from "../../rime/image/main_lobe.ts";
import type { ImageWeighting } from "../../rime/image/weighting.ts";
import { extentOf } from "../../rime/observed/extent.ts";
import { gridFor } from "../../rime/observed/image_grid.ts";
import type { DirtyImagePlan } from "../../rime/image/dirty.ts";
import {
  type ImagePlane,
  imagePlanes,
  type PlaneFacts,
  planesOf,
  planLargestPlane,
} from "../../rime/observed/image_planes.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import { ARCSECOND } from "../../skies/angles.ts";
import { parseLook } from "../flags/look.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import { type Losses, lossesSaved, lossRows } from "../outputs/losses.ts";
import {
  manifestBeside,
  manifestIn,
  manifestRows,
  type OutputFiles,
  preparedPlace,
} from "../manifests/files.ts";
import { Opened } from "../manifests/opened.ts";
import { type Seen, seenFor } from "../manifests/seen.ts";
import { toldOf } from "../../space/meaning/values.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { ProgressBar, tileAdvance } from "../shell/progress.ts";
import { checkThreads, contextForViews } from "../shell/threads.ts";
import { declination, hours } from "../../observations/meaning/shown.ts";
import { angleText } from "./angles.ts";
import { askedOf, outputsOf } from "./image_asked.ts";
import { countsOf, degrees } from "./image_fits.ts";
import { checkPlanes, imageFacts, imageFiles, planesFile, unitOf } from "./image_files.ts";
import { type Peak, peakOf } from "./peak.ts";

/** Runs the verb; the exit code. */
export async function image(args: Arguments, io: CliIo): Promise<number> {
  const [source] = args.positionals as [string];
  const asked = askedOf(args);
  const [out, beside] = outputsOf(args);
  checkThreads(args); // refused before anything is opened
  const look = parseLook(args);
  using opened = new Opened();
  await using observation = await openObservation(source, observationOptions(args, io.signal));
  showWarnings(observation, args, io);
  const { correlations, bands = observation.frequencies.length } = asked.planes;
  const planes = planesOf(observation, correlations, bands);
  checkPlanes(planes, out);
  const picture = planes.length === 1 ? beside : undefined;
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
    planes,
    grid,
    dtype: asked.options.precision === "mixed" ? "float32" as const : "float64" as const,
    weighting: asked.weighting,
    longest: extent.longest,
  };
  const bytes = 16 * observation.rows * observation.frequencies.length;
  await using context = contextForViews(args, io, bytes);
  const beneath = picture === undefined ? [] : [picture];
  const prepare = () => preparedPlace(out, { results: [out], beside: beneath }, args, io);
  if (args.has("dry-run")) {
    if (args.has("output")) await prepare();
    const { signal } = io, { weighting } = asked;
    const options = { ...asked.options, weighting, context, signal };
    return explain(facts, await planLargestPlane(observation, planes, grid, options), args, io);
  }
  const place = await prepare();
  const images = imagePlanes(observation, grid, {
    ...asked.options,
    ...defined({ correlations }),
    bands,
    weighting: asked.weighting,
    context,
    signal: io.signal,
    onProgress: (progress: TileProgress) =>
      bar.update(tileAdvance(progress, 2 * planes.length * bytes, "parts")),
  });
  const told: MadeImage[] = [], seen = seenFor(imageFacts(facts, planes));
  const noted = notedOf(images, { told, seen }, facts, (warnings) => {
    bar.clear();
    showWarnings({ source: observation.source, warnings }, args, io);
  });
  const files = planes.length > 1
    ? [planesFile({ grid, observation, source }, planes, noted, out)]
    : imageFiles({ grid, observation, source }, (await arrayFromAsync(noted))[0]!, {
      out,
      look,
      ...defined({ picture }),
    });
  const paths = files.map(({ path }) => path);
  const made = async () => ({
    result: { ...await resultOf(facts), files: paths, sha256: seen.made().sha256! },
    inputs: await opened.inputs(),
  });
  const { pending, gone } = await manifestBeside("image", place, paths, made, args);
  await writeFilesAtomic([...files, ...pending], gone).finally(() => bar.clear());
  await tell({ ...facts, files: paths, told, ...manifestIn(place) }, args, io);
  return 0;
}

/** What is told of an image. */
interface MadeImage extends PlaneFacts {
  readonly sumOfWeights: number;
  readonly peak: Peak | null; // of images without a weight
  readonly beam: MainLobe | null;
}

/** The result in the manifest. */
async function resultOf(facts: ImageInputs) {
  const array = imageFacts(facts, facts.planes), { shape, dtype } = array;
  return { result: "image", shape, dtype, ...toldOf(array), ...await lossesOf(facts) };
}

/** What the file does not hold. */
async function lossesOf(facts: ImageInputs): Promise<Losses> {
  const { out, planes } = facts;
  return isKind(out, "fits") ? {} : await lossesSaved(out, imageFacts(facts, planes));
}

/** The images; what is told of each is added to `told`. */
async function* notedOf(
  images: AsyncIterable<ImagePlane>,
  { told, seen }: { readonly told: MadeImage[]; readonly seen: Seen },
  { grid, observation: { field } }: Pick<ImageInputs, "grid" | "observation">,
  warn: (warnings: readonly string[]) => void,
): AsyncGenerator<ImagePlane, void> {
  for await (const plane of images) {
    const { image, mainLobe: beam = null, warnings, correlation, channels, frequency, width, sumOfWeights } =
      plane;
    warn(warnings);
    const peak = sumOfWeights > 0 ? peakOf(image, grid, field) : null;
    seen.add(image.data);
    told.push({ correlation, channels, frequency, width, sumOfWeights, peak, beam });
    yield plane;
  }
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
interface ImageInputs {
  readonly source: string;
  readonly out: string;
  readonly observation: Observation;
  readonly planes: readonly PlaneFacts[];
  readonly grid: ImageGrid;
  /** The type of the pixels. */
  readonly dtype: "float32" | "float64";
  readonly weighting: ImageWeighting;
  readonly longest: number;
}

/** What was imaged. */
interface Done extends ImageInputs, Pick<OutputFiles, "manifest"> {
  readonly files: readonly string[];
  readonly told: readonly MadeImage[];
}

function jsonOf(
  { source, out, observation, planes, grid, weighting, longest }: ImageInputs,
): Record<string, unknown> {
  const { field, rows, frequencies } = observation, { phaseCentre } = field;
  return {
    source,
    file: out,
    shape: [...(planes.length === 1 ? [] : countsOf(planes)), ...grid.pixels.toReversed()],
    cellArcsec: grid.cell[1] / ARCSECOND,
    phaseCentre,
    ...(field.frame === undefined ? {} : { frame: field.frame, direction: field.direction }),
    correlation: namesOf(planes),
    weighting: weightingText(weighting),
    rows,
    channels: frequencies.length,
    longestBaseline: longest,
  };
}

function explain(facts: ImageInputs, plan: DirtyImagePlan, args: Arguments, io: CliIo): number {
  const text = plan.explain();
  if (args.has("json")) {
    outJson(io, { ...jsonOf(facts), peakBytes: plan.memory.total, explain: text });
    return 0;
  }
  io.out(`${printable(facts.out)}\n`);
  outTable(io, [...rowsOf(facts), [
    "samples",
    `${facts.observation.rows} rows × ${facts.observation.frequencies.length} channels`,
  ]]);
  io.out(`${text}\n`);
  return 0;
}

async function tell({ told, files, ...facts }: Done, args: Arguments, io: CliIo): Promise<void> {
  const losses = await lossesOf(facts);
  if (args.has("json")) {
    const each = told.map(({ beam, ...plane }) => ({ ...plane, beam: beam && beamJson(beam) }));
    const [{ sumOfWeights, peak, beam }] = each as [typeof each[number]];
    return outJson(io, {
      ...jsonOf(facts),
      files,
      ...losses,
      ...manifestIn(facts),
      ...(each.length > 1 ? { planes: each } : { sumOfWeights, peak, beam }),
    });
  }
  for (const file of files) io.out(`${printable(file)}\n`);
  outTable(io, [
    ...rowsOf(facts),
    ...told.flatMap((plane) => planeRows(plane, unitOf(facts.observation), told.length === 1)),
    ...lossRows(losses),
    ...manifestRows(facts),
  ]);
}

/** What people read of an image: of the only one line by line, of several one line each. */
function planeRows(
  { correlation, frequency, sumOfWeights, peak, beam }: MadeImage,
  unit: string,
  isOnly: boolean,
): [string, string][] {
  const weights = `${sumOfWeights.toPrecision(6)} in all`;
  const ellipse = beam
    ? `${angleText(beam.major)} × ${angleText(beam.minor)}, ${
      degrees(beam.positionAngle).toFixed(1)
    }° from north to east`
    : "none that could be fitted";
  const highest = peak ? peakText(peak, unit) : "no sample has a weight";
  if (isOnly) return [["weights", weights], ["beam", ellipse], ["peak", highest]];
  const name = `${correlation} ${(frequency / 1e6).toFixed(3)} MHz`;
  return [[name, peak ? `${highest}; beam ${ellipse}` : highest]];
}

function peakText({ value, ra, dec, pixel }: Peak, unit: string): string {
  return `${value.toPrecision(5)} ${unit} at ${hours(ra)} ${declination(dec)}, pixel ${pixel.join(", ")}`;
}

function beamJson({ major, minor, positionAngle }: MainLobe) {
  return {
    majorArcsec: major / ARCSECOND,
    minorArcsec: minor / ARCSECOND,
    positionAngleDegrees: degrees(positionAngle),
  };
}

function namesOf(planes: readonly PlaneFacts[]): string {
  return [...new Set(planes.map(({ correlation }) => correlation))].join(",");
}

function weightingText(weighting: ImageWeighting): string {
  return typeof weighting === "object" ? `briggs:${weighting.briggs}` : weighting;
}

/** The facts that people read. */
function rowsOf({ planes, grid, longest, observation, weighting }: ImageInputs): [string, string][] {
  const [nx, ny] = grid.pixels, cell = grid.cell[1];
  const [ra, dec] = observation.field.phaseCentre, [, bands] = countsOf(planes);
  return [
    [
      "image",
      `${nx} × ${ny} pixels of ${angleText(cell)}, ${angleText(nx * cell)} × ${angleText(ny * cell)}`,
    ],
    ["correlation", namesOf(planes)],
    ...(bands === 1
      ? []
      : [["bands", `${bands} of ${observation.frequencies.length / bands} channels`] as [string, string]]),
    ["centre", `${hours(ra)} ${declination(dec)}`],
    ["longest", `baseline of ${Number(longest.toPrecision(6))} m`],
    ["weighting", weightingText(weighting)],
  ];
}
