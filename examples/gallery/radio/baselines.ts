/** Where an observation has samples: u and v of all rows, and of their mirror images. */

import { save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { openObservation } from "@tilewise/tilewise/observations";

await using observation = await openObservation("radio/day.zarr");
const uvw = await observation.uvw(0, observation.rows);
const longest = Math.max(...uvw.map(Math.abs));

const SIDE = 256;
const counts = new Float64Array(SIDE * SIDE);
const place = (metres: number) => Math.round(SIDE / 2 + metres / longest * (SIDE / 2 - 2));
for (let i = 0; i < uvw.length; i += 3) {
  for (const sign of [1, -1]) counts[place(-sign * uvw[i + 1]!) * SIDE + place(sign * uvw[i]!)]! += 1;
}
await save(ndarray(counts.map(Math.sqrt), [SIDE, SIDE], "float64"), "baselines.png");
