/** Scans and frames of any number of dimensions: what works on them gives the same numbers, the rest says what it needs. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { pixelValues } from "../../../src/udf/builtin/pixel_values.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { counts, memoryScan, numbers } from "../data.ts";
import { NAV, SAMPLES, SIG } from "../builtin/every_builtin.ts";

const PIXELS = 648;
const VALUES = counts(300 * PIXELS, 3);

const scan = (nav: Shape, sig: Shape): StoredDataset => memoryScan(VALUES, nav, sig, "uint16");

async function compute(ref: UdfRef, dataset: StoredDataset, context: Context) {
  return (await run(await plan(dataset, { it: ref }, { context }))).it!;
}

/** All samples but those whose parameters are arrays over a scan of two dimensions. */
const REFS = Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [name, i, ref] as const))
  .filter(([name, i]) =>
    name !== "integrate_peaks" && !(name === "correlate_pattern" && i === 0) &&
    !(name === "apply_masks" && i === 3)
  );

const open = () => createContext({ memory: 128 * 2 ** 20, workers: 0 });

/** Results that look at neighbours in the scan: only scans of two dimensions have them. */
const DERIVED = ["divergence", "curl"];

for (const nav of [[300], [2, 3, 5, 10]]) {
  Deno.test(`a scan of ${nav.join(" × ")}: every built-in UDF gives the numbers of a plane scan`, async () => {
    await using context = open();
    for (const [name, i, ref] of REFS) {
      if (name === "centre_of_mass" && i === 1) {
        const refused = () => compute(ref, scan(nav, SIG), context);
        await assertRejects(refused, TilewiseError, `a scan of ${nav.length} dimensions: it needs 2`);
        continue;
      }
      const plane = await compute(ref, scan(NAV, SIG), context);
      const found = await compute(ref, scan(nav, SIG), context);
      for (const [buffer, { data, shape }] of Object.entries(plane)) {
        if (DERIVED.includes(buffer)) {
          assertEquals(found[buffer], undefined);
          continue;
        }
        assertEquals(numbers(found[buffer]!.data), numbers(data), `${name} ${i} ${buffer}`);
        const own = shape[0] === NAV[0] && shape[1] === NAV[1];
        assertEquals(
          found[buffer]!.shape,
          own ? [...nav, ...shape.slice(2)] : shape,
          `${name} ${i} ${buffer}`,
        );
      }
    }
  });
}

/** UDFs that take pixels one by one, whatever the shape of a frame. */
const ANY_FRAME = [
  "family",
  "kernel",
  "log_sum",
  "map_frames",
  "noop",
  "pick_frames",
  "standard_deviation",
  "sum_frames",
  "sum_pixels",
];

for (const sig of [[PIXELS], [3, 8, 27], [2, 3, 4, 27]]) {
  Deno.test(`frames of ${sig.join(" × ")}: the same numbers, or an error that says what is needed`, async () => {
    await using context = open();
    for (const [name, i, ref] of REFS) {
      if (ANY_FRAME.includes(name) || name === "expression" && i === 1) {
        const plane = await compute(ref, scan(NAV, SIG), context);
        const found = await compute(ref, scan(NAV, sig), context);
        for (const [buffer, { data, shape }] of Object.entries(plane)) {
          assertEquals(numbers(found[buffer]!.data), numbers(data), `${name} ${i} ${buffer}`);
          const rest = shape.at(-2) === SIG[0] && shape.at(-1) === SIG[1];
          assertEquals(found[buffer]!.shape, rest ? [...shape.slice(0, -2), ...sig] : shape);
        }
        continue;
      }
      const error = await assertRejects(() => compute(ref, scan(NAV, sig), context), TilewiseError);
      assertEquals(error.code, "invalid", `${name} ${i}`);
      assert(error.message.includes(sig.join(" × ")), error.message);
      const isFlat = /2 dimensions|mask of 24 × 27|array "gain" of 24 × 27|\(3, 4\) is not a pixel/;
      assert(isFlat.test(error.message), error.message);
    }
  });

  Deno.test(`masks and pixels of frames of ${sig.join(" × ")} are given in their shape`, async () => {
    await using context = open();
    const weights = Float32Array.from({ length: PIXELS }, (_, i) => (i * 7 % 11) - 5);
    const of = (shape: Shape) => applyMasks({ masks: [ndarray(weights, shape, "float32")] });
    const { intensity } = await compute(of(sig), scan(NAV, sig), context);
    assertEquals(
      numbers(intensity!.data),
      numbers((await compute(of(SIG), scan(NAV, SIG), context)).intensity!.data),
    );
    const last = sig.map((n) => n - 1);
    const corners = await compute(pixelValues({ at: [sig.map(() => 0), last] }), scan(NAV, sig), context);
    const expected = Array.from(
      { length: 300 },
      (_, f) => [VALUES[f * PIXELS]!, VALUES[(f + 1) * PIXELS - 1]!],
    );
    assertEquals(numbers(corners.intensity!.data), expected.flat());
  });
}

Deno.test("one frame is a scan of no, one or two dimensions", async () => {
  await using context = open();
  const frame = (nav: Shape) => memoryScan(VALUES.subarray(0, PIXELS), nav, SIG, "uint16");
  for (const [name, i, ref] of REFS) {
    if (name === "centre_of_mass" && i === 1) continue; // a plane needs a plane
    const expected = await compute(ref, frame([1, 1]), context);
    for (const nav of [[], [1]]) {
      const found = await compute(ref, frame(nav), context);
      for (const [buffer, { data, shape }] of Object.entries(found)) {
        assertEquals(numbers(data), numbers(expected[buffer]!.data), `${name} ${i} ${buffer}`);
        const missing = expected[buffer]!.shape.length - shape.length;
        assert(missing === 0 || missing === 2 - nav.length, `${name} ${i} ${buffer}`);
      }
    }
  }
});
