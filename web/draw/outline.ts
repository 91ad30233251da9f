/**
 * Outlines of regions on the screen, as paths of SVG.
 *
 * @module
 */

import type { Position, Region } from "../state/state.ts";
import { type Look, placeOn, type Size } from "./look.ts";

/** The outline of a region on the screen. */
export function outlineOf(region: Region, look: Look, screen: Size): string {
  const place = (at: Position) => placeOn(look, screen, at);
  switch (region.kind) {
    case "point":
      return rectangle(place([region.y - 0.5, region.x - 0.5]), look.zoom, look.zoom);
    case "disk":
      return circle(place([region.cy, region.cx]), region.r * look.zoom);
    case "ring": {
      const centre = place([region.cy, region.cx]);
      return circle(centre, region.ro * look.zoom) + circle(centre, region.ri * look.zoom);
    }
    case "rectangle": {
      const { y, x, height, width } = region;
      return rectangle(place([y - 0.5, x - 0.5]), (height + 1) * look.zoom, (width + 1) * look.zoom);
    }
  }
}

function circle([y, x]: Position, radius: number): string {
  const r = short(radius);
  return `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${
    short(-2 * radius)
  } 0Z`;
}

function rectangle([y, x]: Position, height: number, width: number): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
}

/** Hundredths of pixels. */
function short(value: number): number {
  return Math.round(100 * value) / 100;
}
