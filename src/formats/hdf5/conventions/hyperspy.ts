/**
 * Axes of HyperSpy: a group for each dimension, which says whether it is navigation or signal. Axes with uneven steps have an
 * array of their positions.
 *
 * ```
 * …/data  …/axis-0 {name scale offset units navigate}  …/axis-1 {name units navigate}  …/axis-1/axis
 *         …/metadata/Acquisition_instrument/TEM {beam_energy …}
 * ```
 *
 * @module
 */

import type { SaidAxis } from "../../../dataset/said_axes.ts";
import { signalDimensions } from "../../common/kinds.ts";
import { axesOfSignal, kindsBySignal, kindsByUnit } from "../../../space/meaning/said_kinds.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import type { Attributes } from "../metadata/attributes.ts";
import { datasetAt, type Found } from "../metadata/objects.ts";
import { smallNumbers } from "./small_reads.ts";
import { named, unit } from "./units.ts";

/** The axes of the array at `path` with `count` dimensions; `undefined` if HyperSpy has not written it. */
export async function hyperspyAxes(
  path: string,
  count: number,
  found: Found,
): Promise<SaidAxis[] | undefined> {
  const parent = path.replace(/\/[^/]*$/, "");
  const groups: Attributes[] = [];
  const next = () => found.groups.get(`${parent}/axis-${groups.length}`);
  for (let group = next(); group; group = next()) groups.push(group);
  if (groups.length === 0 || groups.length !== count && path !== `${parent}/data`) return undefined;
  const axes = await Promise.all(
    groups.map((group, d) => axisOf(group, `${parent}/axis-${d}/axis`, found)),
  );
  const isSaid = groups.every(({ navigate }) => typeof navigate === "boolean");
  if (!isSaid) return kindsByUnit(axes);
  const { signal_type: type } = found.groups.get(`${parent}/metadata/Signal`) ?? {};
  const signal = groups.map(({ navigate }) => !navigate);
  return kindsBySignal(axesOfSignal(axes, signal, type), signal);
}

/** The dimensions that HyperSpy calls a signal, with those of records. */
export function hyperspySignal({ dataset, shape }: Hdf5Array, { groups }: Found): number[] | undefined {
  const parent = dataset.path.replace(/\/[^/]*$/, ""), own = dataset.space.shape.length;
  return signalDimensions(shape.map((_, d) => d < own ? groups.get(`${parent}/axis-${d}`)?.navigate : false));
}

async function axisOf(
  { name, scale, offset, units, size }: Attributes,
  path: string,
  found: Found,
): Promise<SaidAxis> {
  const own = { ...named(name), ...unit(units), ...(typeof size === "number" ? { size } : {}) };
  const values = datasetAt(found, path);
  const positions = values && await smallNumbers(values);
  if (positions) return { ...own, positions };
  if (typeof scale !== "number" || typeof offset !== "number") return own;
  const isPlain = scale === 1 && offset === 0 && !units; // what HyperSpy writes without a calibration
  return isPlain || (scale === 1 && offset === 0 && own.unit === undefined)
    ? { ...own, ...named(name) }
    : { ...own, scale, offset };
}
