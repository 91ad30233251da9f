/**
 * The targets of files of rows, by their names in the table of all files.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { mustBeTarget, type RowId } from "../registry.ts";
import { emdTarget } from "./emd.ts";
import { empadTarget } from "./empad.ts";
import { fitsTarget } from "./fits.ts";
import { hyperspyTarget } from "./hyperspy.ts";
import { mibTarget } from "./mib.ts";
import { nexusTarget } from "./nexus.ts";
import { npyTarget } from "./npy.ts";
import { rawTarget } from "./raw.ts";
import { tiffStack } from "./tiff.ts";
import type { RowTarget } from "./layout.ts";

const BY_ID: Readonly<Record<RowId, RowTarget>> = {
  npy: npyTarget,
  hspy: hyperspyTarget,
  emd: emdTarget,
  nexus: nexusTarget,
  fits: fitsTarget,
  raw: rawTarget,
  mib: mibTarget,
  empad: empadTarget,
  tiff: tiffStack,
};

/** Every kind of file. */
export const ROW_TARGETS: readonly RowTarget[] = Object.values(BY_ID);

/** The kind of file for a path; `unsupported` if there is none. */
export function rowTargetOf(path: string): RowTarget {
  return rowTargetById(mustBeTarget(path, "frames").id);
}

/** The kind of file of that name. */
export function rowTargetById(id: string): RowTarget {
  const found = ROW_TARGETS.find((target) => target.id === id);
  if (found) return found;
  throw new TilewiseError("invalid", `There is no kind of file "${id}" that frames are written to`, {
    found: id,
  });
}
