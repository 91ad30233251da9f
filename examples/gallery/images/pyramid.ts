/** A pyramid as OME-Zarr, for viewers of large images, and its second level read again. */

import { open, read, save } from "@tilewise/tilewise";
import { fileSink, gaussian, mapViews } from "@tilewise/tilewise/views";

const image = await open("cells.ome.tif");
await mapViews(image, gaussian({ sigma: 1 }), { sink: fileSink("cells.ome.zarr", { chunk: [64, 64] }) });
const half = await open("cells.ome.zarr", { level: 1 });
await save(await read(half), "pyramid.png");
