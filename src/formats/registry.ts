/**
 * The registry of formats, in the order in which they are asked; the only file that names them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { blo } from "./blo.ts";
import { dm } from "./dm.ts";
import { empad } from "./empad.ts";
import type { Format } from "./format.ts";
import { frms6 } from "./frms6.ts";
import { hdf5 } from "./hdf5/format.ts";
import { k2is } from "./k2is.ts";
import { mib } from "./mib.ts";
import { mrc } from "./mrc.ts";
import { npy } from "./npy.ts";
import { raw } from "./raw.ts";
import { rawCsr } from "./raw_csr.ts";
import { ripple } from "./ripple.ts";
import { seq } from "./seq.ts";
import { ser } from "./ser.ts";
import { tvips } from "./tvips.ts";

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
  tvips,
  seq,
  frms6,
  empad,
  ripple,
  rawCsr,
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
