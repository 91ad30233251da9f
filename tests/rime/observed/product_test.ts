/** Polarisation products of observations: Stokes parameters of either feed, and what counts with which weight. */

import { assertEquals } from "@std/assert";
import { type ArraysInput, openObservation } from "../../../src/observations/open.ts";
import type { Observation, RowSamples } from "../../../src/observations/observation.ts";
import type { ImagingInput } from "../../../src/rime/image/rows.ts";
import { gridFor } from "../../../src/rime/observed/image_grid.ts";
import { imagingRows, productOf } from "../../../src/rime/observed/product.ts";
import { ARCSECOND } from "../../../src/skies/angles.ts";
import { failure } from "../../formats/helpers.ts";
import { assertNear } from "../golden/golden.ts";

/** I, Q, U and V of the sample, and the correlations that follow. */
const [I, Q, U, V] = [5, 1, -0.5, 0.25];
const LINEAR = { XX: [I + Q, 0], XY: [U, V], YX: [U, -V], YY: [I - Q, 0] };
const CIRCULAR = { RR: [I + V, 0], RL: [Q, U], LR: [Q, -U], LL: [I - V, 0] };

/** Rows of one sample each, all the same. */
function input(
  samples: Readonly<Record<string, number[]>>,
  rows: number,
  more: Partial<ArraysInput> = {},
): ArraysInput {
  return {
    antennas: [0, 1].map((i) => ({ name: `a${i}`, position: [0, 0, 0] as const })),
    frequencies: [1e9],
    correlations: Object.keys(samples),
    phaseCentre: [0, 0],
    time: Array.from({ length: rows }, (_, i) => i),
    antenna1: new Array(rows).fill(0),
    antenna2: new Array(rows).fill(1),
    uvw: Array.from({ length: 3 * rows }, (_, i) => i + 1),
    visibility: Float64Array.from(Array.from({ length: rows }, () => Object.values(samples).flat()).flat()),
    ...more,
  };
}

/** The observation with weights per row and correlation, as the column WEIGHT of a Measurement Set has them. */
function withWeights(observation: Observation, weights: readonly number[], each: number): Observation {
  const weight: RowSamples = {
    shape: [weights.length / each, each],
    dtype: "float64",
    source: ({ extents: [[start, stop] = [0, 0]] }) =>
      Float64Array.from(weights.slice(each * start, each * stop)),
  };
  return Object.assign(Object.create(observation), { weight });
}

const read = async (
  values: ImagingInput["weights"],
  rows: number,
) => [...await (values as (start: number, stop: number) => Promise<Float64Array>)(0, rows)];

Deno.test("Stokes parameters are those of the brightness, for linear and for circular feeds", async () => {
  for (const samples of [LINEAR, CIRCULAR]) {
    await using observation = await openObservation(input(samples, 1));
    for (const [name, value] of Object.entries({ I, Q, U, V, ...samples })) {
      const { visibilities } = imagingRows(observation, productOf(observation, name));
      const expected = typeof value === "number" ? [value, 0] : value;
      assertNear(await read(visibilities, 1), expected, 1e-15);
    }
    assertEquals(productOf(observation).name, "I");
  }
  await using one = await openObservation(input({ XX: [1, 0] }, 1));
  assertEquals(productOf(one).name, "XX");
  const error = await failure(Promise.resolve().then(() => productOf(one, "V")), "invalid");
  assertEquals(error.message.includes("Cannot take V of arrays: it has XX"), true);
});

Deno.test("weights of a sum are those of its parts; what is flagged, not finite or has no baseline has none", async () => {
  const samples = { XX: [1, 0], YY: [3, 0] };
  const rows = 6;
  const visibility = Float64Array.from({ length: 4 * rows }, (_, i) => i === 4 ? NaN : [1, 0, 3, 0][i % 4]!); // row 1
  const flag = new Uint8Array(2 * rows);
  flag[2 * 2 + 1] = 1; // YY of row 2
  const weight = Float64Array.from({ length: 2 * rows }, (_, i) => i === 6 ? 0 : 2 + 2 * (i % 2)); // XX of row 3: 0
  const uvw = Array.from({ length: 3 * rows }, (_, i) => i + 1);
  uvw.splice(3 * 4, 3, 0, 0, 7); // row 4
  await using observation = await openObservation(input(samples, rows, { visibility, flag, weight, uvw }));
  const both = imagingRows(observation, productOf(observation, "I"));
  const own = 1 / (0.25 / 2 + 0.25 / 4); // half of XX with the weight 2, half of YY with 4
  assertNear(await read(both.weights, rows), [own, 0, 0, 0, 0, own], 1e-12);
  const first = imagingRows(observation, productOf(observation, "XX"));
  assertEquals(await read(first.weights, rows), [2, 0, 2, 0, 0, 2]);
  await using bare = await openObservation(input(samples, 2));
  assertEquals(await read(imagingRows(bare, productOf(bare, "XX")).weights, 2), [1, 1]);
});

Deno.test("a sample of which only one part is not finite has no weight; weights of rows hold for all channels", async () => {
  const [rows, channels] = [4, 3];
  const visibility = Float64Array.from({ length: 2 * rows * channels }, (_, i) => i % 2 === 0 ? 1 : 0);
  visibility[2 * 4] = NaN; // the real part of row 1, channel 1
  visibility[2 * 8 + 1] = NaN; // the imaginary part of row 2, channel 2
  visibility[2 * 9 + 1] = -Infinity; // row 3, channel 0
  const frequencies = [1e9, 1.1e9, 1.2e9];
  await using observation = await openObservation(input({ XX: [1, 0] }, rows, { frequencies, visibility }));
  const perRow = withWeights(observation, [2, 3, 4, 5], 1);
  const { weights } = imagingRows(perRow, productOf(observation, "XX"));
  assertEquals(await read(weights, rows), [2, 2, 2, 3, 0, 3, 4, 4, 0, 0, 5, 5]);
  const some = weights as (start: number, stop: number) => Promise<Float64Array>;
  assertEquals([...await some(2, 4)], [4, 4, 0, 0, 5, 5]); // later rows alone
});

Deno.test("weights of rows hold for all channels of each correlation, and of their sum", async () => {
  const [rows, channels] = [2, 3];
  const samples = { XX: [1, 0], YY: [3, 0] };
  const visibility = Float64Array.from({ length: 4 * rows * channels }, (_, i) => [1, 0, 3, 0][i % 4]!);
  await using observation = await openObservation(
    input(samples, rows, { frequencies: [1e9, 1.1e9, 1.2e9], visibility }),
  );
  const perRow = withWeights(observation, [2, 4, 6, 8], 2);
  const own = (x: number, y: number) => 1 / (0.25 / x + 0.25 / y);
  const both = imagingRows(perRow, productOf(observation, "I"));
  const expected = [own(2, 4), own(2, 4), own(2, 4), own(6, 8), own(6, 8), own(6, 8)];
  assertNear(await read(both.weights, rows), expected, 1e-12);
  const one = imagingRows(perRow, productOf(observation, "YY"));
  assertEquals(await read(one.weights, rows), [4, 4, 4, 8, 8, 8]);
});

Deno.test("pixels follow from the longest baseline, two digits, and stay on the sky", async () => {
  await using observation = await openObservation(
    input({ XX: [1, 0] }, 1, { frequencies: [1e9, 299792458 * 5], visibility: new Float64Array(4) }),
  );
  const extent = { rows: 1, left: 0, longest: 2000, most: [2000, 0], mostW: 0 } as const;
  const grid = gridFor(observation, extent, {});
  assertEquals(grid.pixels, [512, 512]);
  assertNear(grid.cell, [-5.1 * ARCSECOND, 5.1 * ARCSECOND], 1e-15); // 0.2 m / 2000 m / 4 = 5.157 arc seconds
  const wide = gridFor(observation, { ...extent, longest: 1 }, {});
  const corner = (wide.pixels[0] / 2) * wide.cell[1];
  assertEquals(2 * corner * corner <= 1 && wide.pixels[0] > 20, true);
  assertEquals(gridFor(observation, extent, { pixels: [8, 4], cell: 1e-4 }), {
    pixels: [8, 4],
    cell: [-1e-4, 1e-4],
  });
  await failure(Promise.resolve().then(() => gridFor(observation, { ...extent, longest: 0 }, {})), "invalid");
});
