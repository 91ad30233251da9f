/**
 * The elements that show data: importing this module registers them.
 *
 * @module
 */

/// <reference lib="dom" />

export { linkLooks } from "./linked.ts";
export { onPicture, type PictureEvents } from "./events.ts";
export { TwColours } from "./tw_colours.ts";
export { TwHistogram } from "./tw_histogram.ts";
export { TwImage } from "./tw_image.ts";
export type { ImageFacts } from "./stage.ts";
export { type TilesChannel, TwTiles } from "./tw_tiles.ts";
export { type Line, TwProfile } from "./tw_profile.ts";
export type { SkyMarks } from "./overlay/sky_mark.ts";
export type { Dots } from "./overlay/dots_mark.ts";
export type { NamedRegion } from "./overlay/overlay.ts";
