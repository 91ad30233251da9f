/**
 * Tiles that are boxes with holes between their pixels in a frame: corrections, auxiliary data, buffers and positions meet
 * the pixels they belong to, whatever the shape of a frame, compared with a computation sample by sample.
 */

import { assert, assertEquals } from "@std/assert";
import type { Corrections } from "../../../src/dataset/corrections.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { isContiguous } from "../../../src/space/box.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { auxData } from "../../../src/udf/interface/aux_data.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { type Random, seeded, whole } from "../../../src/udf/testing/random.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { csrScan } from "../csr_data.ts";
import { memoryScan, numbers } from "../data.ts";

/** What a test sees of a scan: every corrected sample, one by one and together. */
function seen(depth: number, totalBytes: number, sig: Shape, units: number): Udf {
  const weights = auxData(Float64Array.from({ length: sizeOf(sig) }, (_, p) => p % 7 - 2), { kind: "sig" });
  return {
    name: "seen",
    inputDType: "native",
    buffers: ({ nativeDType }) => ({
      frames: { kind: "nav", dtype: nativeDType, extraShape: sig },
      total: { kind: "sig", dtype: "float64", extraShape: [units] },
      dot: { kind: "nav", dtype: "float64", extraShape: [units] },
    }),
    aux: () => ({ weights }),
    tiling: { depth, totalBytes },
    preprocess({ total }) {
      for (let i = 0; i < total!.length; i++) total![i] = Math.floor(i / units);
    },
    processTile({ data, frames, pixels, box }, { frames: copies, total, dot }, { aux }) {
      for (let f = 0; f < frames; f++) {
        for (let p = 0; p < pixels; p++) {
          const at = ravel(unravel(p, box.shape).map((c, d) => c + box.origin[d]!), sig);
          for (let u = 0; u < units; u++) {
            const value = data[(f * pixels + p) * units + u]!;
            copies![(f * sizeOf(sig) + at) * units + u] = value;
            total![p * units + u] = Number(total![p * units + u]) + Number(value);
            dot![f * units + u] = Number(dot![f * units + u]) + Number(value) * Number(aux.weights![p]);
          }
        }
      }
    },
    merge(into, from) {
      for (let i = 0; i < into.total!.length; i++) {
        into.total![i] = Number(into.total![i]) + Number(from.total![i]) - Math.floor(i / units);
      }
    },
  };
}

/** Whole numbers, as a map over the frame: every sum and product of them is exact. */
function mapOf(random: Random, sig: Shape, most: number): NDArray {
  return ndarray(Float64Array.from({ length: sizeOf(sig) }, () => whole(random, 1, most)), sig, "float64");
}

/** The corrected samples of one frame, one after another. */
function corrected(frame: readonly number[], sig: Shape, units: number, of: Corrections): number[] {
  const { dark, gain, excluded = [] } = of;
  const scaled = frame.map((x, i) => {
    const p = Math.floor(i / units), isReal = i % units === 0;
    return (x - (dark && isReal ? Number(dark.data[p]) : 0)) * (gain ? Number(gain.data[p]) : 1);
  });
  const patched = [...scaled];
  const bad = new Set(excluded.map((at) => ravel(at, sig)));
  for (const at of excluded) {
    const good = Array.from({ length: sizeOf(sig) }, (_, p) => p).filter((p) =>
      !bad.has(p) && unravel(p, sig).every((c, d) => Math.abs(c - at[d]!) <= 1)
    );
    for (let u = 0; u < units; u++) {
      const sum = good.reduce((total, p) => total + scaled[p * units + u]!, 0);
      patched[ravel(at, sig) * units + u] = sum / good.length;
    }
  }
  return patched;
}

const DTYPES: readonly DType[] = [
  "uint8",
  "int16",
  "uint16",
  "int32",
  "int64",
  "float32",
  "float64",
  "complex64",
  "bool",
];

/** Frames of some dimensions; large ones are cut even where nothing is excluded. */
function shapeOf(random: Random, dims: number): Shape {
  const isLarge = random() < 0.3;
  const most = isLarge ? [0, 20000, 150, 30, 13][dims]! : [0, 40, 14, 8, 5][dims]!;
  return Array.from({ length: dims }, () => whole(random, isLarge ? Math.ceil(most * 0.8) : 3, most));
}

function correctionsOf(random: Random, sig: Shape): Corrections {
  const excluded = random() < 0.6 ? [sig.map((n) => whole(random, 0, n - 1))] : [];
  return {
    ...(random() < 0.7 ? { dark: mapOf(random, sig, 20) } : {}),
    ...(random() < 0.7 ? { gain: mapOf(random, sig, 8) } : {}),
    excluded,
  };
}

/** One random scan, cut at random: whether its tiles had holes. */
async function check(seed: number, dims: number): Promise<boolean> {
  const random = seeded(seed);
  const sig = shapeOf(random, dims);
  const dtype = DTYPES[whole(random, 0, DTYPES.length - 1)]!;
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const nav = [whole(random, 1, 2), whole(random, 1, 3)];
  const size = sizeOf(sig) * units, count = sizeOf(nav);
  const values = Float64Array.from(
    { length: size * count },
    () => whole(random, 0, dtype === "bool" ? 1 : 60),
  );
  const isSparse = units === 1 && dtype !== "bool" && random() < 0.2;
  const scan = isSparse ? csrScan(values, nav, sig, dtype) : memoryScan(values, nav, sig, dtype, {
    images: count,
    order: random() < 0.5 ? "big" : "little",
    frameHeaderBytes: whole(random, 0, 9),
  });
  const corrections = correctionsOf(random, sig);
  const it = seen(whole(random, 1, 4), whole(random, 40, 40000), sig, units);
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const partitions = whole(random, 1, count);
  const job = await plan(scan, { it }, { context, corrections: isSparse ? "none" : corrections, partitions });
  const found = (await run(job)).it!;
  const expected = Array.from(
    { length: count },
    (_, f) =>
      corrected([...values.subarray(f * size, (f + 1) * size)], sig, units, isSparse ? {} : corrections),
  );
  const text = `seed ${seed}: ${sig.join(" × ")} ${dtype}`;
  compare(numbers(found.frames!.data), expected.flat(), `${text}, frames`);
  const total = Array.from(
    { length: size },
    (_, i) => expected.reduce((sum, frame) => sum + frame[i]!, Math.floor(i / units)),
  );
  compare(numbers(found.total!.data), total, `${text}, total`);
  const dots = expected.flatMap((frame) =>
    Array.from(
      { length: units },
      (_, u) =>
        frame.reduce((sum, x, i) => i % units === u ? sum + x * (Math.floor(i / units) % 7 - 2) : sum, 0),
    )
  );
  compare(numbers(found.dot!.data), dots, `${text}, dot`);
  return !job.scheme.slices.every((slice) => isContiguous(slice, sig));
}

function compare(found: readonly number[], expected: readonly number[], text: string): void {
  assertEquals(found.length, expected.length, text);
  const odd = found.findIndex((x, i) =>
    !(Math.abs(x - expected[i]!) <= 1e-5 * Math.max(1, Math.abs(expected[i]!)))
  );
  assert(odd < 0, `${text}: number ${odd} is ${found[odd]}, not ${expected[odd]}`);
}

for (const dims of [1, 2, 3, 4]) {
  Deno.test(`frames of ${dims} dimensions: dark frame, gain and dead pixels meet their pixels in every tile`, async () => {
    let withHoles = 0;
    for (let seed = 1; seed <= 25; seed++) if (await check(100 * dims + seed, dims)) withHoles++;
    assertEquals(withHoles > 0, dims > 2, `${withHoles} scans had tiles with holes`);
  });
}
