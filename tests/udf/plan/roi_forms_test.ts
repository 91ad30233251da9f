/** Every way to write a region of interest gives the same run; what does not fit is refused with both shapes. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { RoiInput } from "../../../src/dataset/roi/roi.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { unravel } from "../../../src/space/shape.ts";
import { noop } from "../../../src/udf/builtin/noop.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { counts, goldenScan, memoryScan, numbers } from "../data.ts";

const NAV = [3, 4];
const VALUES = counts(12 * 6, 9);
const scan = () => memoryScan(VALUES, NAV, [2, 3], "uint16");
const UDFS = { bright: sumPixels(), sum: sumFrames() };

/** All ways to write the region that `mask` selects. */
function forms(mask: readonly boolean[]): RoiInput[] {
  const flags = Uint8Array.from(mask, Number);
  const rows = [0, 4, 8].map((at) => mask.slice(at, at + 4));
  const positions = [...mask.keys()];
  const on = positions.filter((i) => mask[i]);
  const at = (all: readonly number[]) => all.map((i) => unravel(i, NAV));
  const toggles = (all: readonly number[], value: boolean) => at(all).map((c) => [c, value] as const);
  const off = positions.filter((i) => !mask[i]);
  return [
    flags,
    [...mask],
    rows,
    ndarray(flags, NAV, "bool"),
    { data: [...mask], shape: [12] },
    { shape: NAV, indices: on },
    { shape: [12], indices: Uint32Array.from(on).reverse() },
    { shape: NAV, coordinates: at(on) },
    { shape: [2, 6], coordinates: on.map((i) => [Math.floor(i / 6) - 2, i % 6]) },
    at(on),
    at(on).map(([y, x]) => [y! - 3, x! - 4]),
    ...(on.length > 0 ? [toggles(on, true)] : []),
    ...(off.length > 0 ? [toggles(off, false)] : []),
    ...(on.length === 1 ? [at(on)[0]!] : []),
  ];
}

Deno.test("all forms of a region give what a plain program gives", async () => {
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const masks = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  const check = async (mask: boolean[]) => {
    const frame = (f: number) => [...VALUES.subarray(6 * f, 6 * f + 6)];
    const bright = mask.map((on, f) => on ? frame(f).reduce((sum, v) => sum + v, 0) : NaN);
    const sum = Array.from(
      { length: 6 },
      (_, i) => mask.reduce((total, on, f) => total + (on ? frame(f)[i]! : 0), 0),
    );
    for (const roi of forms(mask)) {
      const found = await run(await plan(scan(), UDFS, { context, roi }));
      assertEquals(numbers(found.bright!.intensity!.data), bright, JSON.stringify(roi));
      assertEquals([...found.bright!.intensity!.valid!], mask.map(Number));
      assertEquals(numbers(found.sum!.intensity!.data), sum);
    }
  };
  await fc.assert(fc.asyncProperty(masks, check), {
    numRuns: 25,
    seed: 4,
    examples: [[Array(12).fill(false)], [Array(12).fill(true)]],
  });
});

Deno.test("an empty region gives results once, with their fill values", async () => {
  for (const workers of [0, 1]) {
    await using context = createContext({ memory: 2 ** 24, workers });
    const job = await plan(goldenScan(), { ...UDFS, seen: noop() }, {
      context,
      roi: { shape: [3, 4], indices: [] },
    });
    assertEquals(job.bytesToRead, 0);
    let parts = 0;
    for await (const { results, damage, progress } of run(job)) {
      parts++;
      assertEquals(numbers(damage.data), Array(12).fill(0));
      assertEquals([progress.frames, progress.framesTotal, progress.partitionsTotal], [0, 0, 0]);
      assertEquals(numbers(results.sum!.intensity!.data), Array(20).fill(0));
      assert(numbers(results.bright!.intensity!.data).every(Number.isNaN));
      assertEquals(numbers(results.seen!.seen!.data), Array(12).fill(0));
      assertEquals([...results.seen!.seen!.valid!], Array(12).fill(0));
    }
    assertEquals(parts, 1);
  }
});

Deno.test("regions that do not fit name both shapes, or the position", async () => {
  const wrong: [unknown, string][] = [
    [{ data: new Uint8Array(6), shape: [2, 3] }, "of 2 × 3 on a scan of 3 × 4"],
    [new Uint8Array(13), "of 13 on a scan of 3 × 4"],
    [[[true, false], [true, true]], "of 2 × 2 on a scan of 3 × 4"],
    [{ shape: [5, 5], indices: [1] }, "of 5 × 5 on a scan of 3 × 4"],
    [{ shape: [3, 4], indices: [12] }, "Position (12) is not in a scan of 12"],
    [{ shape: [3, 4], indices: [1.5] }, "Position (1.5)"],
    [{ shape: [3, 4], coordinates: [[0, 0], [3, 0]] }, "Position (3, 0) is not in a scan of 3 × 4"],
    [{ shape: [3, 4] }, "either indices or coordinates"],
    [{ shape: [3, 4], indices: [], coordinates: [] }, "either indices or coordinates"],
    [[[[0, 0], true], [[0, 9], false]], "Position (0, 9)"],
    [[[0, 0, 0]], "Position (0, 0, 0)"],
  ];
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  for (const [roi, text] of wrong) {
    const failing = () => plan(scan(), UDFS, { context, roi: roi as RoiInput });
    const error = await assertRejects(failing, TilewiseError, text);
    assertEquals(error.code, "invalid");
  }
});
