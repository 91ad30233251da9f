/** How rough an image is: the deviation in a window around each sample. */

import { open, save } from "@tilewise/tilewise";
import { localDeviation, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, localDeviation({ radius: 3 })), "texture.png", { colormap: "inferno" });
