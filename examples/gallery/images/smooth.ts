/** Smoothed by a Gaussian, tile by tile and without seams. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, gaussian({ sigma: 3 })), "smooth.png");
