/** An uneven background taken away: what is brighter than its surroundings and narrow. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, mapViews, whiteTopHat } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(
  await mapViews(image, [gaussian({ sigma: 1, dtype: "uint16" }), whiteTopHat({ radius: 18 })]),
  "background.png",
);
