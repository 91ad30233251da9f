/** Models of observations in files: the numbers are those of `predict()` and of a plain sum, whatever the rows are like. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { type ArraysInput, openObservation } from "../../../src/observations/open.ts";
import type { Observation } from "../../../src/observations/observation.ts";
import { asMeasurementSet, gridOf } from "../../../src/observations/model/grid.ts";
import {
  planObservation,
  type PredictObservationOptions,
} from "../../../src/rime/observed/predict_observation.ts";
import { skyModel } from "../../../src/rime/observed/sky_model.ts";
import { predict } from "../../../src/rime/predict/predict.ts";
import { createContext } from "../../../src/runner/context.ts";
import { readSky } from "../../../src/skies/read.ts";
import type { Sky } from "../../../src/skies/component.ts";
import { factsOf } from "../../../src/space/axes.ts";
import { withFolder } from "../../cli/harness.ts";
import { failure } from "../../formats/helpers.ts";
import { allSamples, pathOf } from "../../observations/expected.ts";
import { assertNear } from "../golden/golden.ts";

const sky = async (text: string) => await readSky(new TextEncoder().encode(text));

const SKY =
  `Name,Type,Ra,Dec,I,Q,U,V,SpectralIndex,ReferenceFrequency,MajorAxis,MinorAxis,Orientation,e1,e2,scale
a,POINT,71.62,-28.65,1.5,0.1,0.2,0.05,[-0.7],1.3e9,,,,,,
b,GAUSSIAN,71.66,-28.62,0.5,,,,,,30,10,20,,,
c,SERSIC,71.6,-28.6,0.7,,,,,,,,,0.1,0.05,12
`;

const POINTS = "Name,l,m,I,Q,U,V\na,0.01,-0.02,1.5,0.1,0.2,0.05\nb,-0.003,0.004,-0.4,,,\n";

/** The visibilities of point sources by the sum as it stands in books, with the sign of Measurement Sets. */
async function plainSum(points: Sky["points"], observation: Observation): Promise<number[]> {
  const { rows, frequencies, correlations } = observation;
  const uvw = await observation.uvw(0, rows);
  const out: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (const frequency of frequencies) {
      for (const name of correlations) {
        const sum = [0, 0];
        for (const { position, stokes: [i, q, u, v] } of points) {
          const { l, m } = position as { l: number; m: number };
          const n = Math.sqrt(1 - l * l - m * m);
          const path = uvw[3 * row]! * l + uvw[3 * row + 1]! * m + uvw[3 * row + 2]! * (n - 1);
          const angle = 2 * Math.PI * path * frequency / 299792458;
          const [re, im] = { XX: [i + q, 0], XY: [u, v], YX: [u, -v], YY: [i - q, 0] }[name]!;
          sum[0]! += re! * Math.cos(angle) - im! * Math.sin(angle);
          sum[1]! += re! * Math.sin(angle) + im! * Math.cos(angle);
        }
        out.push(...sum);
      }
    }
  }
  return out;
}

/** Predicts into `path`, and opens what was written. */
async function written(
  model: Sky,
  observation: Observation,
  path: string,
  options: PredictObservationOptions = {},
): Promise<Observation> {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  await (await planObservation(model, observation, path, { context, ...options })).run();
  return await openObservation(path);
}

Deno.test("a model of a Measurement Set, UVH5 and version 4 is that of predict() and of a plain sum", async () => {
  const [whole, points] = [await sky(SKY), await sky(POINTS)];
  await withFolder(async (folder) => {
    for (
      const [name, options] of [["small.ms", { field: 1 }], ["small.uvh5", {}], [
        "small.ps.zarr",
        {},
      ]] as const
    ) {
      await using observation = await openObservation(pathOf(name), options);
      await using found = await written(whole, observation, `${folder}/${name}.zarr`);
      const { rows, frequencies: frequency, field, correlations } = observation;
      const { rows: order } = await gridOf(observation); // no row is missing
      const sorted = <T>(values: ArrayLike<T>, each: number) =>
        Array.from(order).flatMap((row) => Array.from({ length: each }, (_, i) => values[row * each + i]!));
      const told = asMeasurementSet(observation);
      const uvw = Float64Array.from(sorted(await told.uvw(0, rows), 3));
      await using context = createContext({ memory: "16MiB", workers: 0 });
      const own = { context, convention: "casa" as const };
      if (correlations.join() === "XX,XY,YX,YY") {
        const expected = await predict(
          { uvw, frequency, sky: skyModel(whole, field.phaseCentre, frequency) },
          own,
        );
        assertNear(await allSamples(found.visibility!) as Float64Array, expected.data as Float64Array, 1e-9);
      }
      assertEquals(found.correlations, correlations);
      assertEquals(await found.uvw(0, rows), uvw);
      assertEquals([...await found.antenna2(0, rows)], sorted(await observation.antenna2(0, rows), 1));
      assertEquals([found.times, found.antennas, found.uvwSign], [
        observation.times,
        observation.antennas,
        told.uvwSign,
      ]);
      assertEquals((await allSamples(found.flag!)).every((flag) => flag === 0), true);
      await using plain = await written(points, observation, `${folder}/${name}.points.zarr`);
      assertNear(
        await allSamples(plain.visibility!) as Float64Array,
        sorted(await plainSum(points.points, told), 2 * frequency.length * correlations.length),
        1e-9,
      );
    }
  });
});

/** Six rows of three antennas at three times, in disorder; the pair 1, 2 is there once. */
const RAGGED: ArraysInput = {
  antennas: [0, 1, 2].map((i) => ({ name: `m${i}`, position: [i, 0, 0] as const })),
  frequencies: [1e9, 1.2e9, 1.3e9],
  correlations: ["XX", "YY", "XY", "YX"],
  phaseCentre: [1.25, -0.5],
  time: [30, 10, 20, 10, 30, 20],
  antenna1: [0, 0, 0, 1, 0, 0],
  antenna2: [1, 1, 1, 2, 2, 2],
  uvw: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, NaN, 17].map((x) => 30 * x),
  interval: [1, 2, 3, 4, 5, 6],
  convention: "casa",
};

Deno.test("widths of channels are those of the observation, also where they differ or are negative", async () => {
  const points = await sky(POINTS);
  await withFolder(async (folder) => {
    for (const [i, channelWidths] of [[1e6, 2e6, -3e6], [-2e6, -2e6, -2e6], [5e5, 5e5, 5e5]].entries()) {
      await using observation = await openObservation({ ...RAGGED, channelWidths });
      await using found = await written(points, observation, `${folder}/${i}.zarr`);
      assertEquals([...found.channelWidths], channelWidths);
    }
  });
});

Deno.test("a model opens as an array that says what it lies along, and in which unit it is", async () => {
  const points = await sky(POINTS), first = 30 - 40587 * 86400;
  await withFolder(async (folder) => {
    for (const frequencies of [[1e9, 1.2e9, 1.3e9], [1e9, 1.1e9, 1.2e9]]) {
      await using observation = await openObservation({ ...RAGGED, frequencies });
      await using _ = await written(points, observation, `${folder}/model.zarr`);
      const { axes, values } = await open(`${folder}/model.zarr`, { array: "VISIBILITY_MODEL" });
      const isEven = frequencies[1] === 1.1e9;
      assertEquals(axes.map(factsOf), [
        { name: "time", kind: "time", scale: 10, offset: first - 20, unit: "s" },
        { name: "baseline_id", kind: "baseline" },
        {
          name: "frequency",
          kind: "frequency",
          unit: "Hz",
          ...(isEven ? { scale: 1e8, offset: 1e9 } : { positions: frequencies }),
        },
        { name: "polarization", names: ["XX", "YY", "XY", "YX"] },
      ]);
      assertEquals(values, { kind: "complex", unit: "Jy" });
    }
  });
});

Deno.test("baselines that are missing at a time are NaN and flagged, all others are in their places", async () => {
  const points = await sky(POINTS);
  await using observation = await openObservation(RAGGED);
  await withFolder(async (folder) => {
    await using found = await written(points, observation, `${folder}/model.zarr`);
    assertEquals([...found.times], [10, 20, 30]);
    const [one, two] = [await found.antenna1(0, 3), await found.antenna2(0, 3)];
    assertEquals([[...one], [...two]], [[0, 0, 1], [1, 2, 2]]); // 0–1, 0–2, 1–2
    const rowAt = [1, -1, 3, 2, -1, -1, 0, 4, -1]; // row 5 has no v
    const intervals = await found.interval(0, 9); // of each row; that of the first row where there is none
    assertEquals([...intervals], [2, 1, 4, 3, 6, 1, 1, 5, 1]);
    const [vis, flags, uvw] = [
      await allSamples(found.visibility!),
      await allSamples(found.flag!),
      await found.uvw(0, 9),
    ];
    const expected = await plainSum(points.points, observation);
    for (const [place, row] of rowAt.entries()) {
      const own = (vis as Float64Array).subarray(24 * place, 24 * place + 24);
      assertEquals(
        [...flags.subarray(12 * place, 12 * place + 12)].every((flag) => flag === (row < 0 ? 1 : 0)),
        true,
      );
      if (row < 0) assert(own.every(Number.isNaN));
      else assertNear(own, expected.slice(24 * row, 24 * row + 24), 1e-9);
      if (row >= 0) assertEquals(uvw[3 * place], RAGGED.uvw[3 * row]);
    }
  });
});

Deno.test("rows of a .npy are those of the observation, in the correlations that are asked for", async () => {
  const points = await sky(POINTS);
  await using observation = await openObservation(RAGGED);
  await using context = createContext({ memory: "16MiB", workers: 0 });
  await withFolder(async (folder) => {
    const path = `${folder}/model.npy`;
    const plan = await planObservation(points, observation, path, {
      context,
      correlations: ["YX", "XX"],
      precision: "mixed",
    });
    assertEquals([plan.shape, plan.dtype, plan.sourceVisibilities], [[6, 3, 2], "complex64", 36]);
    await plan.run();
    assertEquals([(await open(path)).shape, (await open(path)).dtype], [[6, 3, 2], "complex64"]);
    const found = new Float32Array((await Deno.readFile(path)).slice(-6 * 3 * 2 * 8).buffer);
    const expected = await plainSum(points.points, observation); // XX, YY, XY, YX
    for (let cell = 0; cell < 15; cell++) {
      const [yx, xx] = [expected.slice(8 * cell + 6, 8 * cell + 8), expected.slice(8 * cell, 8 * cell + 2)];
      assertNear(found.subarray(4 * cell, 4 * cell + 4), [...yx, ...xx], 1e-5);
    }
    assert(found.subarray(60).every(Number.isNaN));
  });
});

/** 40 times of 12 antennas, whose baselines are differences of positions, or are not. */
function dense(isClosed: boolean): ArraysInput {
  const antennas = Array.from({ length: 12 }, (_, i) => ({ name: `a${i}`, position: [i, 0, 0] as const }));
  const pairs = antennas.flatMap((_, i) => antennas.slice(i + 1).map((_, k) => [i, i + 1 + k] as const));
  const rows = Array.from({ length: 40 }, (_, t) => pairs.map(([i, k]) => ({ time: 100 * t, i, k }))).flat();
  const extra = isClosed ? 0 : 7;
  return {
    antennas,
    frequencies: Float64Array.from({ length: 70 }, (_, c) => 1e9 + 1e6 * c),
    correlations: ["XX"],
    phaseCentre: [1.25, -0.5],
    time: rows.map(({ time }) => time),
    antenna1: rows.map(({ i }) => i),
    antenna2: rows.map(({ k }) => k),
    uvw: rows.flatMap(({ time, i, k }) => [
      50 * (k - i) * Math.cos(time / 999) + extra,
      30 * (k * k - i * i),
      (k - i) * time / 70,
    ]),
  };
}

for (const isClosed of [true, false]) {
  const kind = isClosed ? "positions of antennas" : "baselines";
  Deno.test(`the same bits with any budget and any number of workers, by ${kind}`, async () => {
    const model = await sky(SKY);
    await using observation = await openObservation(dense(isClosed));
    await withFolder(async (folder) => {
      const found: Uint8Array[] = [];
      const tiles = new Set<number>();
      for (const [memory, workers] of [["64MiB", 0], ["1536KiB", 0], ["8MiB", 2]] as const) {
        await using context = createContext({ memory, workers });
        for (const path of [`${folder}/${memory}.npy`, `${folder}/${memory}.zarr`]) {
          const plan = await planObservation(model, observation, path, { context, precision: "mixed" });
          tiles.add(plan.tiles);
          assertEquals(plan.cube.arrays.has("time_index"), isClosed);
          await plan.run();
        }
        await using opened = await openObservation(`${folder}/${memory}.zarr`);
        const { buffer, byteLength } = await allSamples(opened.visibility!);
        found.push(
          (await Deno.readFile(`${folder}/${memory}.npy`)).slice(-byteLength),
          new Uint8Array(buffer),
        );
      }
      assert(tiles.size > 1, String([...tiles]));
      for (const data of found) assertEquals(data, found[0]); // rows are on the grid already
    });
  });
}

Deno.test("the visibilities of a small array that another program has computed, as an observation", async (t) => {
  const folder = new URL("../../../../shared/data/radio/rime_small/", import.meta.url);
  const isThere = await Deno.stat(folder).then(() => true, () => false);
  await t.step({
    name: "sample data beside the checkout",
    ignore: !isThere,
    async fn() {
      const samples = (name: string) => {
        const bytes = Deno.readFileSync(new URL(`${name}.npy`, folder));
        return bytes.slice(10 + bytes[8]! + 256 * bytes[9]!).buffer;
      };
      const numbers = (name: string) => new Float64Array(samples(name));
      const integers = (name: string) => new Int32Array(samples(name));
      const [lm, stokes] = [numbers("lm"), numbers("stokes")];
      const points = Array.from({ length: lm.length / 2 }, (_, s) => ({
        name: `s${s}`,
        position: { l: lm[2 * s]!, m: lm[2 * s + 1]! },
        stokes: [...stokes.subarray(4 * s, 4 * s + 4)] as [number, number, number, number],
        spectrum: { terms: [], isLogarithmic: true },
      }));
      await using observation = await openObservation({
        antennas: Array.from({ length: 7 }, (_, i) => ({ name: `a${i}`, position: [0, 0, 0] as const })),
        frequencies: numbers("frequency"),
        correlations: ["XX", "XY", "YX", "YY"],
        phaseCentre: [0, 0],
        time: [...integers("time_index")],
        antenna1: integers("antenna1"),
        antenna2: integers("antenna2"),
        uvw: numbers("uvw"), // of the sign "fourier", as that of arrays is
      });
      await withFolder(async (out) => {
        const model = { points, gaussians: [], sersics: [] };
        await using found = await written(model, observation, `${out}/model.zarr`);
        assertNear(await allSamples(found.visibility!) as Float64Array, numbers("vis"), 1e-11);
        // the file has the other sign, as all of its format have, and the baselines are turned around with it
        assertEquals([found.convention, -(await found.uvw(0, 1))[0]!], ["casa", numbers("uvw")[0]]);
      });
    },
  });
});

Deno.test("a sky of power laws and polynomials is given by channel, and gives what each gives alone", async () => {
  const head = "Name,l,m,I,SpectralIndex,LogarithmicSI,ReferenceFrequency\n";
  const [log, linear] = ["a,0.001,0,2,[-0.7,0.2],true,1e9\n", 'b,0,0.002,1,"[0.5,-0.1]",false,1.1e9\n'];
  const [first, second] = [log.replace("[-0.7,0.2]", '"[-0.7,0.2]"'), linear];
  await using observation = await openObservation({ ...RAGGED, correlations: ["I"] });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const { frequencies: frequency } = observation;
  const uvw = Float64Array.from(RAGGED.uvw as number[]).subarray(0, 15);
  const of = async (text: string) => {
    const model = skyModel(await sky(head + text), [0, 0], frequency);
    return (await predict({ uvw, frequency, sky: model }, { context, correlations: ["I"] }))
      .data as Float64Array;
  };
  const [a, b, both] = [await of(first), await of(second), await of(first + second)];
  assertNear(both, a.map((value, i) => value + b[i]!), 1e-12);
});

Deno.test("what cannot be predicted is an error that says what would work", async () => {
  await using observation = await openObservation(RAGGED);
  const points = await sky(POINTS);
  const mixed = await failure(
    planObservation(points, observation, "x.npy", { correlations: ["XX", "RL"] }),
    "invalid",
  );
  assert(/XX, RL; all must be of XX, XY, YX, YY or RR/.test(mixed.message), mixed.message);
  const repeated = planObservation(points, observation, "x.zarr", { correlations: ["YY", "XX", "YY"] });
  assert(/YY is asked for twice/.test((await failure(repeated, "invalid")).message));
  const far = await sky("Name,Ra,Dec,I\nfar side,251,28,1\n");
  const behind = await failure(planObservation(far, observation, "x.npy"), "invalid");
  assert(/"far side": .*more than 90° from the phase centre/.test(behind.message), behind.message);
  await using twice = await openObservation({ ...RAGGED, antenna2: [1, 1, 1, 2, 1, 2] });
  const error = await failure(planObservation(points, twice, "x.zarr"), "unsupported");
  assert(error.message.includes("rows 0 and 4 are both of the baseline m0 – m1"), error.message);
});

Deno.test("what fits as a plan fits as a run: reading rows counts, and tiles become smaller for it", async () => {
  const points = await sky(POINTS);
  await using observation = await openObservation(pathOf("small.ms"), { field: 0, dataDescription: 0 });
  let [refused, ran] = [0, 0];
  await withFolder(async (folder) => {
    for (const factor of [0.5, 0.9, 1.02, 1.05, 1.1, 1.5, 3]) {
      const memory = Math.ceil(factor * observation.memory) + 2 ** 16;
      await using context = createContext({ memory, workers: 0 });
      const path = `${folder}/model.npy`;
      const plan = await planObservation(points, observation, path, { context }).catch((error) => {
        assert(isTilewiseError(error, "over-budget"), String(error));
        refused++;
      });
      if (!plan) continue;
      assert(plan.memory.total <= memory, `${factor}`);
      assert(
        plan.memory.holdings.some(({ what, each }) =>
          what === "sources and sinks" && each >= observation.memory
        ) &&
          /for sources and sinks/.test(plan.explain()),
      );
      await plan.run();
      ran++;
    }
  });
  assert(refused > 0 && ran > 0, `${refused}, ${ran}`);
});

Deno.test("tiles of many sources are cut over times, then over channels", async () => {
  const many = await sky(`l,m,I\n${"0.001,0.002,1\n".repeat(30000)}`);
  await using observation = await openObservation({
    ...RAGGED,
    frequencies: Float64Array.from({ length: 8192 }, (_, i) => 1e9 + i * 1e4),
  });
  await using context = createContext({ memory: "256MiB", workers: 0 });
  const { strides, tiles } = await planObservation(many, observation, "model.npy", { context });
  const [rows, channels] = strides.map(([, stride]) => stride) as [number, number];
  assert(30000 * rows * channels <= 2 ** 28 && channels >= 4 && tiles > 3, `${rows} × ${channels}`);
});
