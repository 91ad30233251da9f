/**
 * Corrections of complex frames: dark frame, gain map and dead pixels, compared with LiberTEM and NumPy
 * (`tests/data/corrections/make.py`), and the same bits however frames are cut.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Corrections } from "../../../src/dataset/corrections.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { type DType, zeros } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { open } from "../../../src/formats/open.ts";
import { cases } from "../../suite/cases.ts";
import { both } from "../both.ts";
import { memoryScan, numbers, type ScanOptions } from "../data.ts";
import { NAV, SAMPLES as BUILTINS } from "../builtin/every_builtin.ts";

interface Case {
  readonly dtype: "complex64" | "complex128";
  readonly parts: readonly string[];
  readonly frame7: readonly number[];
  readonly sum: readonly number[];
}

const EXPECTED: readonly Case[] = JSON.parse(
  await Deno.readTextFile(new URL("../../data/corrections/expected.json", import.meta.url)),
);
const SIG = [4, 5] as const;
const EXCLUDED = [[1, 1], [1, 2], [3, 4]];
const SAMPLES = Array.from({ length: 480 }, (_, i) => {
  const k = Math.floor(i / 2);
  return i % 2 === 0 ? (7 * k * k + 3 * k) % 31 : (5 * k * k + k) % 17 - 8;
});

const scan = (dtype: DType, options?: ScanOptions) =>
  memoryScan(SAMPLES, [3, 4], SIG, dtype, { images: 12, ...options });

/** A real map from a function of the pixel, or a complex one. */
function map(dtype: DType, re: (k: number) => number, im?: (k: number) => number): NDArray {
  const data = zeros(dtype, 20) as Float64Array;
  for (let k = 0; k < 20; k++) {
    data[im ? 2 * k : k] = re(k);
    if (im) data[2 * k + 1] = im(k);
  }
  return ndarray(data, SIG, dtype);
}

/** The corrections of a case, in types of 32 or 64 bits. */
function corrections(parts: readonly string[], bits: 32 | 64): Corrections {
  const [real, complex] = bits === 32
    ? ["float32", "complex64"] as const
    : ["float64", "complex128"] as const;
  const [dark, gain] = [(k: number) => k / 10, (k: number) => 1 + k / 100];
  return {
    ...(parts.includes("dark") ? { dark: map(real, dark) } : {}),
    ...(parts.includes("complex dark") ? { dark: map(complex, dark, (k) => -k / 20) } : {}),
    ...(parts.includes("gain") ? { gain: map(real, gain) } : {}),
    ...(parts.includes("complex gain") ? { gain: map(complex, gain, (k) => (k % 3) / 10) } : {}),
    ...(parts.includes("excluded") ? { excluded: EXCLUDED } : {}),
  };
}

function near(found: ArrayLike<number>, expected: readonly number[], tolerance: number, text: string): void {
  assertEquals(found.length, expected.length);
  expected.forEach((value, i) => {
    const limit = tolerance * Math.max(1, Math.abs(value));
    assert(Math.abs(found[i]! - value) <= limit, `${text}: number ${i} is ${found[i]}, not ${value}`);
  });
}

const udfs = { dp: sumFrames(), frames: pickFrames() };

async function corrected(dtype: DType, options: PlanOptions, scanOptions?: ScanOptions) {
  const { dp, frames } = await run(await plan(scan(dtype, scanOptions), udfs, options));
  return { dp: dp!.intensity!, frames: frames!.intensity! };
}

both("complex frames are corrected as LiberTEM and NumPy do it", async (context) => {
  for (const { dtype, parts, frame7, sum } of EXPECTED) {
    for (const bits of [32, 64] as const) {
      const { dp, frames } = await corrected(dtype, { context, corrections: corrections(parts, bits) });
      assertEquals([dp.dtype, frames.dtype, frames.shape], ["complex128", dtype, [3, 4, 4, 5]]);
      const tolerance = dtype === "complex64" || bits === 32 ? 1e-6 : 1e-13;
      const text = `${dtype}, ${parts.join(", ")} of ${bits} bits`;
      near(numbers(frames.data).slice(7 * 40, 8 * 40), frame7, tolerance, text);
      near(numbers(dp.data), sum, 12 * tolerance, text);
    }
  }
});

Deno.test("the bits do not depend on tiles, partitions and byte order", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 0 });
  for (const { dtype, parts } of EXPECTED) {
    const options = { context, corrections: corrections(parts, 64) };
    const expected = await corrected(dtype, options);
    for (
      const [tileBytes, partitions, order] of [[200, 12, "big"], [64, 1, "little"], [1e6, 5, "big"]] as const
    ) {
      const found = await corrected(dtype, { ...options, tileBytes, partitions }, {
        order,
        frameHeaderBytes: 3,
      });
      assertEquals(found.frames.data, expected.frames.data, `${dtype}, ${parts}`);
      assertEquals(found.dp.data, expected.dp.data);
    }
    await context.settled();
    assertEquals(context.arena.used, 0);
  }
});

Deno.test("every built-in UDF gives for frames that zeros correct what it gives for the frames", async () => {
  await using context = new RunContext({ memory: 2 ** 27, workers: 0 });
  const data = Float32Array.from({ length: 2 * 300 * 24 * 27 }, (_, i) => (i * i + 7 * i) % 61 - 20);
  const frames = await open({ data, nav: NAV, sig: [24, 27], dtype: "complex64" });
  const dark = ndarray(new Float32Array(24 * 27), [24, 27], "float32");
  let compared = 0;
  for (const [name, refs] of Object.entries(BUILTINS)) {
    for (const it of refs.slice(0, cases(1, refs.length))) {
      const outcome = async (options: PlanOptions) => {
        try {
          const found = (await run(await plan(frames, { it }, { context, partitions: 3, ...options }))).it!;
          return Object.values(found).map(({ data, dtype }) => [dtype, data]);
        } catch (error) {
          assert(error instanceof TilewiseError, name);
          return [error.code];
        }
      };
      const expected = await outcome({});
      assertEquals(await outcome({ corrections: { dark } }), expected, name);
      if (expected.length > 1 || Array.isArray(expected[0])) compared++;
    }
  }
  assert(compared > 8, `only ${compared} take complex frames`);
});

Deno.test("a real gain scales both parts: infinities stay what they are", async () => {
  const values = [Infinity, 1, -Infinity, Infinity, 0, NaN, 2, -3];
  const data = memoryScan(values, [1], [2, 2], "complex128", { images: 1 });
  const gain = ndarray(Float64Array.of(2, -1, 3, 0.5), [2, 2], "float64");
  const { it } = await run(await plan(data, { it: pickFrames() }, { corrections: { gain } }));
  assertEquals(numbers(it!.intensity!.data), [Infinity, 2, Infinity, -Infinity, 0, NaN, 1, -1.5]);
});

Deno.test("whole numbers may correct complex frames, too", async () => {
  const dark = ndarray(Int32Array.from({ length: 20 }, (_, k) => k), SIG, "int32");
  const excluded = {
    dark,
    gain: ndarray(BigInt64Array.from({ length: 20 }, (_, k) => BigInt(k + 1)), SIG, "int64"),
  };
  const { frames } = await corrected("complex64", { corrections: excluded });
  const expected = SAMPLES.map((value, i) => {
    const k = Math.floor(i / 2) % 20;
    return (value - (i % 2 === 0 ? k : 0)) * (k + 1);
  });
  assertEquals(numbers(frames.data), expected);
});

Deno.test("complex maps are refused for real frames", async () => {
  const dark = map("complex64", () => 1, () => 1);
  const work = () => plan(scan("float32"), udfs, { corrections: { dark } });
  const error = await assertRejects(work, TilewiseError, "complex64 for frames of float32; it must be real");
  assertEquals(error.code, "invalid");
});

Deno.test("the plan says the type, and counts maps and patches of pairs", async () => {
  await using context = new RunContext({ memory: 2 ** 24, workers: 0 });
  const options = { context, corrections: corrections(["complex dark", "complex gain", "excluded"], 64) };
  const job = await plan(scan("complex128"), udfs, options);
  assertEquals(job.nativeDType, "complex128");
  await run(job);
  assert(context.arena.peak <= job.memory.total, `${context.arena.peak} of ${job.memory.total}`);
});
