/**
 * Writes NeXus: an `NXentry` with one `NXdata`, whose attributes `signal` and `axes` say what is plotted over what.
 *
 * @module
 */

import { type Hdf5Array, type Hdf5Group, hdf5Head } from "../hdf5/head.ts";
import { MEASURED } from "../losses.ts";
import {
  axisNames,
  type FramesToWrite,
  hasNumbers,
  plainLayout,
  positionsOf,
  type RowTarget,
} from "./layout.ts";

/** NeXus. */
export const nexusTarget: RowTarget = {
  id: "nexus",
  title: "NeXus",
  extensions: ["nxs"],
  sides: [],
  keeps: { axes: MEASURED, values: ["unit"] },
  layout: (frames) => plainLayout(hdf5Head(fileOf(frames))),
};

function fileOf({ nav, sig, dtype, axes = [], values, stem }: FramesToWrite): Hdf5Group {
  const shape = [...nav, ...sig];
  const names = axisNames(shape, axes);
  const vectors = shape.map((size, d): [string, Hdf5Array] => {
    const { unit, name } = axes[d] ?? {};
    const attributes = { ...(unit ? { units: unit } : {}), long_name: name ?? names[d]! };
    return [names[d]!, { ...hasNumbers(positionsOf(size, axes[d])), attributes }];
  });
  const indices = names.map((name, d) => [`${name}_indices`, BigInt(d)] as const);
  const own = { long_name: stem, ...(values?.unit ? { units: values.unit } : {}) };
  const data: Hdf5Group = {
    attributes: { NX_class: "NXdata", signal: "data", axes: names, ...Object.fromEntries(indices) },
    members: { data: { shape, dtype, attributes: own }, ...Object.fromEntries(vectors) },
  };
  const entry: Hdf5Group = { attributes: { NX_class: "NXentry", default: "data" }, members: { data } };
  return { attributes: { NX_class: "NXroot", default: "entry", creator: "Tilewise" }, members: { entry } };
}
