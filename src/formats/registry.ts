/**
 * The registry of formats, in the order in which they are asked; the only file that names them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { blo } from "./blo.ts";
import { casacore } from "./casacore/format.ts";
import { dm } from "./dm/format.ts";
import { empad } from "./empad.ts";
import type { Format } from "./common/format.ts";
import { fits } from "./fits/format.ts";
import { frms6 } from "./frms6/format.ts";
import { hdf5 } from "./hdf5/format.ts";
import { k2is } from "./k2is/format.ts";
import { mib } from "./mib/format.ts";
import { mrc } from "./mrc/format.ts";
import { npy } from "./npy/format.ts";
import { raw } from "./raw/format.ts";
import { rawCsr } from "./raw/csr.ts";
import { ripple } from "./ripple.ts";
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

/** The format `id`; `invalid` if there is none of that name. */
export function formatOf(id: string): Format {
  const found = FORMATS.find((format) => format.id === id);
  if (found) return found;
  const known = FORMATS.map((format) => format.id).join(", ");
  throw new TilewiseError("invalid", `There is no format "${id}"; there are ${known}`, {
    option: "format",
    found: id,
  });
}
