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
import { scalarOf } from "./small_reads.ts";

/** Metres and seconds in the units that files have. */
const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  mm: 1e-3,
  um: 1e-6,
  "µm": 1e-6,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
};

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

/** The path of the mask of bad pixels beside the images of a detector, if there is one of the same size. */
export function maskBeside({ datasets }: Found, { path, space }: Hdf5Dataset): string | undefined {
  const [, entry] = /^(.*)\/data\/data(_\d{6})?$/.exec(path) ?? [];
  if (entry === undefined) return undefined;
  const frame = space.shape.slice(-2).join();
  return datasets.find((one) =>
    one.path.startsWith(`${entry}/instrument/detector/`) && one.path.endsWith("/pixel_mask") &&
    one.space.shape.join() === frame
  )?.path;
}

async function findDetector(found: Found): Promise<Instrument> {
  const { datasets } = found;
  const groups = new Set(
    datasets.flatMap(({ path }) => /^(.*\/instrument\/detector)\/[^/]+$/.exec(path)?.[1] ?? []),
  );
  const [group, ...others] = groups;
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
  const value = await scalarOf(dataset);
  if (typeof value !== "number") return value;
  const { units } = await readAttributes(dataset.file, dataset.messages);
  return value * (typeof units === "string" ? UNITS[units] ?? 1 : 1);
}
