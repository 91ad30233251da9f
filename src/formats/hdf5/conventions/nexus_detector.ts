/**
 * What a NeXus group of a detector says, as Dectris writes it: geometry and times.
 *
 * ```
 * …/instrument/detector/x_pixel_size {units}  y_pixel_size  detector_distance  count_time  frame_time  description
 * ```
 *
 * @module
 */

import { type Instrument, known } from "../../../dataset/facts.ts";
import { type PlainValue, readAttributes } from "../metadata/attributes.ts";
import { datasetAt, type Found, type Hdf5Dataset } from "../metadata/objects.ts";
import { plainOf } from "./small_reads.ts";

/** Metres and seconds with the prefix of a unit. */
const UNIT = /^(centi|milli|micro|nano|[cmuµμn])?(m|met(er|re)s?|s|sec(ond)?s?)$/i;
const PREFIXES: Readonly<Record<string, number>> = {
  c: 1e-2,
  centi: 1e-2,
  m: 1e-3,
  milli: 1e-3,
  u: 1e-6,
  µ: 1e-6,
  μ: 1e-6,
  micro: 1e-6,
  n: 1e-9,
  nano: 1e-9,
};

/** How many metres or seconds a unit is; NaN for others. */
function factorOf(unit: string): number {
  const found = UNIT.exec(unit.trim().replace(/^microns?$/i, "um"));
  return found ? PREFIXES[found[1]?.toLowerCase() ?? ""] ?? 1 : NaN;
}

const detectors = new WeakMap<Found, Promise<Instrument>>();

/** The detector of the file, where it has exactly one; looked for once. */
export function detectorOf(found: Found): Promise<Instrument> {
  let detector = detectors.get(found);
  if (!detector) detectors.set(found, detector = findDetector(found));
  return detector;
}

/** Whether an array holds the images of a detector: it lies in the entry of a file with a group of one, as Dectris writes it. */
export function hasDetector({ datasets }: Found, path: string): boolean {
  const [, entry] = /^(.*)\/data\/data(_\d{6})?$/.exec(path) ?? [];
  const group = `${entry}/instrument/detector/`;
  return entry !== undefined && datasets.some((one) => one.path.startsWith(group));
}

/** The groups of detectors: of the class of NeXus for them, or called so. */
function detectorsIn({ datasets, groups }: Found): string[] {
  const named = datasets.flatMap(({ path }) => /^(.*\/instrument\/detector)\/[^/]+$/.exec(path)?.[1] ?? []);
  const classed = [...groups].flatMap(([path, { NX_class: kind }]) => kind === "NXdetector" ? [path] : []);
  return [...new Set([...named, ...classed])];
}

/** The arrays in the only detector of the entry that has the images at `path`; none if it has several. */
function besideImages(found: Found, path: string): Hdf5Dataset[] {
  const [, entry] = /^(.*)\/data\/data(_\d{6})?$/.exec(path) ?? [];
  const [group, ...others] = detectorsIn(found).filter((one) => one.startsWith(`${entry}/`));
  if (entry === undefined || group === undefined || others.length > 0) return [];
  return found.datasets.filter((one) => one.path.startsWith(`${group}/`));
}

/** The path of the mask of bad pixels beside the images of a detector, if there is one of the same size. */
export function maskBeside(found: Found, { path, space }: Hdf5Dataset): string | undefined {
  const frame = space.shape.slice(-2).join();
  return besideImages(found, path).find((one) =>
    one.path.endsWith("/pixel_mask") && one.space.shape.join() === frame
  )?.path;
}

/** What else a detector says of its images: which numbers are no counts, and where it is. */
export async function toldOf(found: Found, array: string): Promise<string[]> {
  const beside = besideImages(found, array);
  const valueOf = async (name: string): Promise<PlainValue> => {
    const one = beside.find(({ path }) => path.endsWith(`/${name}`));
    return one ? await plainOf(one) : null;
  };
  const limits = await Promise.all(LIMITS.map(async (name) => [name, await valueOf(name)] as const));
  const known = limits.flatMap(([name, value]) => typeof value === "number" ? [`${name} ${value}`] : []);
  const place = await valueOf("depends_on");
  return [
    ...(known.length > 0 ? [`Samples beyond ${known.join(", ")} of the detector count as numbers`] : []),
    ...(typeof place === "string" && place !== "." && place !== ""
      ? [`Where the detector is turned and moved to (depends_on ${place}) is not read`]
      : []),
  ];
}

/** Samples below the first or above the others are no counts. */
const LIMITS = ["underload_value", "saturation_value", "count_cutoff", "countrate_correction_count_cutoff"];

async function findDetector(found: Found): Promise<Instrument> {
  const [group, ...others] = detectorsIn(found);
  if (group === undefined || others.length > 0) return {};
  const of = async (name: string) => await valueOf(datasetAt(found, `${group}/${name}`));
  const number = async (name: string) => {
    const value = await of(name);
    return typeof value === "number" ? value : NaN;
  };
  const description = await of("description");
  return known({
    detector: typeof description === "string" ? description : undefined,
    pixelSize: [await number("y_pixel_size"), await number("x_pixel_size")],
    cameraLength: await number("detector_distance"),
    exposure: await number("count_time"),
    frameRate: 1 / await number("frame_time"),
  });
}

/** A scalar; numbers in metres and seconds. */
async function valueOf(dataset: Hdf5Dataset | undefined): Promise<PlainValue> {
  if (!dataset) return null;
  const value = await plainOf(dataset);
  if (typeof value !== "number") return value;
  const { units } = await readAttributes(dataset.file, dataset.messages);
  return typeof units === "string" && units !== "" ? value * factorOf(units) : value;
}
