/**
 * Pictures, for the page: colours, limits and ticks as the library draws them, so that the page shows the same.
 *
 * @module
 */

export { labelOf, stepFor, type Tick, ticksOf } from "./axes/ticks.ts";
export { type Colormap, COLORMAPS, colourTable, isDiverging, parseColormap } from "./colours/colormap.ts";
export { encodePng, type PngOptions } from "../sinks/png/png.ts";
export { type Raster } from "../sinks/png/raster.ts";
export { storedPieces } from "../sinks/stored/in_memory.ts";
export { filesOf, type SaveOptions } from "./save.ts";
export { oklab } from "./colours/oklab.ts";
export { picture, type PictureOptions } from "./picture.ts";
export { type Plane, planeOf, planeRows, reducedPlane } from "./plane.ts";
export { type Limits, limitsIn, type ScaleOptions } from "./scale.ts";
export { HUES, LENGTHS, vectorColours, vectorPicture } from "./vectors.ts";
