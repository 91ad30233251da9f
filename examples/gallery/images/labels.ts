/** Every cell with a number of its own: smoothed, parted from the background, labelled. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, labelImage, mapViews, otsu } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
const smooth = await open(await mapViews(image, gaussian({ sigma: 2 })));
const { labels, count } = await labelImage(smooth, { threshold: await otsu(smooth) });
console.log(`${count} cells`);
await save(labels, "labels.png", { colormap: "turbo" });
