/** Brighter than the mean around: right where one threshold for all of the image is not. */

import { open, save } from "@tilewise/tilewise";
import { localThreshold, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, localThreshold({ radius: 20, offset: -40 })), "local_threshold.png");
