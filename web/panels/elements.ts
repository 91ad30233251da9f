/**
 * The elements of pictures as panels use them: their properties, and their events.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ShownImage, ShownVectors } from "../draw/image.ts";
import type { Display, Position, Region } from "../state/state.ts";

/** A region with a name, that can be dragged. */
export interface NamedRegion {
  readonly id: string;
  readonly label: string;
  readonly region: Region;
}

/** Shows one image or vector field. */
export interface TwImage extends HTMLElement {
  image: ShownImage | ShownVectors | undefined;
  display: Display;
  regions: readonly NamedRegion[];
  position: Position | undefined;
}

/** Counts of values. */
export interface TwHistogram extends HTMLElement {
  image: ShownImage | ShownVectors | undefined;
  display: Display;
}

/** Values along a line. */
export interface TwProfile extends HTMLElement {
  image: ShownImage | ShownVectors | undefined;
  line: readonly [Position, Position];
}

/** Choice of colours. */
export interface TwColours extends HTMLElement {
  display: Display;
}

/** What events of these elements tell. */
export interface PictureEvents {
  "region-change": { readonly id: string; readonly region: Region; readonly done: boolean };
  "position-change": { readonly position: Position; readonly done: boolean };
  "display-change": { readonly display: Display; readonly done: boolean };
  "cursor": { readonly position?: Position; readonly value?: unknown };
}

/** Listens to an event of a picture. */
export function onPicture<K extends keyof PictureEvents>(
  target: HTMLElement,
  name: K,
  heard: (detail: PictureEvents[K]) => void,
): void {
  target.addEventListener(name, (event) => {
    if (event instanceof CustomEvent) heard(event.detail);
  });
}

/**
 * A region as pictures count it: a rectangle has `height` rows. In the state, as in detectors, they are the rows to the
 * opposite corner, which belongs to it as well.
 */
export function asDrawn(region: Region): Region {
  return region.kind === "rectangle"
    ? { ...region, height: region.height + 1, width: region.width + 1 }
    : region;
}

/** The way back. */
export function asStated(region: Region): Region {
  return region.kind === "rectangle"
    ? { ...region, height: region.height - 1, width: region.width - 1 }
    : region;
}
