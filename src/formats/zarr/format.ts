/**
 * Zarr, versions 2 and 3, with OME-Zarr and HyperSpy's zspy: every array of numbers is a data set.
 *
 * @module
 */

import type { Format, Match, Probe } from "../common/format.ts";
import { MARKS } from "../common/store_input.ts";
import { namesInZip } from "../common/zip_names.ts";

/** Zarr stores. */
export const zarr: Format = {
  id: "zarr",
  title: "Zarr",
  extensions: ["zarr", "zspy", "zip"],
  detect,
};

async function detect(probe: Probe): Promise<Match> {
  if (probe.store) return { claim: "yes", why: `has ${probe.store.mark}, which Zarr stores have` };
  if (MARKS.includes(probe.name)) return { claim: "yes", why: `is called ${probe.name}, as in Zarr stores` };
  const names = await namesInZip(probe);
  if (!names) return { claim: "no", why: "is not a Zarr store" };
  const mark = MARKS.find((own) => names.some((name) => name.replace(/^.*\//, "") === own));
  return mark
    ? { claim: "yes", why: `is a zip archive with ${mark}` }
    : { claim: "no", why: "is a zip archive without the documents of Zarr" };
}
