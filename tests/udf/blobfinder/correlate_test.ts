/** Disks are found where they are, and where libertem-blobfinder finds them. */

import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import type { ByteOrder, DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { lanesPlan } from "../../../src/kernels/families/lanes_plan.ts";
import { lanesSpectrum, largeSpectrum } from "../../../src/udf/builtin/blobfinder/patterns.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { memoryScan, numbers } from "../data.ts";
import { addDisk, DISKS, goldenFrame, PEAKS, RADIUS, SIZE } from "./frames.ts";
import golden from "./golden.json" with { type: "json" };

const NAMES = ["centers", "refineds", "peak_values", "peak_elevations"] as const;

async function find(
  frames: ArrayLike<number>,
  options: blobs.CorrelateOptions,
  sig = SIZE,
): Promise<UdfResult> {
  const count = frames.length / (sig[0] * sig[1]);
  const scan = memoryScan(frames, [count], sig, "float32");
  return (await run(await plan(scan, { disks: blobs.correlatePattern(options) }))).disks!;
}

function near(found: readonly number[], expected: readonly number[], tolerance: number, what: string): void {
  assertEquals(found.length, expected.length, what);
  found.forEach((value, i) => {
    const scale = what.includes("peak_") ? Math.max(1, Math.abs(expected[i]!)) : 1;
    assertAlmostEquals(value, expected[i]!, tolerance * scale, `${what}[${i}]`);
  });
}

const CASES = {
  circular: { pattern: blobs.circularPattern({ radius: RADIUS }) },
  radialGradient: { pattern: blobs.radialGradientPattern({ radius: RADIUS, search: 9.2 }) },
  backgroundSubtraction: { pattern: blobs.backgroundSubtractionPattern({ radius: RADIUS }) },
  full: { pattern: blobs.backgroundSubtractionPattern({ radius: RADIUS }), method: "full" },
} as const;

for (const [name, options] of Object.entries(CASES)) {
  Deno.test(`${name}: the same peaks as libertem-blobfinder`, async () => {
    const found = await find(goldenFrame(), { ...options, peaks: PEAKS });
    const expected = golden[name as keyof typeof CASES];
    for (const buffer of NAMES) {
      near(numbers(found[buffer]!.data), expected[buffer], 5e-4, `${name} ${buffer}`);
    }
  });
}

const METHODS: readonly Omit<blobs.CorrelateOptions, "peaks" | "pattern">[] = [
  { method: "fast" },
  { method: "fast", upsample: true },
  { method: "full" },
  { method: "full", upsample: 10 },
  { method: "sparse", steps: 4 },
];

for (const options of METHODS) {
  const name = JSON.stringify(options);
  Deno.test(`disks are found within 0.5 px, within 0.1 px with upsampling: ${name}`, async () => {
    const inside = [0, 1, 2, 3];
    const pattern = blobs.backgroundSubtractionPattern({ radius: RADIUS });
    const { refineds } = await find(goldenFrame(), {
      ...options,
      pattern,
      peaks: inside.map((p) => PEAKS[p]!),
    });
    const tolerance = options.upsample ? 0.1001 : 0.5;
    near(numbers(refineds!.data), inside.flatMap((p) => [...DISKS[p]!]), tolerance, name);
  });

  Deno.test(`constant frames leave peaks where they are, NaN gives NaN: ${name}`, async () => {
    const pattern = blobs.circularPattern({ radius: 3 });
    const frames = new Float64Array(3 * 32 * 32).fill(7);
    frames[32 * 32 + 16 * 32 + 15] = NaN;
    frames.fill(0, 2 * 32 * 32);
    const found = await find(frames, { ...options, pattern, peaks: [[16, 16]] }, [32, 32]);
    assertEquals(numbers(found.centers!.data), [16, 16, 16, 16, 16, 16]);
    assertEquals(numbers(found.refineds!.data), [16, 16, NaN, NaN, 16, 16]);
    assertEquals(numbers(found.peak_values!.data), [0, NaN, 0]);
    assertEquals(numbers(found.peak_elevations!.data), [0, NaN, 0]);
  });

  Deno.test(`templates without symmetry are not mirrored: ${name}`, async () => {
    const values = new Float64Array(9 * 9);
    for (const at of [10, 11, 12, 13, 19, 28, 37, 38]) values[at] = 1; // a hook
    const frame = new Float64Array(64 * 64);
    values.forEach((v, i) => frame[(30 - 4 + Math.floor(i / 9)) * 64 + 35 - 4 + i % 9] = 50 * v);
    const pattern = blobs.userTemplate({ template: ndarray(values, [9, 9], "float64"), search: 12 });
    const found = await find(frame, { ...options, pattern, peaks: [[28, 33]] }, [64, 64]);
    assertEquals(numbers(found.centers!.data), [30, 35]);
  });

  Deno.test(`peaks at and beyond the borders are looked for inside: ${name}`, async () => {
    const frame = new Float64Array(40 * 40);
    addDisk(frame, [40, 40], [2, 37], 4, (share, i) => frame[i] = 90 * share);
    const pattern = blobs.backgroundSubtractionPattern({ radius: 4 });
    const found = await find(frame, { ...options, pattern, peaks: [[0, 39], [-200, 5000], [1, 38]] }, [
      40,
      40,
    ]);
    const [y, x, farY, farX] = numbers(found.refineds!.data);
    assert(Math.hypot(y! - 2, x! - 37) < 1.6, `${y}, ${x}`);
    if (options.method !== "full") assertEquals([farY, farX], [-200, 5000]); // nothing there
  });

  Deno.test(`shifts move the peaks of each frame: ${name}`, async () => {
    const places = [[14, 16], [20, 25], [30, 12]] as const;
    const frames = new Float64Array(3 * 48 * 48);
    places.forEach((place, n) => {
      const frame = frames.subarray(n * 48 * 48, (n + 1) * 48 * 48);
      addDisk(frame, [48, 48], place, 4, (share, i) => frame[i] = 90 * share);
    });
    const shifts = ndarray(Float32Array.of(-5.9, -3.2, 1, 6, 10.8, -7), [3, 2], "float32");
    const pattern = blobs.backgroundSubtractionPattern({ radius: 4 });
    const found = await find(frames, { ...options, pattern, peaks: [[19, 19]], shifts }, [48, 48]);
    assertEquals(numbers(found.centers!.data), places.flat());
  });
}

Deno.test("the bits do not depend on workers, partitions, tiles, byte order, region and sample type", async () => {
  const positions = 24, frame = goldenFrame();
  const values = Float64Array.from(
    { length: positions * frame.length },
    (_, i) => frame[i % frame.length]! + (i * 7919) % (5 + Math.floor(i / frame.length)),
  );
  const udfs = Object.fromEntries(
    METHODS.filter(({ upsample }) => upsample !== 10).map((options, i) => {
      const pattern = blobs.radialGradientBackgroundSubtractionPattern({ radius: RADIUS });
      return [`m${i}`, blobs.correlatePattern({ ...options, pattern, peaks: PEAKS })];
    }),
  );
  const digest = async (
    dtype: DType,
    workers: number,
    options: PlanOptions = {},
    order: ByteOrder = "little",
  ) => {
    await using context = createContext({ memory: 64 * 2 ** 20, workers });
    const scan = memoryScan(values, [4, 6], SIZE, dtype, { order });
    const results = await run(await plan(scan, udfs, { ...options, context }));
    return Object.values(results).flatMap((r) => NAMES.map((name) => numbers(r[name]!.data)));
  };
  const expected = await digest("uint16", 0);
  assertEquals(await digest("uint16", 0, { partitions: 5 }), expected);
  assertEquals(await digest("uint16", 2, { partitions: 7 }), expected);
  assertEquals(await digest("uint16", 0, { tileBytes: 1 << 14 }, "big"), expected);
  for (const dtype of ["int32", "float64"] as const) assertEquals(await digest(dtype, 0), expected);
  const roi = [[0, 3], [2, 2], [3, 5]];
  const some = await digest("uint16", 0, { roi });
  const flat = roi.map(([y, x]) => 6 * y! + x!);
  some.forEach((found, r) => {
    const width = found.length / positions;
    for (const n of flat) {
      const part = (list: readonly number[]) => list.slice(n * width, (n + 1) * width);
      assertEquals(part(found), part(expected[r]!));
    }
  });
});

Deno.test("patterns that cannot be right are refused", async () => {
  assertThrows(
    () => blobs.circularPattern({ radius: 4, search: 3 }),
    TilewiseError,
    "search must contain the pattern",
  );
  assertThrows(
    () => blobs.backgroundSubtractionPattern({ radius: 4, outer: 9, search: 8 }),
    TilewiseError,
    "outer is 9",
  );
  assertThrows(
    () => blobs.backgroundSubtractionPattern({ radius: 4, outer: 4 }),
    TilewiseError,
    "must have a width",
  );
  assertThrows(() => blobs.circularPattern({ radius: 0 }), TilewiseError, "radius is 0");
  const template = ndarray(Float64Array.of(1, NaN), [1, 2], "float64");
  assertThrows(() => blobs.userTemplate({ template }), TilewiseError, "finite numbers");
  const frame = new Float64Array(16);
  const pattern = blobs.circularPattern({ radius: 1 });
  await assertRejects(() => find(frame, { pattern, peaks: [] }, [4, 4]), TilewiseError, "there are none");
  await assertRejects(() => find(frame, { pattern, peaks: [[1, NaN]] }, [4, 4]), TilewiseError, "finite");
  const wrong: blobs.CorrelateOptions = { pattern, peaks: [[1, 1]], method: "sparse", upsample: true };
  await assertRejects(() => find(frame, wrong, [4, 4]), TilewiseError, "Cannot upsample");
  const scan = memoryScan(frame, [1], [16], "float32");
  const ref = blobs.correlatePattern({ pattern, peaks: [[1, 1]] });
  await assertRejects(() => plan(scan, { ref }).then(run), TilewiseError, "2 dimensions");
});

Deno.test("patterns: weights of a template are padded around its centre, an ellipse follows its map of radii", () => {
  const template = ndarray(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), [3, 3], "float64");
  const pattern = blobs.userTemplate({ template });
  assertEquals(numbers(blobs.patternMask(pattern, [4, 5]).data), [
    0,
    0,
    0,
    0,
    0, //
    0,
    1,
    2,
    3,
    0,
    0,
    4,
    5,
    6,
    0,
    0,
    7,
    8,
    9,
    0,
  ]);
  assertEquals(numbers(blobs.patternMask(pattern, [1, 2]).data), [4, 5]);
  const radiusMap = ndarray(Float64Array.of(4, 2, 0, 2, 4), [1, 5], "float64");
  const ellipse = blobs.radialGradientBackgroundSubtractionPattern({ radius: 3, radiusMap });
  assertEquals(numbers(blobs.patternMask(ellipse, [1, 7]).data), [0, -1, 2 / 3, 0, 2 / 3, -1, 0]);
});

Deno.test("the spectrum of a pattern is the same by an FFT as by sums", () => {
  for (const radius of [2, 3.5, 8]) {
    const pattern = blobs.radialGradientBackgroundSubtractionPattern({ radius });
    const lanes = lanesPlan(2 * Math.ceil(pattern.search));
    const weights = blobs.patternMask(pattern, [lanes.n, lanes.n]).data as Float64Array;
    const [sums, fft] = [lanesSpectrum(pattern, lanes), largeSpectrum(weights, lanes)];
    sums.forEach((value, i) => assertAlmostEquals(fft[i]!, value, 1e-9));
  }
});

Deno.test("a lattice with millions of points in a frame is refused", () => {
  const frame = [256, 256] as const;
  const zero = [128, 128] as const;
  for (const [a, b] of [[[1e-3, 0], [0, 1e-3]], [[0, 0], [1, 0]], [[5, 1], [5, 1]], [[5, 1], [5, 1.00001]]]) {
    const lattice = { zero, a: a as unknown as [number, number], b: b as unknown as [number, number] };
    assertThrows(() => blobs.latticePoints(lattice, { frame }), TilewiseError, "lattice");
  }
});
