/**
 * What the elements that show data tell.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Look } from "../draw/look.ts";
import type { Mark } from "../draw/region.ts";
import type { Display, Position } from "../state/state.ts";

/** What each event says; `done`: the hand has let go. */
export interface PictureEvents {
  /** A region was moved. */
  "region-change": { readonly id: string; readonly region: Mark; readonly done: boolean };
  /** The cross-hair was moved. */
  "position-change": { readonly position: Position; readonly done: boolean };
  /** A hand shows another part of the image; undefined: all. */
  "look-change": { readonly look: Look | undefined };
  /** Colours were changed. */
  "display-change": { readonly display: Display; readonly done: boolean };
  /** The image was clicked, at a place with this label. */
  "label-pick": { readonly label: number };
  /** A circle over the image was clicked, by its number. */
  "mark-pick": { readonly mark: number };
  /** The pointer is over a sample, or has left. */
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
