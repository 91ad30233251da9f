/** Samples that are infinite or not numbers: what they spoil, and what they leave as it is. */

import { assertEquals } from "@std/assert";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { createContext } from "../../../src/runner/context.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { annularDetector, pointDetector, rectangularDetector } from "../../../src/udf/builtin/detectors.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { csrScan } from "../csr_data.ts";
import { memoryScan, numbers } from "../data.ts";

const FRAMES = 70; // leaves of the merge tree have 32

Deno.test("sum and mean of infinite samples are infinite, wherever in the scan they are", async () => {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const places = [[0], [5], [31, 32], [69], [0, 40, 69]];
  const kinds = [[Infinity], [-Infinity], [Infinity, -Infinity], [NaN]];
  const columns = places.flatMap((at) => kinds.map((values) => ({ at, values })));
  const sig = [columns.length, 1];
  const data = Float64Array.from({ length: FRAMES * columns.length }, (_, i) => {
    const { at, values } = columns[i % columns.length]!;
    const nth = at.indexOf(Math.floor(i / columns.length));
    return nth < 0 ? i % 7 : values[nth % values.length]!;
  });
  for (const dtype of ["float32", "float64"] as const) {
    for (const order of ["little", "big"] as const) {
      const scan = memoryScan(data, [FRAMES], sig, dtype, { order });
      const planned = await plan(scan, { sd: standardDeviation(), dp: sumFrames() }, {
        context,
        partitions: 3,
      });
      const { sd, dp } = await run(planned);
      const sums = numbers(dp.intensity.data);
      assertEquals(numbers(sd.sum.data), sums);
      assertEquals(numbers(sd.mean.data), sums);
      assertEquals(numbers(sd.var.data), sums.map(() => NaN));
    }
  }
});

const [HEIGHT, WIDTH] = [20, 1100]; // a row is more than one piece of the sums of products
const ring = { cy: 10, cx: 550, ri: 2, ro: 6 };

/** What looks at no pixel within 2 px of the centre of the frame, or farther from it than 9. */
const AROUND: Readonly<Record<string, UdfRef>> = {
  ring: annularDetector(ring),
  rectangle: rectangularDetector({ y: 13, x: 545, height: 2, width: 10 }),
  point: pointDetector({ cy: 13, cx: 550 }),
  "dense masks": applyMasks({ masks: [ring, { ...ring, ri: 3 }], useSparse: false }),
  "dense masks of float64": applyMasks({
    masks: [{ make: "radialBins", cy: 10, cx: 550, ri: 3, ro: 6, bins: 3 }],
    useSparse: false,
  }),
  "complex masks": applyMasks({
    masks: [{ make: "radialFourierMasks", cy: 10, cx: 550, ri: 3, ro: 6, bins: 1, maxOrder: 2 }],
    useSparse: false,
  }),
  "sparse masks": applyMasks({ masks: [ring], useSparse: true }),
  "moving masks": applyMasks({
    masks: [ring],
    shifts: ndarray(Int32Array.of(0, 0, 1, 0), [2, 2], "int32"),
  }),
  "centre of mass": centreOfMass({ cy: 10, cx: 550, r: 6, ri: 2 }),
  fluctuation: fluctuation(ring),
  "radial Fourier series": radialFourier({ cy: 10, cx: 550, ri: 3, ro: 6, bins: 1, maxOrder: 2 }),
};

/** Two frames in each form of frames; `other` is what pixels that do not count hold. */
function scansOf(other: number, dtype: "float32" | "float64"): StoredDataset[] {
  const samples = Float64Array.from({ length: 2 * HEIGHT * WIDTH }, (_, i) => {
    const [y, x] = [Math.floor(i / WIDTH) % HEIGHT - 10, i % WIDTH - 550];
    const far = Math.hypot(y, x);
    return far > 9 && i % 3 === 0 || far < 1 ? other : (i * 7) % 11 / 3;
  });
  const facts = [samples, [2], [HEIGHT, WIDTH], dtype, { order: "big" }] as const;
  return [memoryScan(...facts), csrScan(...facts)];
}

for (const [name, it] of Object.entries(AROUND)) {
  Deno.test(`${name}: pixels of weight 0 do not count, whatever they hold, in all forms of frames`, async () => {
    await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
    const results = async (scan: StoredDataset, how: object) => {
      const found = (await run(await plan(scan, { it }, { context, ...how }))).it!;
      return Object.values(found).map(({ data }) => numbers(data as never));
    };
    for (const dtype of ["float32", "float64"] as const) {
      const plain = scansOf(0, dtype);
      const expected = await Promise.all(plain.map((scan) => results(scan, {})));
      for (const other of [NaN, Infinity]) {
        for (const [form, scan] of scansOf(other, dtype).entries()) {
          for (const how of [{}, { tileBytes: 20000 }, { cull: false }]) {
            const told = `${dtype}, ${other}, form ${form}, ${JSON.stringify(how)}`;
            assertEquals(await results(scan, how), expected[form], told);
          }
        }
      }
    }
  });
}
