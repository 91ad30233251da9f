/**
 * The brightest pixel of an image.
 *
 * @module
 */

import { directionOf, type ImageGrid } from "../../rime/image/grid.ts";
import type { Field } from "../../observations/observation.ts";
import { radecIn } from "../../rime/observed/centre.ts";
import type { NDArray } from "../../space/ndarray.ts";

/** The pixel with the largest magnitude. */
export interface Peak {
  /** Its value in Jy per beam. */
  readonly value: number;
  /** Its row and its column. */
  readonly pixel: readonly [row: number, column: number];
  /** Direction cosines from the phase centre. */
  readonly l: number;
  readonly m: number;
  /** Right ascension and declination in radians. */
  readonly ra: number;
  readonly dec: number;
}

/** Where an image is brightest, of both signs. */
export function peakOf({ data }: NDArray, grid: ImageGrid, field: Field): Peak {
  let at = 0;
  for (let i = 1; i < data.length; i++) if (Math.abs(Number(data[i])) > Math.abs(Number(data[at]))) at = i;
  const [row, column] = [Math.floor(at / grid.pixels[0]), at % grid.pixels[0]];
  const [l, m] = directionOf(grid, column, row);
  const [ra, dec] = radecIn(field, [l, m]);
  return { value: Number(data[at]), pixel: [row, column], l, m, ra, dec };
}
