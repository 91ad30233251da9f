import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import {
  annularDetector,
  createContext,
  type Dataset,
  open,
  plan,
  roi,
  run,
  standardDeviation,
  sumFrames,
  sumPixels,
} from "../../../mod.ts";
import { udfPlan as planInside } from "../../../src/udf/run/plan.ts";
import { npyHeader } from "../../../src/sinks/npy/npy_header.ts";
import { type DType, dtypeInfo, typedArray } from "../../../src/space/dtype.ts";
import { sizeOf, unravel } from "../../../src/space/shape.ts";

const SHAPE = [16, 24, 20, 6];

/** The same samples in C order, or in Fortran order. */
async function scanOf(dtype: DType, order: "C" | "F"): Promise<Dataset> {
  const n = sizeOf(SHAPE);
  const samples = typedArray(dtype, new ArrayBuffer(n * dtypeInfo(dtype).itemSize), 0, n);
  const reversed = SHAPE.toReversed();
  for (let i = 0; i < n; i++) {
    const at = order === "C" ? unravel(i, SHAPE) : unravel(i, reversed).reverse();
    const flat = at.reduce((sum, c, d) => sum * SHAPE[d]! + c, 0);
    samples[i] = (flat * 7919 % 251) / (dtype === "float32" ? 3 : 1);
  }
  const header = npyHeader(dtype, SHAPE);
  if (order === "F") {
    const at = new TextDecoder("ascii").decode(header).indexOf("False");
    header.set(new TextEncoder().encode("True "), at);
  }
  const bytes = new Uint8Array(header.length + samples.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(samples.buffer), header.length);
  return await open(bytes, { format: "npy", nav: [16, 24] });
}

Deno.test("frames in Fortran order give the bits of the same frames in C order", async () => {
  await using context = createContext({ workers: 0 });
  const region = roi.mask(Uint8Array.from({ length: 384 }, (_, i) => i % 7 === 0 ? 0 : 1));
  for (const dtype of ["uint8", "uint16", "float32"] as const) {
    const [c, f] = [await scanOf(dtype, "C"), await scanOf(dtype, "F")];
    for (const options of [{}, { partitions: 3 }, { roi: region }, { tileBytes: 4096 }]) {
      const results = await Promise.all([c, f].map(async (scan) => {
        const few = await run(
          await plan(scan, { sum: sumFrames(), sums: sumPixels() }, { ...options, context }),
        );
        const more = {
          deviation: standardDeviation(),
          disk: annularDetector({ cy: 9, cx: 3, ri: 1, ro: 5 }),
        };
        const all = await run(await plan(scan, { ...more, sum: sumFrames() }, { ...options, context }));
        return [
          few.sum.intensity.data,
          few.sums.intensity.data,
          all.disk.intensity.data,
          all.sum.intensity.data,
        ];
      }));
      assertEquals(results[1], results[0], `${dtype}, ${JSON.stringify(Object.keys(options))}`);
    }
  }
});

Deno.test("a plan over frames in Fortran order has tiles of all frames of a partition, and says why", async () => {
  const { scheme, partitions, explain } = await planInside(
    await scanOf("uint16", "F"),
    { sum: sumFrames() },
    {
      tileBytes: 8192,
    },
  );
  assertEquals([partitions.length, scheme.tileShape], [1, [384, 1, 6]]);
  assert(explain().includes("the samples of one pixel together"));
});
