/** Coverage of (u, v): every sample is counted in its pixel, with both signs. */

import { assertEquals } from "@std/assert";
import { type ArraysInput, openObservation } from "../../../src/observations/open.ts";
import { coverageOf } from "../../../src/rime/observed/coverage.ts";
import { extentOf } from "../../../src/rime/observed/extent.ts";
import { failure } from "../../formats/helpers.ts";

const LIGHT = 299792458;

/** Rows of two antennas at as many times as there are baselines. */
function input(uvw: readonly number[], frequencies: readonly number[]): ArraysInput {
  const rows = uvw.length / 3;
  return {
    antennas: [0, 1].map((i) => ({ name: `a${i}`, position: [0, 0, 0] as const })),
    frequencies,
    correlations: ["I"],
    phaseCentre: [0, 0],
    time: Array.from({ length: rows }, (_, i) => i),
    antenna1: new Array(rows).fill(0),
    antenna2: new Array(rows).fill(1),
    uvw,
  };
}

Deno.test("samples are in the pixels of their wavelengths, all channels, and turned around", async () => {
  const frequencies = [LIGHT, 2 * LIGHT]; // one and two wavelengths per metre
  const rows = [10, 0, 5, 3, -20, 0, 0, 0, 0, NaN, 1, 1]; // no baseline in the last two
  await using observation = await openObservation(input(rows, frequencies));
  const { counts, limit, channels, samples, extent } = await coverageOf(observation, {
    pixels: 84,
    unit: "wavelengths",
    channels: "all",
  });
  assertEquals([limit, channels, samples], [42, 2, 8]); // 2 wavelengths per metre × 20 m × 1.05: a pixel is one wavelength
  assertEquals([extent.rows, extent.left, extent.most, extent.mostW], [2, 2, [10, 20], 5]);
  const expected = new Uint32Array(84 * 84);
  for (const [u, v] of [[10, 0], [20, 0], [3, -20], [6, -40]] as const) {
    expected[Math.floor(42 - v) * 84 + 42 + u]!++;
    expected[(83 - Math.floor(42 - v)) * 84 + 83 - (42 + u)]!++;
  }
  assertEquals(counts, expected);
});

Deno.test("in metres, or for the channel in the middle, each row is one sample of each sign", async () => {
  await using observation = await openObservation(input([10, 0, 0, 0, 30, 0], [1e9, 2e9, 3e9]));
  for (
    const [unit, channels, limit] of [["metres", "all", 31.5], [
      "wavelengths",
      "centre",
      31.5 * 2e9 / LIGHT,
    ]] as const
  ) {
    const found = await coverageOf(observation, { pixels: 100, unit, channels });
    assertEquals([found.channels, found.samples], [1, 4]);
    assertEquals(Math.abs(found.limit / limit - 1) < 1e-12, true);
  }
});

Deno.test("rows of many blocks are read, and told", async () => {
  const rows = 150_000;
  const uvw = Array.from({ length: 3 * rows }, (_, i) => i % 3 === 2 ? 0 : 1 + i % 1000);
  await using observation = await openObservation(input(uvw, [1e9]));
  const told: number[] = [];
  const { counts, samples } = await coverageOf(observation, {
    pixels: 64,
    unit: "metres",
    channels: "all",
    onRows: (count) => told.push(count),
  });
  assertEquals([samples, counts.reduce((a, b) => a + b, 0)], [2 * rows, 2 * rows]);
  assertEquals([told.length, told.at(-1)], [6, 2 * rows]);
  assertEquals((await extentOf(observation)).longest, Math.hypot(999, 1000));
});

Deno.test("an observation of single antennas is an error", async () => {
  await using observation = await openObservation(input([0, 0, 0], [1e9]));
  await failure(coverageOf(observation, { pixels: 64, unit: "metres", channels: "all" }), "invalid");
});
