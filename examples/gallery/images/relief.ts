/** A formula of neighbours, compiled: light from the upper left. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, mapViews, viewExpression } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await save(
  await mapViews(image, [gaussian({ sigma: 2 }), viewExpression("x[1,1] - x[-1,-1]")]),
  "relief.png",
);
