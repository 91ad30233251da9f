/** A dirty image of an observation: all channels, Stokes I. */

import { save } from "@tilewise/tilewise";
import { openObservation } from "@tilewise/tilewise/observations";
import { imagePlanes } from "@tilewise/tilewise/rime";

await using observation = await openObservation("radio/day.zarr");
const cell = 4.5 * Math.PI / 180 / 3600;
for await (const { image } of imagePlanes(observation, { pixels: [192, 192], cell: [-cell, cell] })) {
  await save(image, "dirty_image.png", { percentile: [1, 99.9] });
}
