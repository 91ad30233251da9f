/** Baselines of a Measurement Set are counted as NumPy counts them, and are the main image of it. */

import { assertAlmostEquals, assertEquals } from "@std/assert";
import { read } from "@tilewise/tilewise";
import { gaussian } from "@tilewise/tilewise/views";
import { tileSource } from "@tilewise/tilewise/web";
import { openSession } from "../../../web/engine/open.ts";
import { coverageOf, frequencyByRow } from "../../../web/engine/uv_coverage.ts";
import expected from "../../data/observations/coverage.json" with { type: "json" };
import { pathOf } from "../../observations/expected.ts";

Deno.test("baselines are in the cells that numpy.histogram2d has, in wavelengths", () => {
  const { uvw, wavelengths, cells, extent, counts } = expected;
  const found = coverageOf(uvw, (row) => 1 / wavelengths[row % 2]! / 1000, cells);
  assertAlmostEquals(found.extent, extent, 1e-12);
  const filled = [...found.counts.entries()].filter(([, count]) => count > 0);
  assertEquals(filled, counts);
});

Deno.test("rows without a place are left out, and none at all make an empty image", () => {
  assertEquals([...coverageOf([1, 1, 0, NaN, 1, 0], () => 1, 3).counts], [1, 0, 0, 0, 0, 0, 0, 0, 1]);
  assertEquals([...coverageOf([], () => 1, 3).counts], Array(9).fill(0));
});

Deno.test("rows have the frequency of their window, and none where a window has none", () => {
  assertEquals([0, 1, 2].map(frequencyByRow([1, 0, 1], [2, 0], [1e9, 0, 2e9])!), [1e9, 2e9, 1e9]);
  assertEquals(frequencyByRow([1, 0, 1], [2, 0], [0, 0, 2e9]), undefined);
  assertEquals(frequencyByRow([1], [0], [1e9]), undefined);
});

Deno.test("a Measurement Set opens with its baselines, in metres where windows have no frequency", async () => {
  const path = pathOf("small.ms");
  const session = await openSession(path, {});
  const { dataset, datasets } = session;
  assertEquals(dataset.axes.map(({ name, kind, unit, upwards }) => [name, kind, unit, upwards]), [
    ["v", "other", "m", true],
    ["u", "other", "m", undefined],
  ]);
  await using tiles = await tileSource(dataset, { filters: gaussian({ sigma: 1 }) });
  assertEquals(tiles.labels, ["y", "x"]); // it is an image all the same
  const uvw = datasets.find(({ array }) => array === "UVW")!;
  const places = (await read(uvw)).data as Float64Array;
  const rows = uvw.shape[0]!;
  const counts = Float64Array.from((await read(dataset)).data, Number);
  assertEquals(counts.reduce((a, b) => a + b), 2 * rows);
  const { scale = 0, offset = 0, size } = dataset.axes[1]!;
  for (let row = 0; row < rows; row++) {
    for (const sign of [1, -1]) {
      const [x, y] = [0, 1].map((d) => Math.round((sign * places[3 * row + d]! - offset) / scale));
      counts[y! * size + x!]!--;
    }
  }
  assertEquals(counts.every((count) => count === 0), true);
  await session.close();
  const other = await openSession(path, { array: "UVW" });
  assertEquals(other.dataset.array, "UVW");
  await other.close();
});
