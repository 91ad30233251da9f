/**
 * The readers of formats by their ids. A reader is loaded when a source of its format is opened: whoever says the format loads
 * nothing of the others.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { Reader } from "./common/format.ts";

/** Loads the reader of each format: a module that exports `open`, with the name of its folder. */
// deno-fmt-ignore: written by `deno task build`
const READERS: Readonly<Record<string, () => Promise<Reader>>> = {
  blo: () => import("./blo/reader.ts"),
  casacore: () => import("./casacore/reader.ts"),
  dm: () => import("./dm/reader.ts"),
  empad: () => import("./empad/reader.ts"),
  fits: () => import("./fits/reader.ts"),
  frms6: () => import("./frms6/reader.ts"),
  hdf5: () => import("./hdf5/reader.ts"),
  k2is: () => import("./k2is/reader.ts"),
  mib: () => import("./mib/reader.ts"),
  mrc: () => import("./mrc/reader.ts"),
  npy: () => import("./npy/reader.ts"),
  raw: () => import("./raw/reader.ts"),
  raw_csr: () => import("./raw/csr.ts"),
  ripple: () => import("./ripple/reader.ts"),
  seq: () => import("./seq/reader.ts"),
  ser: () => import("./ser/reader.ts"),
  tiff: () => import("./tiff/reader.ts"),
  tvips: () => import("./tvips/reader.ts"),
  zarr: () => import("./zarr/reader.ts"),
};

/** How to load the reader of the format `id`; `invalid` if no format has that name. */
export function readerOf(id: string): () => Promise<Reader> {
  const load = Object.hasOwn(READERS, id) ? READERS[id] : undefined;
  if (load) return load;
  const known = Object.keys(READERS).join(", ");
  throw new TilewiseError("invalid", `There is no format "${id}"; there are ${known}`, {
    option: "format",
    found: id,
  });
}
