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

import { type AxisFacts, factsOf } from "../../../space/axes.ts";
import { kindsBySignal, kindsByUnit } from "../../common/kinds.ts";
import type { Attributes } from "../metadata/attributes.ts";
import { datasetAt, type Found } from "../metadata/objects.ts";
import { smallNumbers } from "./small_reads.ts";
import { named, unit } from "./units.ts";

/** The axes of an array with `count` dimensions in the group `parent`; `undefined` if HyperSpy has not written it. */
export async function hyperspyAxes(
  parent: string,
  count: number,
  found: Found,
): Promise<AxisFacts[] | undefined> {
  const groups = Array.from({ length: count }, (_, d) => found.groups.get(`${parent}/axis-${d}`));
  if (count === 0 || groups.some((group) => group === undefined)) return undefined;
  const axes = await Promise.all(
    groups.map((group, d) => axisOf(group!, `${parent}/axis-${d}/axis`, found)),
  );
  const isSaid = groups.every((group) => typeof group!.navigate === "boolean");
  return isSaid ? kindsBySignal(axes, groups.map((group) => !group!.navigate)) : kindsByUnit(axes);
}

async function axisOf(
  { name, scale, offset, units }: Attributes,
  path: string,
  found: Found,
): Promise<AxisFacts> {
  const own = { ...named(name), ...unit(units) };
  const values = datasetAt(found, path);
  if (values) return factsOf({ ...own, positions: await smallNumbers(values) });
  if (typeof scale !== "number" || typeof offset !== "number") return own;
  const isPlain = scale === 1 && offset === 0 && !units; // what HyperSpy writes without a calibration
  return isPlain || (scale === 1 && offset === 0 && own.unit === undefined)
    ? named(name)
    : { ...own, scale, offset };
}
