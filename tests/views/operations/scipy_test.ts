/** Operations over views against scipy.ndimage and scikit-image; see `make_scipy.py`. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { memoryArray } from "../data.ts";

interface Row {
  readonly operation: string;
  /** Whether results are equal; others are as far as float32 goes. */
  readonly exact: boolean;
  /** The parameters of the operation, as JSON. */
  readonly params: string;
  /** As `6 × 9`. */
  readonly shape: string;
  readonly dtype: DType;
  readonly border: string;
  readonly fill: number;
  /** The samples of the result, with blanks between them. */
  readonly values: string;
}

const ROWS: readonly Row[] = JSON.parse(Deno.readTextFileSync(new URL("scipy.json", import.meta.url)));

Deno.test("extremes, ranks and sums of integers are those of SciPy; others are as well to 1e-6", async () => {
  await using context = createContext({ workers: 0 });
  assert(ROWS.length > 150);
  for (const { operation: name, exact, params, dtype, border, fill, ...row } of ROWS) {
    const [values, shape] = [row.values.split(" ").map(Number), row.shape.split(" × ").map(Number)];
    const low = dtype === "uint8" ? 0 : 120;
    const array = memoryArray(shape, dtype, (i) => i * 7919 % 251 - low);
    const tile = shape.map((n, d) => Math.max(1, Math.min(n, 3 - d % 2)));
    const operation: ViewOperation = { name, operation: name, params: JSON.parse(params) };
    const { data } = await mapViews(array, operation, { border, fill, tile, context });
    const what = `${name} ${params} ${shape} ${dtype} ${border}`;
    if (exact) assertEquals(Array.from(data, Number), values, what);
    else {
      values.forEach((value, i) =>
        assert(
          Math.abs(Number(data[i]) - value) <= 2e-7 * Math.abs(value) + 1e-9,
          `${what}: ${data[i]} ${value}`,
        )
      );
    }
  }
});

/** Half to even, and limited to the range of integers of 8 or 16 bits. */
function rounded(value: number, dtype: "uint8" | "int16"): number {
  const [low, high] = dtype === "uint8" ? [0, 255] : [-32768, 32767];
  const floor = Math.floor(value), rest = value - floor;
  const nearest = rest === 0.5 ? floor + (floor & 1) : floor + Number(rest > 0.5);
  return Math.max(low, Math.min(high, nearest));
}

Deno.test("results of integers are those of SciPy, rounded half to even and limited", async () => {
  await using context = createContext({ workers: 0 });
  const names = ["gaussian", "laplacianOfGaussian", "gaussianGradient", "sobel", "laplacian", "unsharp"];
  const rows = ROWS.filter(({ operation }) => names.includes(operation));
  let [same, limited] = [0, 0];
  for (const { operation: name, params, dtype: input, border, fill, ...row } of rows) {
    const [values, shape] = [row.values.split(" ").map(Number), row.shape.split(" × ").map(Number)];
    const array = memoryArray(shape, input, (i) => i * 7919 % 251 - (input === "uint8" ? 0 : 120));
    for (const dtype of ["uint8", "int16"] as const) {
      const operation: ViewOperation = { name, operation: name, params: { ...JSON.parse(params), dtype } };
      const { data } = await mapViews(array, operation, { border, fill, context });
      for (const [i, value] of values.entries()) {
        // Next to a half, the last digit of a sum decides.
        const nearHalf = Math.abs(value - Math.floor(value) - 0.5) < 1e-5 && value % 1 !== 0.5;
        if (nearHalf) continue;
        assertEquals(Number(data[i]), rounded(value, dtype), `${name} ${params} ${border} ${dtype} ${value}`);
        same++;
        if (value < 0 && dtype === "uint8" || value > 255.5) limited++;
      }
    }
  }
  assert(same > 5000 && limited > 500, `${same} ${limited}`);
});

Deno.test("top-hats of truth values are true where opening and closing change them", async () => {
  await using context = createContext({ workers: 0 });
  const array = memoryArray([1, 6], "bool", (i) => [0, 1, 0, 1, 1, 1][i]!);
  const options = { border: "constant", fill: 1, tile: [1, 4], context } as const;
  const hat = async (name: string) => {
    const params = { radius: [0, 1] };
    return Array.from((await mapViews(array, { name, operation: name, params }, options)).data, Number);
  };
  assertEquals(await hat("whiteTopHat"), [1, 1, 0, 0, 0, 0]);
  assertEquals(await hat("blackTopHat"), [1, 0, 1, 0, 0, 0]);
});
