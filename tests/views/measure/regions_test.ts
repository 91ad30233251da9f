/** Components of lines longer than words of bits, full and empty lines, and every type: those of SciPy, for any tiling. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { memoryArray } from "../data.ts";
import { digest, level } from "./regions.ts";
import REGIONS from "./regions.json" with { type: "json" };

/** One tile, tiles of one sample, tiles that cut words of bits, and those that leave one sample at the end. */
function tilings(shape: Shape): Shape[] {
  const all = shape.map((n) => Math.max(1, n));
  const short = shape.map((n, d) => d === shape.length - 1 ? 67 : Math.max(1, n - 1));
  return [all, ...sizeOf(shape) < 150 ? [shape.map(() => 1)] : [], short, all.map((n) => Math.ceil(n / 3))];
}

Deno.test("labels of long, full and empty lines are those of SciPy for every type and tiling", async () => {
  await using context = createContext({ workers: 0 });
  for (const { shape, connectivity, kind, seed, dtype, count, sha256 } of REGIONS.labels) {
    const of = level(kind, shape, seed);
    const array = memoryArray(shape, dtype as DType, of);
    const offset = dtypeInfo(dtype as DType).kind === "u" ? 0 : 60;
    const mask = memoryArray(shape, dtype as DType, (flat) => of(flat) > 50 ? of(flat) - offset || 1 : 0);
    for (const [n, tile] of tilings(shape).entries()) {
      const what = `${shape} ${kind} ${dtype} ${connectivity} ${tile}`;
      const found = await labelImage(array, { threshold: 50, connectivity, tile, context });
      assertEquals([found.count, await digest(found.labels.data)], [count, sha256], what);
      if (n > 0) continue;
      const masked = await labelImage(mask, { connectivity, tile, context });
      assertEquals([masked.count, await digest(masked.labels.data)], [count, sha256], `mask ${what}`);
    }
  }
});

Deno.test("NaN in a mask is not 0, as SciPy has it, and above no threshold", async () => {
  await using context = createContext({ workers: 0 });
  for (const dtype of ["float16", "float32", "float64"] as const) {
    const array = memoryArray([8], dtype, (i) => [0, NaN, -0, 1, NaN, 0, Infinity, 0][i]!);
    assertEquals([...(await labelImage(array, { context })).labels.data], REGIONS.nan);
    const { labels } = await labelImage(array, { threshold: 0, context });
    assertEquals([...labels.data], [0, 0, 0, 1, 0, 0, 2, 0]);
  }
});

Deno.test("integers of 64 bits are compared with thresholds as they are", async () => {
  await using context = createContext({ workers: 0 });
  const odd = 2n ** 53n + 1n; // no float has it
  for (
    const data of [BigInt64Array.of(odd - 1n, odd, -odd, odd), BigUint64Array.of(odd - 1n, odd, 0n, odd)]
  ) {
    const image = await open({ data, shape: [1, 4] });
    const { labels } = await labelImage(image, { threshold: 2 ** 53, context });
    assertEquals([...labels.data], [0, 1, 0, 2]);
  }
});
