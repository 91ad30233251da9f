/** Counts are those of the newest display, also if it is one that was counted before. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { ndarray } from "@tilewise/tilewise/arrays";
import { DrawnImage } from "../../../web/draw/drawn.ts";
import { Counting } from "../../../web/pictures/counting.ts";
import { START } from "../../../web/state/state.ts";

const AXES = [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }] as const;

Deno.test("an older count does not come in the place of a display that one returns to", async () => {
  const values = Float64Array.from({ length: 300 * 400 }, (_, i) => i % 1000);
  const image = new DrawnImage({ array: ndarray(values, [300, 400], "float64"), title: "", axes: AXES });
  const [narrow, wide] = [[0, 1000], [-5000, 5000]].map((range) => ({
    ...START.scan,
    range: range as [number, number],
  }));
  const counting = new Counting(() => {});
  await counting.count(image, narrow!);
  const { domain } = counting.counts!;
  const older = counting.count(image, wide!);
  await counting.count(image, narrow!);
  await older;
  assertEquals(counting.counts!.domain, domain);
  await counting.count(image, wide!);
  assertNotEquals(counting.counts!.domain, domain);
});
