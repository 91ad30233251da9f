/**
 * The painting of one image, of which a part is seen.
 *
 * @module
 */

import type { DrawnImage } from "../../draw/drawn.ts";
import { indicesAlong, type Look, reductionFor, type Size, zoomDown } from "../../draw/look.ts";
import { coloursOf } from "../../draw/paint.ts";
import type { Display } from "../../state/state.ts";
import type { Painting } from "./surface.ts";

/** What is painted of `image` on a screen with `ratio` pixels per pixel of the page. */
export function wholePainting(
  image: DrawnImage,
  display: Display,
  look: Look,
  screen: Size,
  ratio: number,
): Painting {
  const [down, right] = [zoomDown(look) * ratio, look.zoom * ratio];
  const n = image.labels ? 1 : reductionFor(Math.max(Math.abs(down), right)); // labels have no mean
  const [width, height] = [Math.round(screen.width * ratio), Math.round(screen.height * ratio)];
  const piece = {
    images: [image],
    n,
    rows: indicesAlong(height, look.y, down, image.height, n),
    columns: indicesAlong(width, look.x, right, image.width, n),
    top: 0,
    left: 0,
  };
  return {
    width,
    height,
    pieces: [piece],
    colours: [coloursOf(display, image.limits(display), image.directions)],
  };
}
