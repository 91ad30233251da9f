/** Schemas, defaults and properties are checked when a cube is made, and belong to it alone. */

import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { filled, fits } from "../../src/hypercube/cube/numbers.ts";
import type { ArraySchema } from "../../src/hypercube/cube/schema.ts";
import { DTYPES } from "../../src/space/dtype.ts";

const withArray = (array: Partial<ArraySchema>, n = 3) =>
  hypercube({
    dimensions: { ntime: n },
    arrays: [{ name: "x", shape: ["ntime"], dtype: "uint8", ...array }],
  });

Deno.test("an array with an unknown dimension is refused when it is registered, with the nearest name", () => {
  assertThrows(() => withArray({ shape: ["ntimes"] }), TilewiseError, 'did you mean "ntime"?');
});

Deno.test("arrays of more than 2^53 bytes are refused, alone and together, made or changed", () => {
  const most = 2 ** 53 - 1;
  assertEquals(withArray({}, most).bytesRequired(), most);
  for (const array of [{ dtype: "int16" }, { shape: ["ntime", "ntime"] }] as const) {
    const error = assertThrows(() => withArray(array, 2 ** 52), TilewiseError, "Cannot size array x");
    assertEquals(error.code, "overflow");
  }
  const two = (n: number) =>
    hypercube({
      dimensions: { n },
      arrays: [{ name: "x", shape: ["n"], dtype: "int8" }, { name: "y", shape: ["n"], dtype: "int8" }],
    });
  assertThrows(() => two(2 ** 52 + 1), TilewiseError, "together they are more than 2^53");
  assertThrows(() => two(1).with({ n: { size: 2 ** 53 - 1 } }), TilewiseError, "together");
});

Deno.test("a default is a number that the dtype can hold, or a function, and only inputs have one", () => {
  assertEquals(withArray({ default: 7, tags: ["constant"] }).array("x").default, 7);
  assertEquals(
    typeof withArray({ default: ({ shape }) => new Uint8Array(shape[0]!) }).array("x").default,
    "function",
  );
  for (
    const [array, message] of [
      [{ default: 256 }, "which uint8 cannot hold"],
      [{ default: 0.5 }, "which uint8 cannot hold"],
      [{ default: 1, role: "output" }, "only inputs have defaults"],
      [{ default: "1" as never }, "it must be a number, or a function"],
      [{ tags: "a" as never }, "it must be a list of words"],
    ] as const
  ) {
    assertThrows(() => withArray(array), TilewiseError, message);
  }
  for (const dtype of DTYPES) {
    const [one = NaN, next] = filled(dtype, 2, 1);
    assertEquals(
      [Number(one), Number(next), fits(1, dtype)],
      [1, dtype.startsWith("c") ? 0 : 1, true],
      dtype,
    );
  }
  const ends = [["int8", -128, 127], ["uint16", 0, 65535], ["int64", -(2 ** 53) + 1, 2 ** 53 - 1]] as const;
  for (const [dtype, low, high] of ends) {
    assertEquals(
      [low - 1, low, high, high + 1].map((n) => fits(n, dtype)),
      [false, true, true, false],
      dtype,
    );
  }
});

Deno.test("a property belongs to one cube, has a default, and is cast", () => {
  const make = () =>
    hypercube({
      dimensions: {},
      arrays: [],
      properties: { sigma: 1, runs: { dtype: "int32", default: "3" }, on: { dtype: "bool", default: true } },
    });
  const cube = make(), changed = cube.withProperties({ sigma: "2.5" });
  assertEquals([cube.property("sigma"), changed.property("sigma"), make().property("sigma")], [1, 2.5, 1]);
  assertEquals([changed.properties.get("sigma")!.default, changed.property("runs"), changed.property("on")], [
    1,
    3,
    1,
  ]);
  assertEquals(changed.with({}).property("sigma"), 2.5);
  assertThrows(
    () => hypercube({ dimensions: {}, arrays: [] }).property("sigma"),
    Error,
    'no property "sigma"',
  );
  assertThrows(() => cube.withProperties({ sgma: 1 }), TilewiseError, 'did you mean "sigma"?');
  for (const bad of [2.5, "two", "", 2 ** 40, NaN, null as never, [1] as never]) {
    assertThrows(() => cube.withProperties({ runs: bad }), TilewiseError, "int32 cannot hold");
  }
  assertEquals(cube.withProperties({ sigma: "NaN" }).property("sigma"), NaN);
  const complex = { z: { dtype: "complex64", default: 1 } } as const;
  assertThrows(
    () => hypercube({ dimensions: {}, arrays: [], properties: complex }),
    TilewiseError,
    "cannot hold",
  );
});
