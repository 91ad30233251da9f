/** Images of Stokes parameters and bands of an observation, against sums over samples, and in the files of `tilewise image`. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { createContext } from "../../../mod.ts";
import { openObservation } from "@tilewise/tilewise/observations";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { directImage } from "../../oracles/direct_image.ts";
import { imagePlanes } from "@tilewise/tilewise/rime";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { pathOf } from "../../observations/expected.ts";
import { errorOf, randomList } from "../image/data.ts";

const NROW = 30, NCHAN = 6, STOKES = ["I", "Q", "U", "V"];
const GRID = { pixels: [24, 20], cell: [-1e-3, 1e-3] } as const;
const uvw = randomList(3 * NROW, 3).map((value) => 50 * value);
const frequencies = Array.from({ length: NCHAN }, (_, c) => 1e9 + 2e7 * c);

/** What a source in the phase centre gives: [[I + Q, U + iV], [U − iV, I − Q]], or [[I + V, Q + iU], [Q − iU, I − V]]. */
const FLUX = [4, 1, -2, 0.5] as const;
const [I, Q, U, V] = FLUX;
const FEEDS = {
  linear: { XX: [I + Q, 0], XY: [U, V], YX: [U, -V], YY: [I - Q, 0] },
  circular: { RR: [I + V, 0], RL: [Q, U], LR: [Q, -U], LL: [I - V, 0] },
} as const;

function observed(
  cells: Readonly<Record<string, readonly [number, number]>>,
  { flag, weight, noise = 0 }: { flag?: Uint8Array; weight?: Float32Array; noise?: number } = {},
) {
  const names = Object.keys(cells), random = randomList(2 * NROW * NCHAN * names.length, 8);
  return openObservation({
    antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
    frequencies,
    correlations: names,
    phaseCentre: [0.1, -0.5],
    time: Array.from({ length: NROW }, (_, row) => 5e9 + row),
    antenna1: new Array(NROW).fill(0),
    antenna2: new Array(NROW).fill(1),
    uvw: [...uvw],
    visibility: Float64Array.from(
      random,
      (value, i) => noise * value + cells[names[(i >> 1) % names.length]!]![i & 1]!,
    ),
    ...(flag ? { flag } : {}),
    ...(weight ? { weight } : {}),
  });
}

for (const [feed, cells] of Object.entries(FEEDS)) {
  Deno.test(`Stokes parameters of ${feed} receptors are those of the source, in every band`, async () => {
    await using context = createContext({ memory: "4MiB", workers: 0 });
    await using observation = await observed(cells);
    const planes = imagePlanes(observation, GRID, { correlations: STOKES, bands: 3, context, epsilon: 1e-7 });
    const found = await Array.fromAsync(planes);
    assertEquals(
      found.map(({ correlation, channels }) => [correlation, ...channels]),
      STOKES.flatMap((name) => [[name, 0, 2], [name, 2, 4], [name, 4, 6]]),
    );
    found.forEach(({ image, mainLobe, frequency, width, warnings }, k) => {
      assertAlmostEquals(image.data[10 * 24 + 12]!, FLUX[Math.floor(k / 3)]!, 1e-6);
      assert(mainLobe && mainLobe.major >= mainLobe.minor && warnings.length === 0);
      assertAlmostEquals(frequency, 1.01e9 + 4e7 * (k % 3), 1);
      assertAlmostEquals(width, 4e7, 1);
    });
  });
}

Deno.test("a band is the sum over its channels, with flags and weights of their correlations", async () => {
  await using context = createContext({ memory: "4MiB", workers: 0 });
  const cells = 4 * NROW * NCHAN;
  const flag = Uint8Array.from(randomList(cells, 4), (x) => Number(x > 0.6));
  const weight = Float32Array.from(randomList(cells, 5), (x) => x < -0.8 ? 0 : 1.5 + x);
  await using observation = await observed(FEEDS.linear, { flag, weight, noise: 3 });
  const visibility = randomList(2 * cells, 8);
  for await (
    const { correlation, channels: [from, to], image, sumOfWeights } of imagePlanes(observation, GRID, {
      correlations: ["XY", "I"],
      bands: 2,
      context,
      epsilon: 1e-8,
    })
  ) {
    const count = to - from,
      weights = new Float64Array(NROW * count),
      values = new Float64Array(2 * NROW * count);
    for (let k = 0; k < NROW * count; k++) {
      const at = 4 * (Math.floor(k / count) * NCHAN + from + k % count);
      const of = (c: number) => flag[at + c] ? 0 : weight[at + c]!;
      const part = (c: number, p: number) =>
        3 * visibility[2 * (at + c) + p]! + Object.values(FEEDS.linear)[c]![p]!;
      const [a, b] = [of(0), of(3)]; // the mean of two with weights a and b: variance (1 / a + 1 / b) / 4
      weights[k] = correlation === "XY" ? of(1) : a && b ? 4 / (1 / a + 1 / b) : 0;
      for (const p of [0, 1]) {
        values[2 * k + p] = correlation === "XY" ? part(1, p) : (part(0, p) + part(3, p)) / 2;
      }
    }
    const places = { uvw, frequency: Float64Array.from(frequencies.slice(from, to)) };
    const { convention } = observation;
    const direct = directImage(places, values, weights, GRID, { convention, wTerm: true });
    const sum = weights.reduce((all, one) => all + one, 0);
    assertAlmostEquals(sumOfWeights, sum, 1e-9 * sum);
    assert(errorOf(image.data, direct.map((value) => value / sum)) < 1e-7);
  }
});

Deno.test("a band without a weight is blank and said, an observation without any is refused", async () => {
  await using context = createContext({ memory: "4MiB", workers: 0 });
  const flag = new Uint8Array(4 * NROW * NCHAN).map((_, i) => Number(Math.floor(i / 4) % NCHAN < 2));
  await using observation = await observed(FEEDS.linear, { flag });
  const planes = await Array.fromAsync(imagePlanes(observation, GRID, { bands: 3, context }));
  assertEquals(planes.map(({ warnings }) => warnings), [
    ["There is no sample with a weight for I of channels 0 to 1"],
    [],
    [],
  ]);
  assert(planes[0]!.image.data.every(Number.isNaN) && planes[0]!.mainLobe === undefined);
  await using none = await observed(FEEDS.linear, { flag: flag.fill(1) });
  for (const bands of [1, 2]) {
    const refused = () => Array.fromAsync(imagePlanes(none, GRID, { bands, context }));
    const error = await assertRejects(
      refused,
      TilewiseError,
      "no sample of I has a weight; those of its 30 rows are flagged",
    );
    assertEquals((error as TilewiseError).code, "invalid");
  }
});

Deno.test("what an observation lacks is refused by name", async () => {
  await using observation = await observed({ XX: FEEDS.linear.XX, YY: FEEDS.linear.YY });
  const refused = async (options: Parameters<typeof imagePlanes>[2], text: string) => {
    await assertRejects(() => Array.fromAsync(imagePlanes(observation, GRID, options)), TilewiseError, text);
  };
  await refused({ correlations: ["I", "V"] }, "Cannot take V of");
  await refused({ correlations: ["U"] }, "it has XX, YY, I, Q; U is made of XY and YX, or of RL and LR");
  await refused({ correlations: ["XX", "I", "I"] }, "I is asked for twice: XX, I, I"); // a cube of one correlation and two bands
  await refused({ bands: 4 }, "into 4 bands of as many each: 1, 2, 3, 6 would work");
  await refused({ correlations: [] }, "a list of names");
  await refused({ bands: 0 }, "a whole number from 1");
});

Deno.test("a cube of tilewise image has the images of imagePlanes, in FITS and in npy", async () => {
  await withFolder(async (folder) => {
    const path = pathOf("small.ms"),
      flags = ["--pixels", "20x16", "--weighting", "briggs:0.5", "-q", "--json"];
    await using observation = await openObservation(path);
    const bands = observation.frequencies.length;
    const cube = ["--correlation", "i,q,U,V", "--bands", "each"];
    for (const name of ["a.fits", "a.npy"]) {
      const told = await cli(["image", path, ...flags, ...cube, "-o", `${folder}/${name}`]);
      assertEquals(told.code, 0, told.err);
      const { shape, files, correlation, planes, weighting, cellArcsec } = told.json()[0]! as Record<
        string,
        never
      >;
      assertEquals([shape, files, correlation, weighting], [
        [4, bands, 16, 20],
        [`${folder}/${name}`],
        "I,Q,U,V",
        "briggs:0.5",
      ]);
      const cell = Number(cellArcsec) * Math.PI / 180 / 3600;
      await using context = createContext({ memory: "4MiB", workers: 0 });
      const expected = await Array.fromAsync(
        imagePlanes(observation, { pixels: [20, 16], cell: [-cell, cell] }, {
          correlations: STOKES,
          bands,
          weighting: { briggs: 0.5 },
          context,
        }),
      );
      const dataset = await open(`${folder}/${name}`);
      assertEquals(dataset.shape, [4, bands, 16, 20]);
      const { data } = await readBox(dataset, wholeBox(dataset.shape));
      const all = expected.flatMap(({ image }) => [...image.data]);
      assertEquals([...data].map(Number), all);
      const sums = (planes as unknown as { sumOfWeights: number }[]).map(({ sumOfWeights }) => sumOfWeights);
      assertEquals(sums, expected.map(({ sumOfWeights }) => sumOfWeights));
    }
    const picture = await cli(["image", path, "-q", ...cube, "-o", `${folder}/a.png`]);
    assert(picture.code === 1 && /a picture has one/.test(picture.err), picture.err);
    const dry = await cli(["image", path, "-q", "--dry-run", ...flags, ...cube, "-o", "b.npy"]);
    assertEquals([dry.code, dry.json()[0]!.shape], [0, [4, bands, 16, 20]]);
  });
});
