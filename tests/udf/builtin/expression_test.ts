/** Expressions as UDFs: results against plain loops and against the UDFs that compute the same. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { counts, memoryScan, numbers, type ScanOptions } from "../data.ts";

const [NAV, SIG] = [[7, 9], [12, 19]] as const;
const [FRAMES, PIXELS] = [63, 228];
const WHOLE = counts(FRAMES * PIXELS, 11, 30000);
const FLOATS = WHOLE.map((v, i) => v * Math.PI - (i % 7) / 3);
const GAIN = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => 1 + Math.sin(i) / 4), SIG, "float32");
const DARK = Float64Array.from({ length: PIXELS }, (_, i) => (i % 5) / 4);
const inline = () => createContext({ memory: 64 * 2 ** 20, workers: 0 });
const DEEP = udf(import.meta.resolve("../own_udf.ts"), { export: "deep" });

function scan(dtype: DType, options?: ScanOptions) {
  return memoryScan(dtype.startsWith("float") ? FLOATS : WHOLE, NAV, SIG, dtype, options);
}

const MANY = expression({
  corrected: "sum(sqrt(max(x * gain - dark, 0)))",
  bright: "count(x > t)",
  low: "min(x - dark)",
  peak: "max(x)",
  mean: "mean(x * gain)",
  cy: "sum(row * x) / sum(x)",
  late: "sum(frame * x)",
  image: "frames.sum(x * gain)",
  average: "frames.mean(x) - dark",
  above: "frames.count(x > t)",
  most: "frames.max(x - dark)",
}, { arrays: { gain: GAIN, dark: DARK }, params: { t: 40 } });

const EACH = expression({ clean: "(x - dark) * gain", mask: "x > t" }, {
  arrays: { gain: GAIN, dark: DARK },
  params: { t: 40 },
});

Deno.test("named results agree with plain loops", async () => {
  await using context = inline();
  const { many, each } = await run(await plan(scan("float64"), { many: MANY, each: EACH }, { context }));
  const gain = numbers(GAIN.data);
  const close = (data: TypedArray | undefined, expected: number[]) => {
    assertEquals(data?.length, expected.length);
    numbers(data).forEach((value, i) =>
      assert(Math.abs(value - expected[i]!) <= 1e-12 * Math.abs(expected[i]!) + 1e-9)
    );
  };
  const frames = Array.from({ length: FRAMES }, (_, f) => [...FLOATS.subarray(f * PIXELS, (f + 1) * PIXELS)]);
  const total = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const pixels = Array.from({ length: PIXELS }, (_, p) => frames.map((frame) => frame[p]!));
  close(
    many!.corrected!.data,
    frames.map((f) => total(f.map((x, p) => Math.sqrt(Math.max(x * gain[p]! - DARK[p]!, 0))))),
  );
  close(many!.bright!.data, frames.map((f) => f.filter((x) => x > 40).length));
  close(many!.low!.data, frames.map((f) => Math.min(...f.map((x, p) => x - DARK[p]!))));
  close(many!.peak!.data, frames.map((f) => Math.max(...f)));
  close(many!.mean!.data, frames.map((f) => total(f.map((x, p) => x * gain[p]!)) / PIXELS));
  close(many!.cy!.data, frames.map((f) => total(f.map((x, p) => x * Math.floor(p / 19))) / total(f)));
  close(many!.late!.data, frames.map((f, n) => n * total(f)));
  close(many!.image!.data, pixels.map((p, i) => total(p) * gain[i]!));
  close(many!.average!.data, pixels.map((p, i) => total(p) / FRAMES - DARK[i]!));
  close(many!.above!.data, pixels.map((p) => p.filter((x) => x > 40).length));
  close(many!.most!.data, pixels.map((p, i) => Math.max(...p) - DARK[i]!));
  assertEquals(each!.clean!.shape, [7, 9, 12, 19]);
  close(each!.clean!.data, [...FLOATS].map((x, i) => (x - DARK[i % PIXELS]!) * gain[i % PIXELS]!));
  close(each!.mask!.data, [...FLOATS].map((x) => x > 40 ? 1 : 0));
});

Deno.test("what other UDFs compute has the same bits", async () => {
  await using context = inline();
  for (const dtype of ["uint8", "uint16", "int32", "float32", "float64"] as const) {
    const udfs = {
      e: expression({ one: "sum(x)", all: "frames.sum(x)", cy: "sum(row * x) / sum(x)" }),
      bright: sumPixels(),
      image: sumFrames(),
      com: centreOfMass(),
    };
    const { e, bright, image, com } = await run(await plan(scan(dtype), udfs, { context }));
    assertEquals(e!.one!.data, bright!.intensity!.data, dtype);
    assertEquals(e!.all!.data, image!.intensity!.data, dtype);
    if (dtype.startsWith("u")) {
      assertEquals(numbers(e!.cy!.data), numbers(com!.raw_com!.data).filter((_, i) => i % 2 === 0));
    }
  }
});

async function bits(
  dtype: DType,
  options: PlanOptions & { scan?: ScanOptions; joined?: boolean },
): Promise<string> {
  const { scan: kind, joined, ...rest } = options;
  const udfs = { many: MANY, each: EACH, ...(joined ? { deep: DEEP } : {}) };
  const { many, each } = await run(await plan(scan(dtype, kind), udfs, rest));
  const found = Object.entries({ ...many, ...each }).map(async ([name, { data }]) => {
    const digest = await crypto.subtle.digest("SHA-256", data as Float64Array<ArrayBuffer>);
    return `${name} ${new Uint8Array(digest).toHex().slice(0, 16)}`;
  });
  return (await Promise.all(found)).join("\n");
}

for (const dtype of ["uint16", "float32"] as const) {
  Deno.test(`${dtype}: partitions, tiles, byte order and workers change no bit`, async () => {
    await using context = inline();
    const expected = await bits(dtype, { context });
    for (const partitions of [1, 3, 40]) {
      assertEquals(await bits(dtype, { context, partitions }), expected, `${partitions} partitions`);
    }
    for (const tileBytes of [700, 3000, 1 << 22]) {
      assertEquals(await bits(dtype, { context, tileBytes }), expected, `tiles of ${tileBytes} B`);
    }
    assertEquals(await bits(dtype, { context, joined: true }), expected);
    assertEquals(await bits(dtype, { context, scan: { order: "big" } }), expected);
    await using pool = createContext({ memory: 64 * 2 ** 20, workers: 2 });
    assertEquals(await bits(dtype, { context: pool, partitions: 10 }), expected);
  });
}

Deno.test("frames of one dimension may be cut anywhere", async () => {
  await using context = inline();
  const of = async (tileBytes: number) => {
    const line = memoryScan(FLOATS.subarray(0, 10 * 1403), [10], [1403], "float32");
    const udfs = { e: expression({ sum: "sum(x * col)", low: "min(x)" }), deep: DEEP };
    const { e } = await run(await plan(line, udfs, { context, tileBytes }));
    return [numbers(e!.sum!.data), numbers(e!.low!.data)];
  };
  const expected = await of(1 << 20);
  for (const tileBytes of [400, 1000, 4001]) assertEquals(await of(tileBytes), expected);
});

Deno.test("a region of interest leaves the other frames out", async () => {
  await using context = inline();
  const roi = [[0, 3], [4, 4], [6, 8]];
  const ref = expression({ n: "frames.count(x >= 0)", mean: "frames.mean(x)", where: "max(frame)" });
  const { e } = await run(await plan(scan("uint16"), { e: ref }, { context, roi }));
  assertEquals(numbers(e!.n!.data), Array.from({ length: PIXELS }, () => 3));
  const picked = [3, 40, 62];
  assertEquals(numbers(e!.where!.data).filter((value) => !Number.isNaN(value)), picked);
  assertEquals(
    numbers(e!.mean!.data),
    Array.from({ length: PIXELS }, (_, p) => picked.reduce((sum, f) => sum + WHOLE[f * PIXELS + p]!, 0) / 3),
  );
});

Deno.test("mistakes show where they are made", async () => {
  await using context = inline();
  assertThrows(() => expression("sum(gian * x)", { arrays: { gain: GAIN } }), Error, 'expected "gain"?');
  assertThrows(() => expression({ "not a name": "sum(x)" }), Error, "letters, digits");
  assertThrows(() => expression("x + pi", { params: { pi: 3 } }), Error, "means something else");
  const wrong = expression("sum(x * gain)", { arrays: { gain: new Float32Array(3) } });
  const failure = await plan(scan("uint16"), { wrong }, { context }).catch((error: unknown) => error);
  assert(isTilewiseError(failure, "invalid") && failure.message.includes("3 numbers: frames are 12 × 19"));
  const complex = memoryScan(new Float64Array(8), [2], [4], "complex64");
  const refused = await plan(complex, { e: expression("sum(x)") }, { context }).catch((error: unknown) =>
    error
  );
  assert(isTilewiseError(refused, "unsupported"));
});
