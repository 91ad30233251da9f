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
import { targetNamed } from "../registry.ts";
import { dimensionsOf, measuredKinds, vectorsKept } from "./dimensions.ts";
import { type FramesToWrite, plainLayout, type RowTarget } from "./layout.ts";

/** EMD. */
export const emdTarget: RowTarget = {
  ...targetNamed("emd"),
  keeps: { axes: vectorsKept, kinds: measuredKinds, values: ["unit"] },
  layout: (frames) => plainLayout(hdf5Head(fileOf(frames))),
};

function fileOf(frames: FramesToWrite): Hdf5Group {
  const { dtype, values, stem } = frames, { shape, dimensions } = dimensionsOf(frames);
  const dims = dimensions.map(({ name, axis, positions }, d): [string, Hdf5Array] => {
    const attributes = { name: axis.name ?? name, units: axis.unit ?? "pixels" };
    return [`dim${d}`, { ...positions, attributes }];
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
