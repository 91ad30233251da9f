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
