import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { createContext } from "../../../src/runner/context.ts";
import { clusterFrames, type ClusterOptions } from "../../../src/udf/cluster/cluster_frames.ts";
import { pixelValues } from "../../../src/udf/builtin/pixel_values.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import { both } from "../both.ts";
import { goldenScan, memoryScan, numbers, type ScanOptions } from "../data.ts";
import golden from "./golden.json" with { type: "json" };
import { noise } from "./noise.ts";

const [NAV, SIG] = [[9, 11], [16, 18]] as const;
const SPOTS = [[[4, 5], [10, 12]], [[5, 11], [11, 4]], [[3, 9], [12, 9]]];

/** Three grains with two bright spots each on noise: the scan of the oracle. */
function scan(dtype: DType = "uint16", options?: ScanOptions) {
  const pixels = SIG[0] * SIG[1];
  const values = noise(99 * pixels, 31).map((value) => value + 20);
  for (let f = 0; f < 99; f++) {
    const [y, x] = [Math.floor(f / NAV[1]), f % NAV[1]];
    const grain = y + x < 7 ? 0 : x > y ? 1 : 2;
    for (const [row, column] of SPOTS[grain]!) {
      values[f * pixels + row! * SIG[1] + column!]! += 60 + 5 * grain;
    }
  }
  return memoryScan(values, NAV, SIG, dtype, options);
}

const inline = () => createContext({ memory: 32 * 2 ** 20, workers: 0 });
const WHOLE = { n: 3, ring: { cy: 8, cx: 9, ri: 2, ro: 8 }, features: 6, minDistance: 2 };
const LEFT = { n: 5, ring: { cy: 8, cx: 9, ro: 6 }, features: 4 };

both("grains as scikit-image and scikit-learn find them", async (context) => {
  const roi = Uint8Array.from({ length: 99 }, (_, f) => f % 11 < 8 ? 1 : 0);
  const cases: [ClusterOptions, typeof golden.whole][] = [[WHOLE, golden.whole], [
    { ...LEFT, roi },
    golden.left,
  ]];
  for (const [options, expected] of cases) {
    const found = await clusterFrames(scan(), { ...options, context });
    assertEquals(found.pixels, expected.pixels);
    assertEquals([...found.labels.data], expected.labels);
    assertEquals([found.labels.shape, found.labels.valid], [
      [9, 11],
      Uint8Array.from({ length: 99 }, () => 1),
    ]);
    numbers(found.scale.data).forEach((value, k) => assertAlmostEquals(value, expected.scale[k]!, 1e-9));
    assertEquals(found.features.shape, [9, 11, expected.pixels.length]);
    assertEquals(found.centroids.shape, [options.n, expected.pixels.length]);
  }
});

Deno.test("the centroids are the means of the features", async () => {
  await using context = inline();
  const { features, centroids, labels } = await clusterFrames(scan(), { ...WHOLE, context });
  for (let label = 1; label <= 3; label++) {
    const members = [...labels.data.keys()].filter((f) => labels.data[f] === label);
    for (let k = 0; k < 6; k++) {
      const mean = members.reduce((sum, f) => sum + Number(features.data[f * 6 + k]), 0) / members.length;
      assertAlmostEquals(Number(centroids.data[(label - 1) * 6 + k]), mean, 1e-12);
    }
  }
});

Deno.test("workers, byte order and frame headers change no bit", async () => {
  await using alone = inline();
  await using pool = createContext({ memory: 64 * 2 ** 20, workers: 2 });
  for (const dtype of ["uint16", "float32"] as const) {
    const expected = await clusterFrames(scan(dtype), { ...WHOLE, context: alone });
    for (const context of [alone, pool]) {
      const other = scan(dtype, { order: "big", frameHeaderBytes: 5 });
      const found = await clusterFrames(other, { ...WHOLE, context });
      for (const name of ["labels", "features", "centroids", "scale", "deviation"] as const) {
        assertEquals(found[name].data, expected[name].data, `${name} of ${dtype}`);
      }
    }
  }
});

Deno.test("blank positions have labels that are not valid", async () => {
  await using context = inline();
  const { labels } = await clusterFrames(scan("uint16", { syncOffset: -4 }), { ...WHOLE, context });
  assertEquals([...labels.valid!].slice(0, 6), [0, 0, 0, 0, 1, 1]);
  assert(numbers(labels.data).every((label) => label >= 1 && label <= 3));
});

Deno.test("progress of both passes, and no more after a cancel", async () => {
  await using context = inline();
  const passes = new Set<number>();
  await clusterFrames(scan(), { ...WHOLE, context, onProgress: (_, pass) => passes.add(pass) });
  assertEquals([...passes], [1, 2]);
  const stop = new AbortController();
  const stopped = clusterFrames(scan(), {
    ...WHOLE,
    context,
    signal: stop.signal,
    onProgress: (_, pass) => pass === 1 && stop.abort(),
  });
  assertEquals((await assertRejects(() => stopped, TilewiseError)).code, "aborted");
});

Deno.test("what cannot be clustered is refused before or after the first pass", async () => {
  await using context = inline();
  const fails = async (options: Partial<ClusterOptions>, text: string) => {
    const error = await assertRejects(
      () => clusterFrames(scan(), { ...WHOLE, context, ...options }),
      TilewiseError,
    );
    assertEquals(error.code, "invalid");
    assert(error.message.includes(text), error.message);
  };
  await fails({ n: 100 }, "ask for 1 to 99");
  await fails({ ring: { cy: 8, cx: 9, ri: 60, ro: 70 } }, "no pixel from 60 to 70 px");
  await fails({ ring: { ri: 7, ro: 6 } }, "ri must be less than ro");
  await fails({ roi: new Uint8Array(99) }, "no pixel in");
  const complex = memoryScan([1, 2, 3, 4, 5, 6, 7, 8], [2], [1, 2], "complex64");
  await assertRejects(() => clusterFrames(complex, { n: 1, context }), TilewiseError, "must be real");
});

Deno.test("pixels of every frame, of any sample type and byte order, in parts and under a region", async () => {
  await using context = inline();
  const at = [[3, 4], [0, 1], [2, 2]];
  const values = Array.from({ length: 240 }, (_, k) => (7 * k * k + 3 * k) % 31);
  const expected = Array.from({ length: 12 }, (_, f) => at.map(([y, x]) => values[f * 20 + y! * 5 + x!]!));
  const variations: PlanOptions[] = [{}, { partitions: 4 }, { tileBytes: 16 }, { cull: false }];
  for (const dtype of ["uint8", "uint16", "int64", "float16", "float32", "float64"] as const) {
    for (const order of ["little", "big"] as const) {
      for (const options of variations) {
        const planned = await plan(goldenScan(dtype, { order }), { p: pixelValues({ at }) }, {
          context,
          ...options,
        });
        const { intensity } = (await run(planned)).p!;
        assertEquals([intensity!.dtype, intensity!.shape], [dtype, [3, 4, 3]]);
        assertEquals(numbers(intensity!.data), expected.flat());
      }
    }
  }
  const complex = memoryScan([1, 2, 3, 4, 5, 6, 7, 8], [2], [1, 2], "complex64", { order: "big" });
  const found = await run(await plan(complex, { p: pixelValues({ at: [[0, 1]] }) }, { context }));
  assertEquals(numbers(found.p!.intensity!.data), [3, 4, 7, 8]);
  for (const wrong of [[], [[4, 0]], [[0]], [[0.5, 0]]]) {
    await assertRejects(() => plan(goldenScan(), { p: pixelValues({ at: wrong }) }), TilewiseError, "4 × 5");
  }
});

Deno.test("partitions, tiles and workers change no bit of single pixels", async () => {
  const { data, results } = await testUdf(pixelValues({ at: [[5, 7], [0, 3]] }), { dtype: "float32" });
  assertEquals(numbers(results.intensity!.data).slice(20, 22), [Number(data[527]), Number(data[483])]);
});
