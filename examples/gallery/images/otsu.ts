/** Bright and dark parted at the threshold of Otsu. */

import { open, save } from "@tilewise/tilewise";
import { mapViews, otsu, threshold } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
const value = await otsu(image);
await save(await mapViews(image, threshold({ value })), "otsu.png");
