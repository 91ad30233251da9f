/**
 * Images that show the same place.
 *
 * @module
 */

/// <reference lib="dom" />

import type { TwImage } from "./tw_image.ts";

/** All pictures follow the one that is moved or zoomed. */
export function linkLooks(pictures: readonly TwImage[]): void {
  let isFollowing = false;
  const follow = (from: TwImage) => {
    if (isFollowing) return; // it follows itself
    isFollowing = true;
    for (const other of pictures) if (other !== from && other.image) other.look = from.look;
    isFollowing = false;
  };
  for (const picture of pictures) picture.addEventListener("look-change", () => follow(picture));
}
