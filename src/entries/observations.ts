/**
 * Observations of radio interferometers, and models of the sky: what predictions and images are made from.
 *
 * @example What was observed, and visibilities of some rows as an input of a hypercube
 * ```ts
 * import { openObservation, readSky } from "@tilewise/tilewise/observations";
 * import { assertEquals } from "@std/assert";
 *
 * await using observation = await openObservation({ // or "3c286.ms", or "zen.uvh5"
 *   antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
 *   frequencies: [1.4e9, 1.5e9],
 *   correlations: ["XX", "YY"],
 *   phaseCentre: [0.1, -0.5],
 *   time: [5e9, 5e9 + 10],
 *   antenna1: [0, 0],
 *   antenna2: [1, 1],
 *   uvw: [3, 4, 0, 4, 3, 0],
 *   visibility: new Float32Array(2 * 2 * 2 * 2),
 * });
 * assertEquals(observation.visibility?.shape, [2, 2, 2]); // rows, channels, correlations
 * const sky = await readSky(new TextEncoder().encode("Name,Ra,Dec,I\nsource,00:22:55,-28.38.52,1.5\n"));
 * assertEquals(sky.points[0]?.stokes, [1.5, 0, 0, 0]);
 * ```
 *
 * @module
 */

export type { ArraysInput } from "../observations/open.ts";
export type { Field, Observation, ObservationOptions } from "../observations/observation.ts";
export { openObservation } from "../observations/open.ts";
export { readSky, type ReadSkyOptions } from "../skies/read.ts";
export type { Sky } from "../skies/component.ts";
