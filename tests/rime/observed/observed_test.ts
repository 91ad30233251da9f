/** Predictions of observations: model, residuals and χ² of every format, against plain sums and what others computed. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { type ArraysInput, openObservation } from "../../../src/observations/open.ts";
import type { Observation } from "../../../src/observations/observation.ts";
import { predict, skyModel } from "@tilewise/tilewise/rime";
import {
  compare,
  feedRotation,
  hourAngle,
  observedEquation,
  parallacticAngle,
} from "@tilewise/tilewise/unstable/rime";
import { settingsOf } from "../../../src/rime/predict/options.ts";
import { predictPlain } from "../../oracles/predict.ts";
import type { SkyModel } from "../../../src/rime/predict/problem.ts";
import { sizesOf } from "../../../src/rime/predict/sizes.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { Sky } from "../../../src/skies/component.ts";
import { readSky } from "../../../src/skies/read.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { failure } from "../../formats/helpers.ts";
import { allSamples, pathOf } from "../../observations/expected.ts";
import { assertNear } from "../golden/golden.ts";

const LIST =
  `Name,Type,Ra,Dec,I,Q,U,V,SpectralIndex,LogarithmicSI,ReferenceFrequency,MajorAxis,MinorAxis,Orientation
a,POINT,71.7deg,-28.7deg,2,0.3,0.1,-0.2,[-0.7],true,1.3e9,,,
b,GAUSSIAN,71.5deg,-28.5deg,1,0,0.2,0,[],true,1.3e9,30,10,40
c,POINT,71.8deg,-28.6deg,-0.5,0,0,0.1,"[-1.2,0.3]",true,1.35e9,,,`.replaceAll("deg", "");

function skyOf(text: string): Promise<Sky> {
  return readSky(new TextEncoder().encode(text));
}

/** The sum as it stands in books, by the baselines of the rows. */
async function plain(sky: SkyModel, observation: Observation): Promise<Float64Array> {
  const { frequencies, rows, convention, brightness = {}, correlations } = observation;
  const input = {
    sky,
    uvw: await observation.uvw(0, rows) as Float64Array<ArrayBuffer>,
    frequency: frequencies,
  };
  const settings = settingsOf("plain", {
    uvw: "baseline",
    convention,
    brightness,
    correlations: ["XX", "XY", "YX", "YY", "RR", "RL", "LR", "LL"].slice(
      correlations[0]!.startsWith("X") ? 0 : 4,
    ).slice(0, 4) as never,
    stokesAxes: sky.stokes.length > 2 * sky.lm.length ? ["nchan"] : [],
  });
  const sizes = sizesOf("plain", input, correlations.length);
  return predictPlain(input, sizes, { ...settings, correlations: correlations as never });
}

const SOURCES = [
  ["a Measurement Set", "small.ms", { field: 0, spectralWindow: 1 }],
  ["a Measurement Set of version 4", "small.ps.zarr", { field: 0, dataDescription: 0 }],
  ["UVH5", "small.uvh5", {}],
] as const;

for (const [what, file, options] of SOURCES) {
  Deno.test(`the visibilities of ${what} are predicted by antennas and by baselines`, async () => {
    await using observation = await openObservation(pathOf(file), options);
    await using context = createContext({ memory: "8MiB", workers: 0 });
    const [ra, dec] = observation.field.phaseCentre.map((angle) => angle * 180 / Math.PI) as [number, number];
    const text = LIST.replaceAll(/71\.(\d)/g, (_, d) => String(ra + (d - 6) / 10))
      .replaceAll(/-28\.(\d)/g, (_, d) => String(dec + (d - 6) / 10));
    const sky = await skyOf(text);
    const expected = await plain(skyModel(sky, observation.field.phaseCentre), observation);
    const { shape, data } = await predict(sky, observation, { context });
    assertEquals(shape, [...observation.visibility!.shape]);
    assertNear(data, expected, 1e-7); // positions of antennas are known to 1e-9 m, or as formats store them
    const rows = await predict(sky, observation, { context, uvw: "baseline" });
    assertNear(rows.data, expected, 1e-10);
    const mixed = await predict(sky, observation, { context, precision: "mixed" });
    assertNear(mixed.data, expected, 4e-7 * 40); // of the flux, which is up to 40 Jy at low frequencies
  });

  Deno.test(`residuals and χ² of ${what} are those of its samples, flags and weights`, async () => {
    await using observation = await openObservation(pathOf(file), options);
    await using context = createContext({ memory: "8MiB", workers: 0 });
    const sky = {
      lm: Float64Array.of(0, 0, 0.001, 0.002),
      stokes: Float64Array.of(1, 0, 0, 0, 0.5, 0.1, 0.2, 0.3),
    };
    const { residual, chiSquared } = await compare(sky, observation, { context });
    const model = await predict(sky, observation, { context });
    const [vis, flags, weights] = [
      await allSamples(observation.visibility!),
      await allSamples(observation.flag!),
      await allSamples(observation.weight!),
    ];
    const [, channels, correlations] = observation.visibility!.shape as [number, number, number];
    const isByRow = observation.weight!.shape.length === 2;
    let sum = 0;
    const expected = Float64Array.from(vis as Float32Array, (value, i) => {
      const at = i >> 1;
      if (flags[at]) return 0;
      const off = value - Number(model.data[i]);
      const row = Math.floor(at / correlations / channels);
      sum += Number(weights[isByRow ? row * correlations + at % correlations : at]) * off * off;
      return off;
    });
    assertNear(residual.data, expected, 1e-12);
    assertAlmostEquals(chiSquared / sum, 1, 1e-12);
  });
}

const ARRAYS: ArraysInput = {
  antennas: [[0, 0, 0], [100, 0, 0], [0, 80, 5]].map((position, i) => ({
    name: `${i}`,
    position: position as [number, number, number],
  })),
  frequencies: [1e9, 1.1e9, 1.25e9],
  correlations: ["XX", "YY", "XY", "YX"],
  phaseCentre: [0.3, 0.2],
  time: [1, 1, 1, 2, 2, 2],
  antenna1: [0, 0, 1, 0, 0, 1],
  antenna2: [1, 2, 2, 1, 2, 2],
  uvw: [10, 20, 3, 40, -5, 6, 30, -25, 3, 11, 21, 3, 44, -5, 6, 33, -26, 3],
};
const TWO: SkyModel = {
  lm: Float64Array.of(0.01, -0.02, 0.03, 0.01),
  stokes: Float64Array.of(1, 0.2, 0.3, 0.4, 2, -0.1, 0.05, 0),
};

Deno.test("correlations in an order of their own stay in that order", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  await using observation = await openObservation(ARRAYS);
  const { data } = await predict(TWO, observation, { context });
  assertNear(data, await plain(TWO, observation), 1e-11);
  const { correlations } = await observedEquation(TWO, observation);
  assertEquals(correlations, ["XX", "XY", "YX", "YY"]);
  await using seen = await openObservation({ ...ARRAYS, visibility: Float64Array.from(data) });
  const { residual, chiSquared } = await compare(TWO, seen, { context });
  assert(chiSquared < 1e-25 && residual.data.every((value) => Math.abs(Number(value)) < 1e-13));
});

Deno.test("rows out of order, and rows that contradict each other, are predicted by their own baselines", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const turned = { ...ARRAYS, time: [2, 1, 2, 1, 1, 1] },
    off = { ...ARRAYS, uvw: [...ARRAYS.uvw as number[]].with(6, 77) };
  for (const input of [turned, off]) {
    await using observation = await openObservation(input);
    assertEquals((await observedEquation(TWO, observation)).uvw, "baseline");
    assertNear((await predict(TWO, observation, { context })).data, await plain(TWO, observation), 1e-11);
    const error = await failure(predict(TWO, observation, { context, uvw: "antenna" }), "unsupported");
    assert(/no common positions of antennas/.test(error.message), error.message);
  }
});

Deno.test("a baseline that is missing at a time has no prediction, and spoils no other", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const uvw = [...ARRAYS.uvw as number[]].fill(NaN, 12, 18); // antenna 2 has no row at time 2 then
  const flag = new Uint8Array(6 * 12).fill(1, 48, 72);
  const visibility = new Float64Array(2 * 6 * 12).fill(NaN, 96);
  await using observation = await openObservation({ ...ARRAYS, uvw, flag, visibility });
  const expected = await plain(TWO, await openObservation(ARRAYS));
  for (const how of ["antenna", "baseline"] as const) {
    const { data } = await predict(TWO, observation, { context, uvw: how });
    assertNear(data.subarray(0, 96), expected.subarray(0, 96), 1e-11);
    assert(data.subarray(96).every(Number.isNaN), how);
    const { residual, chiSquared } = await compare(TWO, observation, { context, uvw: how });
    assert(Number.isFinite(chiSquared) && residual.data.subarray(96).every((value) => value === 0), how);
  }
});

Deno.test("terms take part, with the positions of the antennas", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  await using observation = await openObservation({ ...ARRAYS, correlations: ["XX", "XY", "YX", "YY"] });
  const turned = await predict(TWO, observation, {
    context,
    terms: [feedRotation("linear")],
    termInputs: {
      parallactic_angles: new Float64Array(6).fill(Math.PI / 2),
      feed_angles: new Float64Array(3),
    },
  });
  const straight = await predict(TWO, observation, { context });
  for (let i = 0; i < straight.data.length; i += 8) { // X is Y, and Y is −X
    assertNear(
      [...turned.data.subarray(i, i + 2)].map(Number),
      [...straight.data.subarray(i + 6, i + 8)].map(Number),
      1e-11,
    );
  }
});

Deno.test("terms of an observation of two correlations are computed for four, and compared with four alone", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  const termInputs = { parallactic_angles: new Float64Array(6).fill(0.3), feed_angles: new Float64Array(3) };
  const options = { context, terms: [feedRotation("linear")], termInputs };
  await using four = await openObservation({ ...ARRAYS, correlations: ["XX", "XY", "YX", "YY"] });
  await using two = await openObservation({
    ...ARRAYS,
    correlations: ["YY", "XX"],
    visibility: new Float64Array(72),
  });
  const [all, some] = [await predict(TWO, four, options), await predict(TWO, two, options)];
  assertEquals(some.shape, [6, 3, 2]);
  const expected = Array.from(
    { length: 18 },
    (_, i) => [6, 7, 0, 1].map((part) => Number(all.data[8 * i + part])),
  ).flat();
  assertEquals([...some.data], expected);
  const error = await failure(compare(TWO, two, options), "invalid");
  assert(/has no correlation XY; it has YY, XX/.test(error.message), error.message);
  await using stokes = await openObservation({ ...ARRAYS, correlations: ["I"] });
  const none = await failure(predict(TWO, stokes, options), "invalid");
  assert(/need correlations of feeds, found I/.test(none.message), none.message);
});

Deno.test("feeds turn by their angles and those of the sky, if no others are given", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  await using observation = await openObservation(pathOf("small.ms"), { field: 0, spectralWindow: 0 });
  const { antennas, times, field: { phaseCentre: [ra, dec] } } = observation;
  const longitude = 21.4 * Math.PI / 180, latitude = -30.7 * Math.PI / 180; // of the first antenna, as it was written
  const angles = Float64Array.from({ length: times.length * antennas.length }, (_, i) => {
    return parallacticAngle(hourAngle(times[Math.floor(i / antennas.length)]!, ra, longitude), dec, latitude);
  });
  const terms = [feedRotation("linear")];
  const termInputs = { parallactic_angles: angles, feed_angles: new Float64Array(antennas.length) };
  const [own, given] = [
    await predict(TWO, observation, { context, terms }),
    await predict(TWO, observation, { context, terms, termInputs }),
  ];
  assertNear(own.data, given.data as Float64Array, 2e-3); // the antennas lie within 500 m
  const straight = await predict(TWO, observation, { context });
  assert(own.data.some((value, i) => Math.abs(Number(value) - Number(straight.data[i])) > 0.1));
  await using nowhere = await openObservation({ ...ARRAYS, correlations: ["XX", "XY", "YX", "YY"] });
  const error = await failure(predict(TWO, nowhere, { context, terms }), "invalid");
  assert(/antenna 0 is not on Earth/.test(error.message), error.message);
});

Deno.test("sources are smeared by the widths of the channels and the intervals of the rows", async () => {
  await using context = createContext({ memory: "8MiB", workers: 0 });
  await using observation = await openObservation(pathOf("small.ms"), { field: 0, spectralWindow: 1 });
  const {
    rows,
    frequencies: frequency,
    channelWidths: channelWidth,
    field: { phaseCentre: [, declination] },
  } = observation;
  const found = await predict(TWO, observation, { context, smearing: true });
  const expected = await predict(
    { uvw: await observation.uvw(0, rows) as Float64Array, frequency, sky: TWO },
    {
      context,
      convention: observation.convention,
      correlations: ["RR", "LL"],
      smearing: { interval: await observation.interval(0, rows) as Float64Array, declination, channelWidth },
    },
  );
  assertNear(found.data, expected.data as Float64Array, 1e-9);
  const sharp = await predict(TWO, observation, { context });
  assert(sharp.data.some((value, i) => Math.abs(Number(value) - Number(found.data[i])) > 1e-3));
});

Deno.test("skies that cannot be predicted, and observations that cannot be compared, are refused", async () => {
  await using observation = await openObservation(ARRAYS);
  const far = await failure(predict(await skyOf("Name,Ra,Dec,I\nfar,200,-10,1"), observation), "invalid");
  assert(/component 0, "far".*more than 90°/.test(far.message), far.message);
  const none = await failure(compare(TWO, observation), "invalid");
  assert(/no visibilities to compare with/.test(none.message), none.message);
  await using odd = await openObservation({ ...ARRAYS, correlations: ["XX", "RL"] });
  const names = await failure(predict(TWO, odd), "invalid");
  assert(/Cannot predict the correlations XX, RL/.test(names.message), names.message);
  await using some = await openObservation({ ...ARRAYS, correlations: ["YX", "XX"] });
  await using all = await openObservation({ ...ARRAYS, correlations: ["XX", "XY", "YX", "YY"] });
  const [two, four] = [await predict(TWO, some), await predict(TWO, all)];
  const expected = Array.from(four.data).filter((_, i) => [4, 5, 0, 1].includes(i % 8));
  const turned = expected.map((_, i) => expected[i - i % 4 + (i + 2) % 4]!);
  assertEquals([two.shape.at(-1), [...two.data]], [2, turned]);
});

Deno.test("skies with both kinds of spectra are computed for each channel", async () => {
  const sky = await skyOf(
    "Name,l,m,I,Q,SpectralIndex,LogarithmicSI,ReferenceFrequency\n" +
      'a,0,0.01,2,0.5,"[-0.7,0.1]",true,1e9\nb,0.01,0,1,0.1,"[0.3,-0.2]",false,1.2e9\nc,0,0,4,0,[],false,',
  );
  const { stokes, spectrum } = skyModel(sky, [0, 0], ARRAYS.frequencies);
  assertEquals([spectrum, stokes.length], [undefined, 36]);
  ARRAYS.frequencies as number[];
  for (const [c, nu] of (ARRAYS.frequencies as number[]).entries()) {
    const x = nu / 1e9, y = nu / 1.2e9 - 1;
    const factor = x ** (-0.7 + 0.1 * Math.log10(x));
    assertNear(stokes.subarray(4 * c, 4 * c + 2), [2 * factor, 0.5 * factor], 1e-14);
    assertNear(stokes.subarray(12 + 4 * c, 14 + 4 * c), [1 + 0.3 * y - 0.2 * y * y, 0.1], 1e-14);
    assertEquals(stokes[24 + 4 * c], 4);
  }
  await failure(Promise.resolve().then(() => skyModel(sky, [0, 0])), "invalid");
});

const RADIO = new URL("../../../../shared/data/radio/rime_small/", import.meta.url);

Deno.test({
  name: "visibilities that others computed for rows of baselines are predicted, and χ² is 0",
  ignore: !existing(RADIO),
  fn: async () => {
    await using context = createContext({ memory: "8MiB", workers: 0 });
    const input = Object.fromEntries(
      await Promise.all(
        ["uvw", "antenna1", "antenna2", "time_index", "frequency", "lm", "stokes", "vis"].map(
          async (name) => {
            const dataset = await open(new URL(`${name}.npy`, RADIO));
            const { data } = await readBox(dataset, wholeBox(dataset.shape));
            return [name, Float64Array.from(data as Float64Array)] as const;
          },
        ),
      ),
    );
    await using observation = await openObservation({
      antennas: Array.from({ length: 7 }, (_, i) => ({ name: `${i}`, position: [0, 0, 0] })),
      frequencies: input["frequency"]!,
      correlations: ["XX", "XY", "YX", "YY"],
      phaseCentre: [0, 0],
      time: input["time_index"]!,
      antenna1: input["antenna1"]!,
      antenna2: input["antenna2"]!,
      uvw: input["uvw"]!,
      visibility: input["vis"]!,
    });
    const sky = { lm: input["lm"]!, stokes: input["stokes"]! };
    assertNear((await predict(sky, observation, { context })).data, input["vis"]!, 1e-11);
    assert((await compare(sky, observation, { context, uvw: "baseline" })).chiSquared < 1e-20);
  },
});

function existing(folder: URL): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch {
    return false;
  }
}
