/**
 * Outlines of regions on the screen, as paths of SVG.
 *
 * @module
 */

import type { Position } from "../state/state.ts";
import { type Look, placeOn, type Size, zoomDown } from "./look.ts";
import type { Mark } from "./region.ts";

/** The outline of a region on the screen. */
export function outlineOf(region: Mark, look: Look, screen: Size): string {
  const place = (at: Position) => placeOn(look, screen, at);
  const [down, right] = [zoomDown(look), look.zoom], across = Math.abs(down);
  switch (region.kind) {
    case "arrow":
      return arrow(place(region.from), place(region.tip));
    case "point":
      return rectangle(place([region.y - 0.5, region.x - 0.5]), down, right);
    case "disk":
      return circle(place([region.cy, region.cx]), region.r * across, region.r * right);
    case "ring": {
      const centre = place([region.cy, region.cx]);
      const one = (r: number) => circle(centre, r * across, r * right);
      return one(region.ro) + one(region.ri);
    }
    case "rectangle": {
      const { y, x, height, width } = region;
      return rectangle(place([y - 0.5, x - 0.5]), (height + 1) * down, (width + 1) * right);
    }
  }
}

function circle([y, x]: Position, down: number, right: number): string {
  const radii = `${short(right)} ${short(down)}`;
  const half = (by: number) => `a${radii} 0 1 0 ${short(by)} 0`;
  return `M${short(x - right)} ${short(y)}${half(2 * right)}${half(-2 * right)}Z`;
}

/** Length of the head of an arrow, and half of its width, in pixels. */
const [HEAD, WING] = [12, 5];

/** A line with a triangle at its end, which begins where the handle of the tip ends. */
function arrow([fromY, fromX]: Position, [y, x]: Position): string {
  const length = Math.max(1e-9, Math.hypot(y - fromY, x - fromX));
  const [down, right] = [(y - fromY) / length, (x - fromX) / length];
  const at = (back: number, side: number) =>
    `${short(x - back * right - side * down)} ${short(y - back * down + side * right)}`;
  return `M${short(fromX)} ${short(fromY)}L${at(HEAD, 0)}M${at(0, 0)}L${at(HEAD, WING)}L${at(HEAD, -WING)}Z`;
}

function rectangle([y, x]: Position, height: number, width: number): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
}

/** Hundredths of pixels. */
function short(value: number): number {
  return Math.round(100 * value) / 100;
}
