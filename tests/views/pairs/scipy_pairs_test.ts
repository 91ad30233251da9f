/** Chains of two operations against SciPy and scikit-image, one operation after the other; see `make_scipy_pairs.py`. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import type { Border } from "../../../src/space/border.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { memoryArray } from "../data.ts";

interface Pairs {
  readonly shape: readonly number[];
  /** Of each operation. */
  readonly params: Readonly<Record<string, object>>;
  /** First operation, second operation, type, border, and samples of the result as float32 in base64. */
  readonly pairs: readonly string[];
}

const { shape, params, pairs }: Pairs = JSON.parse(
  Deno.readTextFileSync(new URL("scipy_pairs.json", import.meta.url)),
);

Deno.test("chains of two are those of SciPy, as far as float32 goes", async () => {
  await using context = createContext({ workers: 0 });
  assert(pairs.length > 500);
  for (const pair of pairs) {
    const [first, second, dtype, border, base64] = pair.split(" ") as [string, string, DType, Border, string];
    const want = new Float32Array(Uint8Array.fromBase64(base64).buffer);
    const array = memoryArray(shape, dtype, (i) => (i * 7919 + 13) % 251);
    const [a, b] = [first, second].map((name) => ({ name, operation: name, params: params[name]! }));
    const factors = [a, b].filter((one) => one!.name === "downSample").length;
    const tile = [[3, 5], [4, 6], [4, 9]][factors]!;
    const { data } = await mapViews(array, [a!, b!], { border, tile, context });
    assertEquals(data.length, want.length);
    const most = want.reduce((all, value) => Math.max(all, Math.abs(value)), 1e-3);
    want.forEach((value, i) => {
      const off = Math.abs(Number(data[i]) - value);
      assert(off <= 2e-5 * most, `${first} → ${second} ${dtype} ${border} at ${i}: ${data[i]}, not ${value}`);
    });
  }
});
