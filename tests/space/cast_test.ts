/** Integers of 64 bits as float32: rounded once, to the bits of NumPy, in whatever way they become that. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { open } from "../../src/formats/open.ts";
import { createContext } from "../../src/runner/context.ts";
import { castArray } from "../../src/sinks/arrays/cast.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { setNearest } from "../../src/space/cast.ts";
import { arrayConstants } from "../../src/udf/builtin/expression/inputs.ts";
import { storeValue } from "../../src/udf/builtin/map/options.ts";
import { arrayOf } from "../../src/views/array.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { convert } from "../../src/views/operations/convert.ts";
import { viewExpression } from "../../src/views/operations/expression.ts";
import { compile, runOne } from "../expr/run_both.ts";
import numpy from "./singles.json" with { type: "json" };

type Integers = BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

/** What makes float32 of integers. */
const WAYS: Readonly<
  Record<string, (data: Integers, dtype: "int64" | "uint64") => Promise<ArrayLike<number>>>
> = {
  "castArray()": (data, dtype) => {
    const array = ndarray(data as never, [data.length], dtype);
    return Promise.resolve(castArray("integers", array, "float32").data as Float32Array);
  },
  "setNearest()": (data) => {
    const singles = new Float32Array(data.length);
    data.forEach((value, i) => setNearest(singles, i, value));
    return Promise.resolve(singles);
  },
  "frame functions": (data) => {
    const singles = new Float32Array(data.length), spec = { dtype: "float32", shape: [data.length] } as const;
    storeValue(singles, [...data], spec, spec);
    return Promise.resolve(singles);
  },
  "convert()": (data, dtype) => mapped(data, dtype, convert({ dtype: "float32" })),
  "viewExpression()": (data, dtype) => mapped(data, dtype, viewExpression("x", { dtype: "float32" })),
  "arrays of expressions": (data) => {
    const program = { arrays: ["a"], precision: "float32" }, meta = { pixels: data.length };
    return Promise.resolve(arrayConstants(program as never, { a: data }, meta as never).a as Float32Array);
  },
  "kernels of expressions": (data, dtype) => Promise.resolve(expressed(data, dtype, "bind")),
  "twins of expressions": (data, dtype) => Promise.resolve(expressed(data, dtype, "twin")),
};

async function mapped(
  data: Integers,
  dtype: string,
  operation: Parameters<typeof mapViews>[1],
): Promise<ArrayLike<number>> {
  await using context = createContext({ workers: 0 });
  const dataset = await open({ data, shape: [1, data.length], dtype } as never);
  return (await mapViews(arrayOf(dataset), operation, { context })).data as Float32Array;
}

function expressed(samples: Integers, dtype: "int64" | "uint64", which: "bind" | "twin"): ArrayLike<number> {
  const compiled = compile("x", { dtype, precision: "float32" });
  return runOne(compiled, { samples, dtype, frames: 1, rows: 1, width: samples.length }, which)[0]!;
}

for (const [name, make] of Object.entries(WAYS)) {
  Deno.test(`${name}: integers of 64 bits become the float32 of NumPy`, async () => {
    for (const dtype of ["int64", "uint64"] as const) {
      const values = numpy[dtype].integers.split(" ").map(BigInt);
      const data = dtype === "int64" ? BigInt64Array.from(values) : BigUint64Array.from(values);
      const bits = new Uint32Array(Float32Array.from(await make(data, dtype)).buffer);
      assertEquals(bits.join(" "), numpy[dtype].bits);
    }
  });
}

Deno.test("of these integers many are wrong where they are rounded twice", () => {
  const values = numpy.int64.integers.split(" ").map(BigInt);
  const twice = new Uint32Array(Float32Array.from(values, Number).buffer);
  const bits = numpy.int64.bits.split(" ");
  assert(twice.filter((one, i) => String(one) !== bits[i]).length > 50);
});
