/** A filter of your own, a function of a sample and its neighbours: contours every 150 counts. */

import { open, save } from "@tilewise/tilewise";
import { gaussian, mapViews, perSample, viewFunction } from "@tilewise/tilewise/views";

const level = (value: number) => Math.floor(value / 150);
const contours = viewFunction(
  perSample((at) => (level(at()) === level(at(0, 1)) && level(at()) === level(at(1, 0)) ? 0 : 1)),
  { radius: 1, input: "float32", dtype: "uint8" },
);
const image = await open("cells.ome.tif");
await save(await mapViews(image, [gaussian({ sigma: 3 }), contours]), "filter.png", { colormap: "gray" });
