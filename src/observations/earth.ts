/**
 * Places on Earth.
 *
 * @module
 */

/** Half axis at the equator in metres, and flattening, of WGS 84. */
const AXIS = 6378137, FLATTENING = 1 / 298.257223563;

/** x, y and z in metres of a place by latitude and longitude in radians and height in metres (WGS 84). */
export function placeOnEarth(latitude: number, longitude: number, height: number): [number, number, number] {
  const square = FLATTENING * (2 - FLATTENING);
  const [sin, cos] = [Math.sin(latitude), Math.cos(latitude)];
  const radius = AXIS / Math.sqrt(1 - square * sin * sin);
  return [
    (radius + height) * cos * Math.cos(longitude),
    (radius + height) * cos * Math.sin(longitude),
    (radius * (1 - square) + height) * sin,
  ];
}
