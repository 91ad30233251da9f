/**
 * Writes EMD 1.0, the HDF5 of py4DSTEM and emdfile: one array with a vector of positions per dimension.
 *
 * ```
 * NAME_root/NAME/data   dim0 {name, units} …
 * ```
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

/** EMD. */
export const emdTarget: RowTarget = {
  id: "emd",
  title: "EMD (py4DSTEM)",
  extensions: ["emd"],
  sides: [],
  keeps: { axes: MEASURED, values: ["unit"] },
  layout: (frames) => plainLayout(hdf5Head(fileOf(frames))),
};

function fileOf({ nav, sig, dtype, axes = [], values, stem }: FramesToWrite): Hdf5Group {
  const shape = [...nav, ...sig];
  const names = axisNames(shape, axes);
  const dims = shape.map((size, d): [string, Hdf5Array] => {
    const attributes = { name: names[d]!, units: axes[d]?.unit ?? "pixels" };
    return [`dim${d}`, { ...hasNumbers(positionsOf(size, axes[d])), attributes }];
  });
  const name = stem.replaceAll("/", "-") || "array";
  const array: Hdf5Group = {
    attributes: { emd_group_type: "array", python_class: "Array" },
    members: {
      data: { shape, dtype, attributes: { units: values?.unit ?? "" } },
      ...Object.fromEntries(dims),
    },
  };
  const root: Hdf5Group = {
    attributes: { emd_group_type: "root", python_class: "Root" },
    members: { [name]: array },
  };
  const attributes = {
    emd_group_type: "file",
    version_major: 1n,
    version_minor: 0n,
    authoring_program: "Tilewise",
  };
  return { attributes, members: { [`${name}_root`]: root } };
}
