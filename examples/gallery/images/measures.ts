/** A table of cells, and a picture in which each has the colour of its area. */

import { open, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { gaussian, labelImage, mapViews, measure, otsu } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
const smooth = await open(await mapViews(image, gaussian({ sigma: 2 })));
const { labels } = await labelImage(smooth, { threshold: await otsu(smooth) });
const { area, mean } = await measure(await open(labels), image);
console.log("area in µm²:", [...area].slice(0, 5).map((samples) => samples * 0.25 ** 2), mean?.slice(0, 5));

const areas = Float32Array.from(labels.data, (label) => (label === 0 ? 0 : area[label - 1]!));
await save(ndarray(areas, labels.shape, "float32"), "measures.png", { colormap: "viridis" });
