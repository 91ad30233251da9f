/**
 * Pictures, for the page: colours, limits and ticks as the library draws them, so that the page shows the same.
 *
 * @module
 */

export { type Tick, ticksOf } from "./axes/ticks.ts";
export { type Colormap, COLORMAPS, colourTable, isDiverging } from "./colours/colormap.ts";
export { encodePng } from "../sinks/png/png.ts";
export { storedPieces } from "../sinks/stored/in_memory.ts";
export { filesOf } from "./save.ts";
export { oklab } from "./colours/oklab.ts";
export { picture } from "./picture.ts";
export { type Plane, planeOf, planeRows, reducedPlane } from "./plane.ts";
export { type Limits, limitsIn } from "./scale.ts";
export { HUES, LENGTHS, vectorColours, vectorPicture } from "./vectors.ts";
