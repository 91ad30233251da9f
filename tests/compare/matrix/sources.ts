/**
 * Sources of every readable format: small files of the tests, samples beside the checkout, and those that others make here.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { Dataset } from "../../../src/dataset/dataset.ts";
import { openAll } from "../../../src/formats/open.ts";
import type { OpenOptions } from "../../../src/formats/open.ts";
import {
  flagsOf,
  FOLDER,
  formatIdOf,
  optionsOf,
  pathOf,
  READABLE,
  TIFFS,
} from "../../formats/conformance/samples.ts";

/** One array of a file. */
export interface Source {
  /** Name for people. */
  readonly name: string;
  readonly path: string;
  /** Format that reads it. */
  readonly format: string;
  readonly options: OpenOptions;
  /** The same as flags of the command line. */
  readonly flags: readonly string[];
}

/** A file, and what must be said to open it. */
export interface File {
  readonly path: string;
  /** Formats that may read it. */
  readonly formats: readonly string[];
  readonly options?: OpenOptions;
  readonly flags?: readonly string[];
}

/** Small files that lie in the tests; the first of a format stand for it in the gate. */
export const OWN_FILES: readonly File[] = Object.entries({
  hdf5: [
    "axes/nion.h5",
    "axes/uneven.hspy",
    "axes/signal_first.hspy",
    "axes/velox_eels.emd",
    "meaning/units.h5",
    "hdf5/py4dstem.h5",
    "hdf5/velox.h5",
  ],
  zarr: ["zarr/ome05.zip", "zarr/ome04.zip", "axes/uneven.zspy.zip", "zarr/v2.zip", "zarr/v3.zip"],
  fits: ["fits/cube.fits", "fits/plain.fits"],
  raw_csr: ["raw_csr/scan.toml"],
  casacore: ["casacore/standard_little", "casacore/tiled_cell"],
  tiff: ["tiff/little.tif"],
}).flatMap(([format, files]) =>
  files.map((file) => ({
    path: fromFileUrl(new URL(`../../data/${file}`, import.meta.url)),
    formats: [format],
  }))
);

/** Samples that lie beside the checkout. */
export const SAMPLE_FILES: readonly File[] = [...READABLE, ...TIFFS.filter(({ expect }) => expect === "read")]
  .map((entry) => ({
    path: pathOf(entry),
    formats: [formatIdOf(entry)],
    options: optionsOf(entry),
    flags: flagsOf(entry),
  }));

/** Files with axes that are described well, in the reports beside the checkout. */
export function reportFiles(): File[] {
  const folder = fromFileUrl(new URL("../reports/", FOLDER));
  return ["em", "bio/in"].flatMap((name) => [...filesIn(`${folder}${name}`)]).map((path) => ({
    path,
    formats: [],
  }));
}

const ENDINGS = /\.(hspy|zspy|emd|nxs|h5|hdf5|de5|dm3|dm4|mrc|tiff?|zarr|ndata1|blo|mib|ser|xml|rpl|zip)$/i;

function* filesIn(folder: string): Generator<string> {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return;
  }
  for (const { name, isDirectory } of entries) {
    const path = `${folder}/${name}`;
    if (ENDINGS.test(name)) yield path;
    else if (isDirectory) yield* filesIn(path);
  }
}

/** How many arrays of a file, how large, and which. */
interface Limits {
  readonly most: number;
  readonly bytes: number;
  readonly isMeant?: (dataset: Dataset) => boolean;
}

/** Arrays of a file that are at most so large: those that a file shows by itself. */
export async function sourcesIn(
  { path, options = {}, flags = [] }: File,
  { most, bytes, isMeant = () => true }: Limits,
): Promise<Source[]> {
  const found = await openAll(path, options).catch(() => []);
  const shown = found.filter((one) =>
    one.level === 0 && !one.auxiliary && one.byteLength <= bytes && isMeant(one)
  );
  return shown.slice(0, most).map(({ array, detection }) => ({
    name: `${path.split("/").slice(-2).join("/")}${array === "" ? "" : ` ${array}`}`,
    path,
    format: detection.format,
    options: { ...options, ...(array === "" ? {} : { array }) },
    flags: [...flags, ...(array === "" ? [] : ["--array", array])],
  }));
}

/** Bytes of an array at most, as it is part of every change; where a format has none, a larger one. */
const LIMITS = [2 ** 18, 2 ** 20, 2 ** 24];

/** The first small array of a format, of those that `isMeant`. */
export async function firstOf(
  files: readonly File[],
  id: string,
  isMeant: (dataset: Dataset) => boolean = () => true,
): Promise<Source | undefined> {
  for (const bytes of LIMITS) {
    for (const file of files) {
      const found = (await sourcesIn(file, { most: 1, bytes, isMeant })).find(({ format }) => format === id);
      if (found) return found;
    }
  }
  return undefined;
}
