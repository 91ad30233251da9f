/** Parameters that cannot travel are refused where they are given, with their path. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { type Params, udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { goldenScan } from "../data.ts";

const OWN = import.meta.resolve("../own_udf.ts");

class Thing {
  x = 1;
}

Deno.test("functions, symbols and instances are refused with their path, at once and in a plan", async () => {
  const rows: [Record<string, unknown>, string, string][] = [
    [{ f: () => 1 }, "f", "a function"],
    [{ a: 1, s: Symbol("x") }, "s", "a symbol"],
    [{ deep: { list: [1, { at: [2, () => 3] }] } }, "deep.list[1].at[1]", "a function"],
    [{ thing: new Thing() }, "thing", "an instance of Thing"],
    [{ "odd name": { p: Promise.resolve() } }, '["odd name"].p', "an instance of Promise"],
    [{ map: new Map([["k", () => 1]]) }, "map[0][1]", "a function"],
    [{ w: new WeakMap() }, "w", "an instance of WeakMap"],
    [{ e: class {} }, "e", "a function"],
  ];
  for (const [params, path, what] of rows) {
    const text = `the parameter ${path} is ${what}`;
    const error = assertThrows(() => udf(OWN, { params: params as Params }), TilewiseError, text);
    assertEquals([error.code, error.details.path, error.details.udf], ["udf", path, "own_udf"]);
    const ref: UdfRef = { name: "mine", module: OWN, export: "default", params: params as Params };
    await assertRejects(() => plan(goldenScan(), { ref }), TilewiseError, `UDF "mine": ${text}`);
  }
  const factory = () => ndarray(new Float32Array(20), [4, 5], "float32");
  const masks = [factory] as unknown as Parameters<typeof applyMasks>[0]["masks"];
  assertThrows(() => applyMasks({ masks }), TilewiseError, "masks[0] is a function");
});

Deno.test("what structured clones keep as it is may travel", () => {
  const loop: Record<string, unknown> = { n: 1n, u: undefined, nothing: null, t: "x" };
  loop.self = loop;
  const params = {
    loop,
    bare: Object.create(null),
    arrays: [new Float64Array(2), new DataView(new ArrayBuffer(2)), new Uint8Array(new SharedArrayBuffer(2))],
    buffer: new ArrayBuffer(1),
    when: new Date(0),
    map: new Map([["a", new Set([1])]]),
    image: ndarray(new Float32Array(2), [2], "float32"),
  };
  structuredClone(params);
  assertEquals(udf(OWN, { params: params as unknown as Params }).params, params as unknown as Params);
});
