/**
 * Opens observations, whatever they are stored in.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../errors.ts";
import { checkOptionNames } from "../options.ts";
import { type ArraysInput, isArrays, openArrays } from "./arrays.ts";
import { type Observation, OBSERVATION_OPTIONS, type ObservationOptions } from "./observation.ts";

/**
 * Opens an observation: the folder of a Measurement Set, a Measurement Set of version 4 (`.zarr`), a UVH5 or UVFITS file, or
 * arrays in memory. Dispose of it when it is no longer used.
 *
 * @param source a path or URL, or arrays
 * @param options which field, spectral window and visibilities
 * @returns the observation, to be disposed of
 *
 * @example
 * ```ts
 * import { openObservation } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 * await using observation = await openObservation({
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9, 5e9 + 10],
 *   antenna1: [0, 0],
 *   antenna2: [1, 1],
 *   uvw: [3, 4, 0, 4, 3, 0],
 * });
 * assertEquals([observation.rows, [...observation.times]], [2, [5e9, 5e9 + 10]]);
 * assertEquals([...await observation.uvw(1, 2)], [4, 3, 0]);
 * ```
 * @category Observations
 */
export async function openObservation(
  source: string | URL | ArraysInput,
  options: ObservationOptions = {},
): Promise<Observation> {
  checkOptionNames("openObservation()", options, OBSERVATION_OPTIONS);
  if (isArrays(source)) return await openArrays(source);
  const path = String(source);
  if (/\.(uvh5|h5|hdf5)$/i.test(path.replace(/[?#].*$/, ""))) {
    const { openUvh5 } = await import("./uvh5.ts");
    return await openUvh5(path, options);
  }
  if (/\.(uvfits|uvf|fits|fit|fts)$/i.test(path.replace(/[?#].*$/, ""))) {
    const { openUvfits } = await import("./uvfits.ts");
    return await openUvfits(path, options);
  }
  if (/\.zarr\/?$/i.test(path)) return await asMsv4(path, options);
  const { openMeasurementSet } = await import("./measurement_set.ts");
  try {
    return await openMeasurementSet(path, options);
  } catch (error) {
    const main = `${path.replace(/\/+$/, "")}/table.dat`;
    const isNone = isTilewiseError(error, "not-found") && error.details.file === main;
    if (!isNone) throw error;
    return await asMsv4(path, options).catch((other: unknown) => {
      throw isTilewiseError(other, "unknown-format") || isFile(error) ? noObservation(path, error) : other;
    });
  }
}

/** Whether nothing can lie in a path, because a file has its name. */
function isFile({ details: { found } }: TilewiseError): boolean {
  return found === "ENOTDIR";
}

function noObservation(path: string, cause: TilewiseError): TilewiseError {
  const reason = isFile(cause)
    ? "it is a file, which does not end with .uvh5 or .uvfits; Measurement Sets are folders"
    : "it has neither table.dat nor the documents of Zarr, and does not end with .uvh5 or .uvfits";
  const text = `Cannot open ${path} as an observation: ${reason}`;
  return new TilewiseError("unknown-format", text, { file: path }, { cause });
}

async function asMsv4(path: string, options: ObservationOptions): Promise<Observation> {
  const { openMsv4 } = await import("./msv4.ts");
  return await openMsv4(path, options);
}
