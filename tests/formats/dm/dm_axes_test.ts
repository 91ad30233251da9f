import { assertEquals } from "@std/assert";
import { dmAxes } from "../../../src/formats/dm/axes.ts";

Deno.test("a step without a unit is kept, as RosettaSciIO has it, and one that says nothing is not", () => {
  const axis = (scale: number, origin: number) =>
    dmAxes([{ scale, origin, unit: "" }], undefined, undefined)[0];
  assertEquals(axis(0.5, 2), { scale: 0.5, offset: -1 });
  assertEquals(axis(1, 3), { scale: 1, offset: -3 });
  assertEquals(axis(1, 0), {});
});
