/** Labels in every sink, compared with those of SciPy. */

import { assertEquals } from "@std/assert";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { memoryArray } from "../data.ts";
import { withFolder } from "../sinks/data.ts";
import { drawing, everySink } from "../sinks/every_sink.ts";
import { digest, level, type REGION_ROWS } from "./regions.ts";

/** Labels the images of `rows` into every sink, with options drawn from `seed` on. Returns how many results were compared. */
export async function labelEverySink(
  seed: number,
  context: Context,
  rows: typeof REGION_ROWS,
): Promise<number> {
  await using here = createContext({ workers: 0 }); // workers in processes may not read what was written
  let compared = 0;
  await withFolder(async (folder) => {
    for (const [n, { shape, connectivity, kind, seed: own, count, sha256 }] of rows.entries()) {
      const draw = drawing(seed + n);
      const array = memoryArray(shape, "uint8", level(kind, shape, own));
      for (const { name, sink, result } of everySink(draw, { shape, dtype: "uint32" }, folder)) {
        const found = await labelImage(array, { threshold: 50, connectivity, context, sink });
        const { data } = await result(here);
        const what = `${shape} ${kind} ${connectivity}: ${name}`;
        assertEquals([found.count, await digest(data as Uint32Array)], [count, sha256], what);
        compared++;
      }
    }
  });
  return compared;
}
