/**
 * Writes NeXus: an `NXentry` with one `NXdata`, whose attributes `signal` and `axes` say what is plotted over what.
 *
 * @module
 */

import { type Hdf5Array, type Hdf5Group, hdf5Head } from "../hdf5/head.ts";
import { targetNamed } from "../registry.ts";
import { dimensionsOf, measuredKinds, namedVectorsKept } from "./dimensions.ts";
import { type FramesToWrite, plainLayout, type RowTarget } from "./layout.ts";

/** NeXus. */
export const nexusTarget: RowTarget = {
  ...targetNamed("nexus"),
  keeps: { axes: namedVectorsKept, kinds: measuredKinds, values: ["unit"] },
  layout: (frames) => plainLayout(hdf5Head(fileOf(frames))),
};

function fileOf(frames: FramesToWrite): Hdf5Group {
  const { dtype, values, stem } = frames, { shape, dimensions } = dimensionsOf(frames);
  const names = dimensions.map(({ name }) => name);
  const vectors = dimensions.map(({ name, axis, positions }): [string, Hdf5Array] => {
    const attributes = { ...(axis.unit ? { units: axis.unit } : {}), long_name: axis.name ?? name };
    return [name, { ...positions, attributes }];
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
