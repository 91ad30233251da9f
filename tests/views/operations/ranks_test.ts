/** Medians and percentiles of large windows against scipy.ndimage; see `make_ranks.py`. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { edgesOf, isSlidingFaster, percentile } from "../../../src/views/operations/filters/rank.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { memoryArray } from "../data.ts";

interface Row {
  readonly operation: string;
  /** The parameters of the operation, as JSON. */
  readonly params: string;
  /** As `37 × 45`. */
  readonly shape: string;
  readonly dtype: DType;
  readonly border: string;
  /** Of the bytes of the result. */
  readonly sha256: string;
}

const ROWS: readonly Row[] = JSON.parse(Deno.readTextFileSync(new URL("ranks.json", import.meta.url)));

/** As `samples` of `make_ranks.py`. */
function sample(n: number, dtype: DType): number {
  const number = Number(BigInt(n) * BigInt(n) * 7919n % 65521n) % (n % 3 === 0 ? 17 : 65521);
  const isByte = dtype === "uint8" || dtype === "int8";
  return (isByte ? number % 256 : number) - (dtype === "int8" ? 128 : dtype === "int16" ? 32768 : 0);
}

Deno.test("medians and percentiles of large windows are those of SciPy, whatever the tiles", async () => {
  await using context = createContext({ workers: 0 });
  for (const { operation: name, params, dtype, border, sha256, ...row } of ROWS) {
    const shape = row.shape.split(" × ").map(Number);
    const array = memoryArray(shape, dtype, (i) => sample(i, dtype));
    const operation: ViewOperation = { name, operation: name, params: JSON.parse(params) };
    for (const tile of [shape, shape.map((n, d) => d === 0 ? n : 11 + d)]) {
      const { data } = await mapViews(array, operation, { border, fill: 7, tile, context });
      const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      assertEquals(digest, sha256, `${name} ${params} ${shape} ${dtype} ${border}, tiles of ${tile}`);
    }
  }
});

Deno.test("percentiles of small windows have memory of their own, on workers and in chains", async () => {
  await using alone = createContext({ workers: 0 });
  const shape = [60, 80];
  const array = memoryArray(shape, "uint16", (i) => 1 + i * 7919 % 5000);
  const steps = [
    gaussian({ sigma: 1 }),
    convert({ dtype: "uint16" }),
    percentile({ percent: 30, radius: 1 }),
  ] as const;
  const between = await mapViews(array, [steps[0], steps[1]], { context: alone });
  const apart = memoryArray(shape, "uint16", (i) => between.data[i]!);
  const want = (await mapViews(apart, steps[2], { context: alone })).data;
  assert(want.some((value) => value > 0));
  assertEquals((await mapViews(array, [...steps], { context: alone })).data, want);
  for (const workers of [2, 4]) {
    await using context = createContext({ workers });
    for (let k = 0; k < 5; k++) {
      assertEquals((await mapViews(apart, steps[2], { context, tile: [7, 16] })).data, want);
    }
  }
});

Deno.test("large windows of small samples slide, small windows and large samples do not", () => {
  const square = (r: number) => ({ count: (2 * r + 1) ** 2, edges: 2 * r + 1, n: 2048 });
  assert(isSlidingFaster("uint8", square(10)) && isSlidingFaster("int16", square(10)));
  assert(!isSlidingFaster("uint8", square(2)) && !isSlidingFaster("uint16", square(2)));
  assert(!isSlidingFaster("float32", square(20)) && !isSlidingFaster("int32", square(20)));
});

Deno.test("the samples that leave and enter a window are the ends of its runs", () => {
  const offsets = [0, 2, 6, 100, 102]; // X X . X, and X X in another line, of two bytes
  assertEquals(edgesOf(offsets, 2), { leaving: [0, 6, 100], entering: [2, 6, 102] });
});
