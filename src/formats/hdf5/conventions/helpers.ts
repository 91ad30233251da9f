/**
 * Which arrays of an HDF5 file only describe others: axes, masks of the detector, metadata stored as bytes. They may be
 * larger than the images that the user wants.
 *
 * @module
 */

import type { Hdf5Array } from "../arrays/arrays.ts";
import type { Found } from "../metadata/objects.ts";

/** Groups of HyperSpy, py4DSTEM and Dectris in which nothing is an image of the experiment. */
const HELPER_GROUPS =
  /\/(metadata|original_metadata|mapped_parameters|original_parameters|learning_results|metadatabundle|calibration|_metadata|detectorSpecific|axis-\d+)\//;

/** Names of what belongs to a detector or an axis. */
const HELPER_NAMES = /^(dim\d+|pixel_?mask|flat_?field|bad_?pixels?|gain_?map|dark_?(frame|reference))$/i;

/** Arrays of Velox, of which `Data` is the one with the images. */
const VELOX = /^\/Data\/[^/]+\/[^/]+\/(?!Data$)[^/]+$/;

/** The arrays of `arrays` that describe others; none if no other arrays would be left. */
export function helpersOf(arrays: readonly Hdf5Array[], { groups, datasets }: Found): ReadonlySet<Hdf5Array> {
  const paths = new Set(arrays.map(({ dataset }) => dataset.path));
  const isThere = (path: string) => paths.has(path);
  const all = new Set(datasets.map(({ path }) => path)); // also those that are not read
  const mostDims = arrays.reduce((most, { dataset }) => Math.max(most, dataset.space.shape.length), 0);
  const helpers = arrays.filter(({ dataset: { path, space } }) => {
    const [, parent, name] = /^(.*)\/([^/]*)$/.exec(path) ?? ["", "", path];
    const { signal, emd_group_type: emd } = groups.get(parent!) ?? {};
    const main = typeof signal === "string" ? signal : emd !== undefined ? "data" : name;
    return (space.shape.length < 2 && mostDims >= 2) || HELPER_GROUPS.test(path) ||
      HELPER_NAMES.test(name!) ||
      (VELOX.test(path) && all.has(`${parent}/Data`)) || (name !== main && isThere(`${parent}/${main}`));
  });
  return new Set(helpers.length < arrays.length ? helpers : []);
}
