/** What results of imaging depend on, and what not: workers, memory, order of sums; and that they are linear and adjoint. */

import { Parts } from "../../../src/rime/image/steps.ts";
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { type Context, createContext } from "../../../mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { degrid, predictByGridding } from "../../../src/rime/image/degrid.ts";
import { dirtyImage } from "../../../src/rime/image/dirty.ts";
import "../../fences/mod.ts";
import { errorOf, randomList, randomSamples } from "./data.ts";

const GRID = { pixels: [40, 32], cell: [0.008, -0.007], centre: [0.02, 0.01] } as const;
const SEED = 11;
const LARGE = { pixels: [120, 100], cell: [0.002, -0.002], centre: [0.02, 0.01] } as const;
const samples = randomSamples(33_000, 1, LARGE, SEED); // two parts
const { uvw, frequency } = samples;

/** Digests of an image, of visibilities and of a prediction. */
async function all(context: Context, precision: "f64" | "mixed") {
  const options = { context, precision, epsilon: 1e-2 };
  const { image, passes } = await dirtyImage(samples, LARGE, { ...options, weighting: "uniform" });
  const seen = await degrid(image, LARGE, { uvw, frequency }, options);
  const sources = { lm: randomList(4000, SEED).map((x) => x / 8), flux: randomList(2000, SEED + 1) };
  const model = await predictByGridding(sources, { uvw: uvw.subarray(0, 3000), frequency }, options);
  const digests = await Promise.all([image, seen, model].map(async ({ data }) => {
    const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(data.buffer as ArrayBuffer));
    return new Uint8Array(hash).toHex();
  }));
  return { digests, passes };
}

for (const precision of ["f64", "mixed"] as const) {
  Deno.test(`any number of workers and any memory gives the same bits of images: ${precision}`, async () => {
    await using inline = createContext({ memory: "64MiB", workers: 0 });
    await using little = createContext({ memory: precision === "f64" ? "5MiB" : "4300KiB", workers: 2 });
    const whole = await all(inline, precision), parts = await all(little, precision);
    assertEquals(parts.digests, whole.digests);
    assert(parts.passes > whole.passes, `${parts.passes} passes`);
    assert(little.peak <= little.memory);
    await little.settled();
    assertEquals(little.used, 0);
  });
}

const few = randomSamples(500, 3, GRID, SEED);

Deno.test("degridding is the adjoint of imaging: <degrid(x), y> = <x, image(y)>", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  for (const epsilon of [1e-2, 1e-6]) {
    const x = randomList(40 * 32, SEED), options = { context, epsilon };
    const { data: ax } = await degrid(x, GRID, { uvw: few.uvw, frequency: few.frequency }, options);
    const { image } = await dirtyImage({ ...few, weights: few.weights.fill(1) }, GRID, {
      ...options,
      normalize: false,
    });
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Array.from(a).reduce((s, v, i) => s + v * b[i]!, 0);
    const [left, right] = [dot(ax, few.visibilities), dot(x, image.data)];
    assert(Math.abs(left - right) < 1e-12 * Math.sqrt(dot(ax, ax) * dot(few.visibilities, few.visibilities)));
  }
});

Deno.test("images are linear in visibilities", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const other = randomList(few.visibilities.length, SEED + 3);
  const image = async (visibilities: Float64Array) =>
    (await dirtyImage({ ...few, visibilities }, GRID, { context, epsilon: 1e-3 })).image.data;
  const [a, b] = [await image(few.visibilities), await image(other)];
  const both = await image(few.visibilities.map((value, i) => 2 * value - other[i]!));
  assert(errorOf(both, Array.from(a, (value, i) => 2 * value - b[i]!)) < 1e-13);
});

Deno.test("where all w are 0, w makes no difference but for the planes", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const flat = { ...few, uvw: few.uvw.map((value, i) => i % 3 === 2 ? 0 : value) };
  const options = { context, epsilon: 1e-9 };
  const [deep, shallow] = [
    await dirtyImage(flat, GRID, options),
    await dirtyImage(flat, GRID, { ...options, wTerm: false }),
  ];
  assertEquals([deep.planes, shallow.planes], [1, 1]);
  assert(errorOf(deep.image.data, shallow.image.data) < 1e-12);
});

Deno.test("samples without weight do not count, whatever they are; others must be numbers", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const spoilt = {
    uvw: few.uvw.slice(),
    visibilities: few.visibilities.slice(),
    weights: few.weights.slice(),
  };
  for (let i = 30; i < 36; i++) spoilt.weights[i] = 0;
  const clean = { ...few, weights: spoilt.weights.slice() };
  spoilt.uvw.fill(NaN, 30, 36);
  spoilt.visibilities.fill(NaN, 60, 72);
  const [a, b] = [
    await dirtyImage({ ...few, ...spoilt }, GRID, { context }),
    await dirtyImage(clean, GRID, { context }),
  ];
  assertEquals(a.image.data, b.image.data);
  spoilt.weights[33] = 1;
  const refused = () => dirtyImage({ ...few, ...spoilt }, GRID, { context });
  await assertRejects(refused, TilewiseError, "row 11, channel 0");
  const negative = { ...few, weights: few.weights.map((w, i) => i === 4 ? -1 : w) };
  await assertRejects(
    () => dirtyImage(negative, GRID, { context }),
    TilewiseError,
    "weights of row 1, channel 1",
  );
});

Deno.test("uniform weighting gives the samples of a cell the weight 1 together", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const twice = {
    uvw: Float64Array.of(0, 0, 0, 0, 0, 0, 9, 2, 0, -9, -2, 0),
    frequency,
    visibilities: new Float64Array(8),
  };
  const { sumOfWeights } = await dirtyImage(twice, GRID, { context, weighting: "uniform" });
  assertAlmostEquals(sumOfWeights, 2, 1e-12);
});

Deno.test("imaging refuses too little memory with the sum, and stops when it is told to", async () => {
  await using context = createContext({ memory: "1MiB", workers: 0 });
  await assertRejects(() => dirtyImage(samples, GRID, { context }), TilewiseError, "for planes of");
  assertEquals(context.used, 0);
  const stop = new AbortController();
  await using enough = createContext({ memory: "64MiB", workers: 0 });
  const onProgress = () => stop.abort();
  const run = () =>
    dirtyImage(samples, GRID, { context: enough, signal: stop.signal, onProgress, progressRate: 1000 });
  const error = await assertRejects(run, TilewiseError);
  assertEquals((error as TilewiseError).code, "aborted");
  await enough.settled();
  assertEquals(enough.used, 0);
});

Deno.test("an error of a reader ends the run, and its memory comes back", async () => {
  await using context = createContext({ memory: "64MiB", workers: 0 });
  const broken = () => Promise.reject(new Error("the disk is gone"));
  await assertRejects(
    () => dirtyImage({ ...few, weights: broken }, GRID, { context }),
    Error,
    "the disk is gone",
  );
  await context.settled();
  assertEquals(context.used, 0);
});

Deno.test("a run that ends waits for rows that are read ahead: they are written into its memory", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const uvw = (start: number) => (start === 1 ? gate : Promise.resolve()).then(() => new Float64Array(3));
  const visibilities = () => Promise.resolve(new Float64Array(2));
  const place = { uvw: 0, values: 0, weights: 0, records: 0, keys: 0, next: 0, order: 0, starts: 0 };
  const parts = new Parts(
    { nrow: 4, nchan: 1, frequency: Float64Array.of(1e9), memory: () => 0, uvw, visibilities },
    { parts: [place, place], frequency: Float64Array.of(1e9), layout: { tiles: [1, 1] } } as never,
    { partRows: 1, parts: 2 } as never,
    new WebAssembly.Memory({ initial: 1 }),
    { ask: async <T>(read: () => Promise<T>, use: (rows: T) => void) => use(await read()) } as never,
  );
  const rounds = parts.rounds();
  assertEquals((await rounds.next()).value, [{ part: 0, rows: 1, first: 0 }]);
  let hasEnded = false;
  const ended = rounds.return().then(() => hasEnded = true);
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  assertEquals(hasEnded, false);
  open();
  assertEquals(await ended, true);
});

Deno.test("nothing to image sums to zeros, and nothing to see gives no visibilities", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const none = new Float64Array(0), grid = { pixels: [2, 1], cell: [0.1, 0.1] } as const;
  for (const rows of [{ uvw: none, frequency }, { uvw: new Float64Array(6), frequency: none }]) {
    const { image, sumOfWeights } = await dirtyImage({ ...rows, visibilities: none }, grid, {
      context,
      normalize: false,
    });
    assertEquals([[...image.data], sumOfWeights], [[0, 0], 0]);
    assertEquals((await degrid(new Float64Array(2), grid, rows, { context })).data.length, 0);
  }
  const rows = { uvw: Float64Array.of(1, 2, 3), frequency };
  const { data } = await predictByGridding({ lm: none, flux: none }, rows, { context });
  assertEquals([...data].map(Math.abs), [0, 0]);
  const flagged = { ...rows, visibilities: Float64Array.of(1, 1), weights: Float64Array.of(0) };
  assertEquals([...(await dirtyImage(flagged, grid, { context, normalize: false })).image.data], [0, 0]);
});
