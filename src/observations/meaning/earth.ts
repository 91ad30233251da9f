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

/** Latitude and longitude in radians of a place in metres from the centre of the Earth: the inverse, to 1e-9 up to 10 km high. */
export function latitudeOf(
  [x, y, z]: readonly [number, number, number],
): [latitude: number, longitude: number] {
  const square = FLATTENING * (2 - FLATTENING), distance = Math.hypot(x, y);
  let latitude = Math.atan2(z, distance * (1 - square));
  for (let i = 0; i < 4; i++) {
    const sin = Math.sin(latitude);
    latitude = Math.atan2(z + square * AXIS * sin / Math.sqrt(1 - square * sin * sin), distance);
  }
  return [latitude, Math.atan2(y, x)];
}
