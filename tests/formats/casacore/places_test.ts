/** Rows without an array are left out, and nothing is said where all rows have one. */

import { assertEquals } from "@std/assert";
import { placesWithArray } from "../../../src/formats/casacore/indirect.ts";

Deno.test("rows that have an array are those with an offset", () => {
  assertEquals(placesWithArray(Float64Array.of(0, 64, 0, 128)), Uint32Array.of(1, 3));
  assertEquals(placesWithArray(Float64Array.of(0, 0)), new Uint32Array());
  assertEquals(placesWithArray(Float64Array.of(64, 128)), undefined);
  assertEquals(placesWithArray(new Float64Array()), undefined);
});
