/**
 * HDF5 and what is built on it: NeXus, HyperSpy, EMD, py4DSTEM, Dectris. Every array of numbers is a data set.
 *
 * @module
 */

import type { Format, Probe } from "../common/format.ts";
import { extensionOf } from "../../io/file/names.ts";
import { findSignature } from "./metadata/signature.ts";

const EXTENSIONS = ["h5", "hdf5", "hspy", "nxs", "emd", "de5"];

/** HDF5 files. */
export const hdf5: Format = {
  id: "hdf5",
  title: "HDF5",
  extensions: EXTENSIONS,
  detect: async (probe) =>
    await isHdf5(probe)
      ? { claim: "yes", why: "has the signature of HDF5, \\x89HDF" }
      : { claim: "no", why: "has no HDF5 signature" },
};

/** Searches behind user blocks of any size, but not in files without an HDF5 name. */
async function isHdf5(probe: Probe): Promise<boolean> {
  const size = EXTENSIONS.includes(extensionOf(probe.name)) ? probe.size : 0;
  return await findSignature(probe.head, size, (at, most) => probe.bytesAt(at, most)) !== undefined;
}
