/** Noise taken away by medians, which keep edges sharp. */

import { open, save } from "@tilewise/tilewise";
import { mapViews, median } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, median({ radius: 2 })), "median.png");
