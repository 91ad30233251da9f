/**
 * The registry of formats, in the order in which they are asked; this file is the only one that names them.
 *
 * @module
 */

import { blo } from "./blo/format.ts";
import { casacore } from "./casacore/format.ts";
import { dm } from "./dm/format.ts";
import { empad } from "./empad/format.ts";
import type { Format } from "./common/format.ts";
import { fits } from "./fits/format.ts";
import { frms6 } from "./frms6/format.ts";
import { hdf5 } from "./hdf5/format.ts";
import { k2is } from "./k2is/format.ts";
import { mib } from "./mib/format.ts";
import { mrc } from "./mrc/format.ts";
import { npy } from "./npy/format.ts";
import { raw, rawCsr } from "./raw/format.ts";
import { ripple } from "./ripple/format.ts";
import { seq } from "./seq/format.ts";
import { ser } from "./ser/format.ts";
import { tiff } from "./tiff/format.ts";
import { tvips } from "./tvips/format.ts";
import { zarr } from "./zarr/format.ts";

/** Every format. `raw` is last: anything could be that. */
export const FORMATS: readonly Format[] = [
  npy,
  mib,
  hdf5,
  k2is,
  dm,
  ser,
  blo,
  mrc,
  tiff,
  tvips,
  fits,
  seq,
  frms6,
  empad,
  ripple,
  rawCsr,
  zarr,
  casacore,
  raw,
];

/** The full name of the format `id`. */
export function titleOf(id: string): string {
  return FORMATS.find((format) => format.id === id)?.title ?? id;
}
