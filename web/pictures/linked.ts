/**
 * Images that show the same place.
 *
 * @module
 */

/// <reference lib="dom" />

import type { TwImage } from "./tw_image.ts";

/** The images that each shows the same place as; a picture listens once, however often it is linked. */
const linked = new WeakMap<TwImage, readonly TwImage[]>();

/** All pictures follow the one that is moved or zoomed, and no others any more. */
export function linkLooks(pictures: readonly TwImage[]): void {
  for (const picture of pictures) {
    if (!linked.has(picture)) picture.addEventListener("look-change", () => follow(picture));
    linked.set(picture, pictures);
  }
}

function follow(from: TwImage): void {
  for (const other of linked.get(from)!) other.look = from.look;
}
