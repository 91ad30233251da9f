/** Edges: smoothed, then the size of the gradient, in one pass. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, mapViews, sobel } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, [gaussian({ sigma: 1.5 }), sobel()]), "edges.png", { colormap: "magma" });
