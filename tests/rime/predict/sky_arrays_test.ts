/** How many sources of each kind a sky of arrays has, and what does not fit. */

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { SkyShapelets } from "../../../src/rime/predict/problem.ts";
import { shapesOf, skySizes } from "../../../src/rime/predict/sky_arrays.ts";

/** Four sources, with shapelets of so many sources, coefficients and orders. */
function sky(sources: number, coefficients: number, orders?: SkyShapelets["orders"]) {
  const shape = new Float64Array(3 * sources).fill(1e-4);
  const shapelets = { shape, coefficients: new Float64Array(coefficients), ...(orders ? { orders } : {}) };
  return { lm: new Float64Array(8), stokes: new Float64Array(16), shapelets };
}

Deno.test("orders of shapelets are those that are given, or the same for x and y; none have none", () => {
  const rows = [
    [[2, 18], [2, 3, 3]],
    [[2, 12, [3, 2]], [2, 3, 2]],
    [[1, 1], [1, 1, 1]],
    [[0, 0], [0, 0, 0]],
  ] as const;
  for (const [given, expected] of rows) {
    const sizes = skySizes("predict()", sky(...given as [number, number, SkyShapelets["orders"]]));
    assertEquals([sizes.nhsrc, sizes.nxorder, sizes.nyorder], [...expected]);
    assertEquals(shapesOf(sizes), expected[0] > 0 ? ["shapelet"] : []);
  }
});

Deno.test("coefficients that are no square per source, or not as many as the orders say, are refused", () => {
  const rows = [[2, 0], [2, 6], [0, 4], [1, 6, [2, 2]], [1, 4, [-2, -2]], [1, 6, [1.5, 4]], [5, 5]] as const;
  for (const given of rows) {
    const some = sky(...given as unknown as [number, number, SkyShapelets["orders"]]);
    const error = assertThrows(() => skySizes("predict()", some), TilewiseError);
    assertEquals(error.code, "invalid", given.join());
  }
});
