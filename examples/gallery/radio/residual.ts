/** What a list of sources does not explain: their visibilities are predicted, taken away, and the rest is imaged. */

import { save } from "@tilewise/tilewise";
import { openObservation, readSky } from "@tilewise/tilewise/observations";
import { dirtyImage } from "@tilewise/tilewise/rime";
import { compare } from "@tilewise/tilewise/unstable/rime";

await using observation = await openObservation("radio/day.zarr");
const sky = await readSky("radio/found.csv");
const { residual, chiSquared } = await compare(sky, observation);
console.log(`χ² is ${chiSquared}`);

const { rows, frequencies: frequency, convention } = observation;
const uvw = await observation.uvw(0, rows);
const visibilities = new Float64Array(rows * frequency.length * 2); // of XX, the first of four correlations
for (let i = 0; i < visibilities.length; i++) visibilities[i] = residual.data[8 * (i >> 1) + (i & 1)]!;

const cell = 4.5 * Math.PI / 180 / 3600;
const grid = { pixels: [160, 160], cell: [-cell, cell] } as const;
const { image } = await dirtyImage({ uvw, frequency, visibilities }, grid, { convention });
await save(image, "residual.png", { percentile: [1, 99.9] });
