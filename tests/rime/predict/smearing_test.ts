/** Smearing in predict(): every layout of rows, an interval for each row, against averages of finer channels and times. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { antennaUvw, baselinePairs } from "../../../src/rime/geometry/antennas.ts";
import { EARTH_ROTATION } from "../../../src/rime/geometry/constants.ts";
import { openObservation } from "../../../src/observations/open.ts";
import { predict as predictObserved } from "../../../src/rime/observed/predict.ts";
import { planPredict, predict } from "../../../src/rime/predict/predict.ts";
import type { PredictInput } from "../../../src/rime/predict/problem.ts";
import type { Smearing } from "../../../src/rime/predict/smearing.ts";
import { createContext } from "../../../src/runner/context.ts";
import { assertNear } from "../golden/golden.ts";

const DECLINATION = -0.5, HOURS = [0.4, 1.1], ANTENNAS = 4, WIDTH = 4e6;
const POSITIONS = Float64Array.from({ length: 3 * ANTENNAS }, (_, i) => 3000 * Math.sin(3 + 43.7 * i * i));
const { antenna1, antenna2 } = baselinePairs(ANTENNAS);
const BASELINES = antenna1.length;
const FREQUENCY = Float64Array.of(1.3e9, 1.31e9, 1.5e9);
const SKY = {
  lm: Float64Array.of(0.01, 0.02, -0.03, 0.005, 0.02, -0.01),
  stokes: Float64Array.of(1, 0, 0, 0, 2, 0.5, 0, 0.1, 1.5, 0, 0.2, 0),
  gaussianShape: Float64Array.of(2e-5, 1e-5, 0.7), // the last source
};
/** Seconds of each row: longer ones on shorter baselines, as of averages that depend on the baseline. */
const INTERVALS = Float64Array.from({ length: HOURS.length * BASELINES }, (_, row) => 3 + row % 5 * 3);

/** UVW of antennas, later by some seconds. */
const uvwAt = (seconds: number) =>
  antennaUvw(POSITIONS, HOURS.map((hour) => hour + seconds * EARTH_ROTATION), DECLINATION);
const DENSE: PredictInput = { uvw: uvwAt(0), antenna1, antenna2, frequency: FREQUENCY, sky: SKY };

/** The same in another layout of rows. */
function layouts(): readonly PredictInput[] {
  const rows = HOURS.length * BASELINES;
  const repeated = (list: Int32Array) =>
    Int32Array.from({ length: rows }, (_, row) => list[row % BASELINES]!);
  const timeIndex = Int32Array.from({ length: rows }, (_, row) => Math.floor(row / BASELINES));
  const [first, second] = [repeated(antenna1), repeated(antenna2)];
  const uvw = Float64Array.from({ length: 3 * rows }, (_, i) => {
    const row = Math.floor(i / 3),
      at = (antenna: number) => DENSE.uvw[3 * (ANTENNAS * timeIndex[row]! + antenna) + i % 3]!;
    return at(first[row]!) - at(second[row]!);
  });
  return [DENSE, { ...DENSE, antenna1: first, antenna2: second, timeIndex }, {
    uvw,
    frequency: FREQUENCY,
    sky: SKY,
  }];
}

/** The mean of predictions at the middles of `steps` equal parts, each row over its own range. */
async function mean(
  steps: number,
  of: (part: number, row: number) => Promise<ArrayLike<number>>,
  unit: number,
) {
  const sum = new Float64Array(HOURS.length * BASELINES * unit);
  for (let i = 0; i < steps; i++) {
    const part = (i + 0.5) / steps - 0.5;
    for (let row = 0; row < sum.length / unit; row++) {
      const vis = await of(part, row);
      for (let k = 0; k < unit; k++) sum[unit * row + k]! += vis[unit * row + k]! / steps;
    }
  }
  return sum;
}

Deno.test("smeared visibilities are means over bandwidth and time, with an interval for each row, in all layouts", async () => {
  await using context = createContext({ memory: "16MiB", workers: 0 });
  for (const correlations of [["I"], ["XX", "YY"], ["XX", "XY", "YX", "YY"]] as const) {
    const unit = 2 * FREQUENCY.length * correlations.length;
    const options = { context, correlations };
    const known = new Map<number, ArrayLike<number>>(); // many rows share their seconds
    const later = async (part: number, row: number) => {
      const seconds = part * INTERVALS[row]!;
      const vis = known.get(seconds) ?? (await predict({ ...DENSE, uvw: uvwAt(seconds) }, options)).data;
      known.set(seconds, vis);
      return vis;
    };
    const inTime = await mean(24, later, unit);
    const wide = new Map<number, ArrayLike<number>>();
    const inBand = await mean(24, async (part) => {
      const vis = wide.get(part) ??
        (await predict({ ...DENSE, frequency: FREQUENCY.map((nu) => nu + part * WIDTH) }, options)).data;
      wide.set(part, vis);
      return vis;
    }, unit);
    const sharp = (await predict(DENSE, options)).data;
    const time: Smearing = { interval: INTERVALS, declination: DECLINATION };
    const band: Smearing = {
      interval: 0,
      declination: DECLINATION,
      channelWidth: new Float64Array(3).fill(WIDTH),
    };
    for (const input of layouts()) {
      for (const [smearing, expected] of [[time, inTime], [band, inBand]] as const) {
        const { data } = await predict(input, { ...options, smearing });
        assertNear(data, expected, 5e-3); // 24 parts, and the path is straight within an interval
        assert(data.some((value, i) => Math.abs(value - sharp[i]!) > 0.1), "smearing takes something away");
      }
    }
  }
});

Deno.test("an observation is smeared by its channels and by the interval of each row", async () => {
  const { uvw } = layouts()[2]!;
  const rows = INTERVALS.length;
  const pick = (list: Int32Array) => Array.from({ length: rows }, (_, row) => list[row % BASELINES]!);
  await using observation = await openObservation({
    antennas: Array.from({ length: ANTENNAS }, (_, a) => ({ name: `${a}`, position: [a, 0, 0] as const })),
    frequencies: [...FREQUENCY],
    channelWidths: [WIDTH, WIDTH, 2 * WIDTH],
    correlations: ["XX", "YY"],
    phaseCentre: [0, DECLINATION],
    time: Array.from({ length: rows }, (_, row) => 5e9 + Math.floor(row / BASELINES)),
    interval: [...INTERVALS],
    antenna1: pick(antenna1),
    antenna2: pick(antenna2),
    uvw: [...uvw],
  });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const channelWidth = Float64Array.of(WIDTH, WIDTH, 2 * WIDTH);
  const smearing = { interval: INTERVALS, declination: DECLINATION, channelWidth };
  const { convention } = observation;
  const input = { uvw, frequency: FREQUENCY, sky: SKY };
  const expected = await predict(input, { context, smearing, convention, correlations: ["XX", "YY"] });
  for (const positions of ["antenna", "baseline"] as const) {
    const found = await predictObserved(SKY, observation, { context, smearing: true, uvw: positions });
    assertNear(found.data, expected.data, 1e-10);
  }
});

Deno.test("smearing has the same bits in tiles of any size, on workers, and is refused where it does not fit", async () => {
  await using large = createContext({ memory: "32MiB", workers: 0 });
  const frequency = Float64Array.from({ length: 400 }, (_, c) => 1.3e9 + 1e3 * c * c);
  const smearing = {
    interval: INTERVALS,
    declination: DECLINATION,
    channelWidth: new Float64Array(400).fill(WIDTH),
  };
  for (const layout of layouts()) {
    const input = { ...layout, frequency };
    const { total: bytes } = planPredict(input, { context: large, smearing, inFlight: 3 }).memory;
    await using small = createContext({ memory: Math.ceil(0.93 * bytes), workers: 1 });
    assert(planPredict(input, { context: small, smearing, inFlight: 3 }).tiles > 1);
    const whole = await predict(input, { context: large, smearing });
    assertEquals((await predict(input, { context: small, smearing, inFlight: 3 })).data, whole.data);
  }
  const refused = async (change: object, text: string) => {
    const error = await assertRejects(
      () => predict(DENSE, { smearing: { ...smearing, ...change } }),
      TilewiseError,
      text,
    );
    assertEquals(error.code, "invalid");
  };
  await refused({ channelWidth: new Float64Array(3), interval: new Float64Array(5) }, "interval");
  await refused({ channelWidth: new Float64Array(4), interval: 1 }, "channel_width");
  await refused({ interval: -1 }, "a number from 0, or a Float64Array");
  await refused({ interwal: 1 }, 'did you mean "interval"');
});
