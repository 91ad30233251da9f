/** An eighth of the size: means of 8 × 8 samples, which are read once. */

import { open, save } from "@tilewise/tilewise";
import { downSample, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
const small = await mapViews(image, downSample({ factor: 8 }));
console.log(small.axes?.[0]?.scale); // 2 µm
await save(small, "smaller.png");
