/** Places on Earth are those of astropy's EarthLocation (WGS 84). */

import { assert, assertAlmostEquals } from "@std/assert";
import { latitudeOf, placeOnEarth } from "../../../src/observations/meaning/frames.ts";

/** Latitude and longitude in degrees, height in metres; x, y, z in metres by `EarthLocation.from_geodetic`. */
const PLACES: readonly (readonly [readonly [number, number, number], readonly [number, number, number]])[] = [
  [[0, 0, 0], [6378137, 0, 0]],
  [[52.9, 6.6, 50], [3830039.7720162347, 443150.7213747986, 5063878.311821106]],
  [[-30.7, 21.4, 1050], [5111449.40173265, 2003155.1161955642, -3237875.4285377385]],
  [[89.5, -120, 3000], [-27936.223112942032, -48386.957803195524, 6359508.523192351]],
  [[-45, 180, 0], [-4517590.878848932, 5.532453209639622e-10, -4487348.408865919]],
];

Deno.test("places on Earth are those of astropy, to a thousandth of a millimetre, and back", () => {
  for (const [[latitude, longitude, height], place] of PLACES) {
    const [lat, lon] = [latitude, longitude].map((degrees) => degrees * Math.PI / 180) as [number, number];
    placeOnEarth(lat, lon, height).forEach((value, d) => assertAlmostEquals(value, place[d]!, 1e-6));
    const [backLat, backLon] = latitudeOf(place);
    assertAlmostEquals(backLat, lat, 1e-9);
    assert(Math.abs(Math.abs(backLon) - Math.abs(lon)) < 1e-9);
  }
});
