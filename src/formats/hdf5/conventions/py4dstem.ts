/**
 * The calibration that py4DSTEM keeps beside its arrays: sizes of pixels in the scan and in the diffraction pattern.
 *
 * ```
 * …/metadatabundle/calibration/R_pixel_size  R_pixel_units  Q_pixel_size  Q_pixel_units     values, or attributes
 * ```
 *
 * @module
 */

import type { Hdf5Array } from "../arrays/arrays.ts";
import type { PlainValue } from "../metadata/attributes.ts";
import { datasetAt, type Found } from "../metadata/objects.ts";
import { scalarOf } from "./small_reads.ts";

/** Step and unit of the scan or of a pattern. */
export interface Calibration {
  /** From one pixel to the next. */
  readonly scale: number;
  /** As the file spells it. */
  readonly units: PlainValue;
  /** What the axis counts. */
  readonly kind: "scan" | "detector";
}

const calibrations = new WeakMap<Found, readonly string[]>();

/** Paths of the groups of calibrations. */
function calibrationsIn(found: Found): readonly string[] {
  const known = calibrations.get(found);
  if (known) return known;
  const paths = [...found.groups.keys(), ...found.datasets.map(({ path }) => path.replace(/\/[^/]*$/, ""))];
  const own = [...new Set(paths.filter((path) => path.endsWith("/calibration")))];
  calibrations.set(found, own);
  return own;
}

/** The calibration of each dimension of `array`, if there is one. Only scans of patterns have one. */
export async function calibrationOf(
  { dataset, shape }: Hdf5Array,
  walked: Found,
): Promise<(Calibration | undefined)[] | undefined> {
  if (shape.length !== 4) return undefined;
  const found = calibrationsIn(walked);
  const top = `${dataset.path.split("/", 2).join("/")}/`;
  const beside = found.filter((path) => path.startsWith(top));
  const [group, ...others] = beside.length > 0 ? beside : found;
  if (group === undefined || others.length > 0) return undefined;
  const value = async (name: string): Promise<PlainValue> => {
    const one = datasetAt(walked, `${group}/${name}`);
    return one ? await scalarOf(one) : walked.groups.get(group)?.[name] ?? null;
  };
  const of = async (space: "R" | "Q"): Promise<Calibration | undefined> => {
    const scale = await value(`${space}_pixel_size`);
    if (typeof scale !== "number") return undefined;
    const kind = space === "R" ? "scan" : "detector";
    return { scale, units: await value(`${space}_pixel_units`), kind };
  };
  const [scan, pattern] = [await of("R"), await of("Q")];
  return scan || pattern ? [scan, scan, pattern, pattern] : undefined;
}
