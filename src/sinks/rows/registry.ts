/**
 * The targets of files of rows, by their names in the table of all files; each is loaded when it is asked for.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { RowId } from "../registry.ts";
import type { RowTarget } from "./layout.ts";

const BY_ID: Readonly<Record<RowId, () => Promise<RowTarget>>> = {
  npy: async () => (await import("./npy.ts")).npyTarget,
  hspy: async () => (await import("./hyperspy.ts")).hyperspyTarget,
  emd: async () => (await import("./emd.ts")).emdTarget,
  nexus: async () => (await import("./nexus.ts")).nexusTarget,
  fits: async () => (await import("./fits.ts")).fitsTarget,
  raw: async () => (await import("./raw.ts")).rawTarget,
  mib: async () => (await import("./mib.ts")).mibTarget,
  empad: async () => (await import("./empad.ts")).empadTarget,
  tiff: async () => (await import("./tiff.ts")).tiffStack,
};

/** The kind of file of that name. */
export async function rowTarget(id: string): Promise<RowTarget> {
  if (Object.hasOwn(BY_ID, id)) return await BY_ID[id as RowId]();
  throw new TilewiseError("invalid", `There is no kind of file "${id}" that frames are written to`, {
    found: id,
  });
}
