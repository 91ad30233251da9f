/** Operations over views against scipy.ndimage; see `make_scipy.py`. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { localMaximum, localMinimum } from "../../../src/views/operations/local_extremes.ts";
import { memoryArray } from "../data.ts";

interface Row {
  readonly operation: "boxMean" | "localMinimum" | "localMaximum";
  readonly shape: number[];
  readonly radius: number[];
  readonly dtype: DType;
  readonly border: string;
  /** The samples of the result, with blanks between them. */
  readonly values: string;
}

const OPERATIONS = { boxMean, localMinimum, localMaximum };
const ROWS: readonly Row[] = JSON.parse(Deno.readTextFileSync(new URL("scipy.json", import.meta.url)));

Deno.test("extremes are those of SciPy, means are as well to 1e-6", async () => {
  await using context = createContext({ workers: 0 });
  assert(ROWS.length > 60);
  for (const { operation, shape, radius, dtype, border, values: text } of ROWS) {
    const values = text.split(" ").map(Number);
    const low = dtype === "uint8" ? 0 : 120;
    const array = memoryArray(shape, dtype, (i) => i * 7919 % 251 - low);
    const tile = shape.map((n, d) => Math.max(1, Math.min(n, 3 - d % 2)));
    const { data } = await mapViews(array, OPERATIONS[operation]({ radius }), {
      border,
      fill: 7,
      tile,
      context,
    });
    const what = `${operation} ${shape} ${radius} ${dtype} ${border}`;
    if (operation !== "boxMean") assertEquals(Array.from(data, Number), values, what);
    else {values.forEach((value, i) =>
        assert(Math.abs(Number(data[i]) - value) <= 1e-6 * (1 + Math.abs(value)), what)
      );}
  }
});
