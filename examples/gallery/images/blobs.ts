/** Blobs of a size: the Laplacian of a Gaussian, negative where something as wide is bright. */

import { open, save } from "@tilewise/tilewise";
import { laplacianOfGaussian, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, laplacianOfGaussian({ sigma: 6 })), "blobs.png", { symmetric: true });
