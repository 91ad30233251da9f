/** The histogram of an image as a picture. */

import { open, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { histogramOf } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
const { counts } = await histogramOf(image, { bins: 128 });
const most = counts.reduce((a, b) => Math.max(a, b));
const bars = Uint8Array.from({ length: 64 * 128 }, (_, i) => {
  return counts[i % 128]! * 64 / most > 63 - Math.floor(i / 128) ? 255 : 0;
});
await save(ndarray(bars, [64, 128], "uint8"), "histogram.png", { colormap: "gray" });
