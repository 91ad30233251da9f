/** Details made stronger. */

import { open, save } from "@tilewise/tilewise";
import { mapViews, unsharp } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(await mapViews(image, unsharp({ sigma: 3, amount: 2 })), "sharper.png", { percentile: [1, 99] });
