/**
 * Regions under the hand: the handles of each, and what it is when one has moved.
 *
 * @module
 */

import type { Position, Region } from "../state/state.ts";
import type { Size } from "./look.ts";

/** A vector from a place to its tip, which is moved. */
export interface Arrow {
  /** Tells it from regions. */
  readonly kind: "arrow";
  /** Where it begins. */
  readonly from: Position;
  /** Where it ends. */
  readonly tip: Position;
}

/** What can be moved over an image. */
export type Mark = Region | Arrow;

/** What a handle changes. */
export type HandleName = "centre" | "radius" | "inner" | "outer" | "start" | "end" | "tip";

/** A handle of a region. */
export interface Handle {
  /** What it changes. */
  readonly name: HandleName;
  /** Where it is, in samples. */
  readonly at: Position;
  /** Where else it may be, if that place is not on the screen; it means the same. */
  readonly others: readonly Position[];
  /** Whether it is moved along a line, and not over the plane. */
  readonly isRadius: boolean;
}

/** Values are written with one digit behind the point. */
const STEP = 10;

/** The smallest radius. */
const LEAST = 0.5;

/** The handles of a region, the one that moves all of it first. */
export function handlesOf(region: Mark): Handle[] {
  switch (region.kind) {
    case "arrow":
      return [spot("tip", region.tip)];
    case "point":
      return [spot("centre", [region.y, region.x])];
    case "disk":
      return [spot("centre", [region.cy, region.cx]), onCircle("radius", region, region.r, 0)];
    case "ring":
      return [
        spot("centre", [region.cy, region.cx]),
        onCircle("inner", region, region.ri, 4),
        onCircle("outer", region, region.ro, 0),
      ];
    case "rectangle": {
      const { y, x, height, width } = region;
      return [
        spot("centre", [y + height / 2, x + width / 2]),
        spot("start", [y - 0.5, x - 0.5]),
        spot("end", [y + height + 0.5, x + width + 0.5]),
      ];
    }
  }
}

function spot(name: HandleName, at: Position): Handle {
  return { name, at, others: [], isRadius: false };
}

/** A handle on a circle: at the first of eight directions that is on the screen, from right (0) clockwise. */
function onCircle(
  name: HandleName,
  { cy, cx }: { readonly cy: number; readonly cx: number },
  radius: number,
  first: number,
): Handle {
  const at = (eighth: number): Position => {
    const angle = (first + eighth) * Math.PI / 4;
    return [cy + radius * Math.sin(angle), cx + radius * Math.cos(angle)];
  };
  return { name, at: at(0), others: [4, 2, 6, 1, 3, 5, 7].map(at), isRadius: true };
}

/** The region after its handle was pulled to a place. It stays inside of the image, and radii in order. */
export function pulled<M extends Mark>(region: M, name: HandleName, place: Position, image: Size): M;
export function pulled(region: Mark, name: HandleName, [y, x]: Position, image: Size): Mark {
  switch (region.kind) {
    case "arrow":
      return { ...region, tip: [rounded(y, 0, image.height - 1), rounded(x, 0, image.width - 1)] };
    case "point":
      return { kind: "point", y: whole(y, image.height - 1), x: whole(x, image.width - 1) };
    case "disk":
      if (name === "centre") return { ...region, ...centred(y, x, image) };
      return { ...region, r: radiusAt(region, y, x, LEAST, diagonal(image)) };
    case "ring":
      if (name === "centre") return { ...region, ...centred(y, x, image) };
      return name === "inner"
        ? { ...region, ri: radiusAt(region, y, x, 0, region.ro) }
        : { ...region, ro: radiusAt(region, y, x, Math.max(LEAST, region.ri), diagonal(image)) };
    case "rectangle":
      return pulledRectangle(region, name, y, x, image);
  }
}

/** `height` and `width` lead to the opposite corner, which belongs to it, as in detectors: 1 is two rows. */
type Rectangle = Extract<Region, { kind: "rectangle" }>;

function pulledRectangle(region: Rectangle, name: HandleName, y: number, x: number, image: Size): Region {
  const { height, width } = region;
  const [last, rightmost] = [image.height - 1, image.width - 1];
  if (name === "centre") {
    return {
      ...region,
      y: whole(y - height / 2, last - height),
      x: whole(x - width / 2, rightmost - width),
    };
  }
  if (name === "start") {
    const [bottom, right] = [region.y + height, region.x + width];
    const [top, left] = [whole(y + 0.5, bottom - 1), whole(x + 0.5, right - 1)];
    return { kind: "rectangle", y: top, x: left, height: bottom - top, width: right - left };
  }
  return {
    ...region,
    height: whole(y - 0.5 - region.y, last - region.y, 1),
    width: whole(x - 0.5 - region.x, rightmost - region.x, 1),
  };
}

/** The region after an arrow key on one of its handles. Radii grow to the right and upwards. */
export function nudged<M extends Mark>(
  region: M,
  name: HandleName,
  down: number,
  right: number,
  image: Size,
): M {
  const handle = handlesOf(region).find((one) => one.name === name);
  if (!handle) return region;
  if (!handle.isRadius) return pulled(region, name, [handle.at[0] + down, handle.at[1] + right], image);
  const { cy, cx } = region as Extract<Region, { kind: "disk" | "ring" }>;
  const radius = Math.max(0, radiusOf(region, name) + (right !== 0 ? right : -down));
  return pulled(region, name, [cy, cx + radius], image);
}

/** The radius that a handle changes. */
export function radiusOf(region: Mark, name: HandleName): number {
  if (region.kind === "disk") return region.r;
  if (region.kind === "ring") return name === "inner" ? region.ri : region.ro;
  return 0;
}

/** The largest radius that makes sense in an image. */
export function diagonal({ width, height }: Size): number {
  return Math.round(STEP * Math.hypot(width, height)) / STEP;
}

function centred(y: number, x: number, image: Size): { readonly cy: number; readonly cx: number } {
  return { cy: rounded(y, 0, image.height - 1), cx: rounded(x, 0, image.width - 1) };
}

function radiusAt(
  { cy, cx }: { readonly cy: number; readonly cx: number },
  y: number,
  x: number,
  least: number,
  most: number,
): number {
  return rounded(Math.hypot(y - cy, x - cx), least, most);
}

function rounded(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.round(STEP * value) / STEP));
}

function whole(value: number, most: number, least: number = 0): number {
  return Math.max(least, Math.min(most, Math.round(value))) + 0; // never −0
}

/** What a handle is at, in words. */
export function handleText(region: Mark, name: HandleName): string {
  if (region.kind === "arrow") return `tip at row ${region.tip[0]}, column ${region.tip[1]}`;
  if (region.kind === "rectangle" && name === "end") {
    return `${region.height + 1} rows, ${region.width + 1} columns`;
  }
  if (region.kind === "rectangle") return `first row ${region.y}, first column ${region.x}`;
  if (name === "inner" || name === "outer" || name === "radius") {
    return `radius ${radiusOf(region, name)}`;
  }
  const [y, x] = region.kind === "point" ? [region.y, region.x] : [region.cy, region.cx];
  return `row ${y}, column ${x}`;
}

/** What a handle is called. */
export function handleTitle(label: string, region: Mark, name: HandleName): string {
  if (region.kind === "rectangle") {
    return `${label}, ${{ start: "first corner", end: "last corner" }[name as string] ?? "place"}`;
  }
  if (region.kind === "point" || region.kind === "arrow") return label;
  return `${label}, ${
    { inner: "inner radius", outer: "outer radius", radius: "radius" }[name as string] ?? "centre"
  }`;
}
