/**
 * Planes of samples of WebP pictures with losses, whole macroblocks, with the borders that predictions start from.
 *
 * @module
 */

/** A plane: one row above and one column to the left of the picture are there, too. */
export interface Plane {
  readonly samples: Uint8ClampedArray;
  /** Samples of a row. */
  readonly stride: number;
}

/** Makes a plane of `width` × `height` samples. */
export function makePlane(width: number, height: number): Plane {
  const stride = width + 1, samples = new Uint8ClampedArray(stride * (height + 1));
  samples.fill(127, 0, stride);
  for (let at = stride; at < samples.length; at += stride) samples[at] = 129;
  return { samples, stride };
}

/** Where the sample `x`, `y` is. */
export function placeOf({ stride }: Plane, x: number, y: number): number {
  return (y + 1) * stride + x + 1;
}
