/** Predicted visibilities against the golden cases, in both precisions, inline and on workers, in few tiles and in many. */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { RunContext } from "../../../src/runner/context.ts";
import { predict, type PredictOptions } from "../../../src/rime/predict/predict.ts";
import type { PredictInput, SkyModel } from "../../../src/rime/predict/problem.ts";
import { CIRCULAR, LINEAR } from "../../../src/rime/predict/correlations.ts";
import { assertNear, type Golden, golden, goldenTest, numbersOf } from "../golden/golden.ts";

/** The problem of a case; `shape` is the kind of its extended sources, under the name in the case. */
function problem({ inputs }: Golden, shape: Partial<SkyModel> = {}): PredictInput {
  return {
    uvw: numbersOf(inputs, "uvw"),
    antenna1: Int32Array.from(inputs.antenna1!.data),
    antenna2: Int32Array.from(inputs.antenna2!.data),
    frequency: numbersOf(inputs, "frequency"),
    antennas: inputs.uvw!.shape[1]!,
    sky: { lm: numbersOf(inputs, "lm"), stokes: numbersOf(inputs, "stokes"), ...shape },
  };
}

/** The same as ragged rows, in another order. */
function ragged(input: PredictInput): [input: PredictInput, order: number[]] {
  const { antenna1, antenna2, antennas, uvw } = input;
  const baselines = antenna1!.length, times = uvw.length / 3 / antennas!;
  const order = Array.from({ length: times * baselines }, (_, i) => i)
    .sort((a, b) => (a * 7919) % 101 - (b * 7919) % 101 || a - b);
  const pick = (values: Int32Array) => Int32Array.from(order, (row) => values[row % baselines]!);
  const timeIndex = Int32Array.from(order, (row) => Math.floor(row / baselines));
  return [{ ...input, antenna1: pick(antenna1!), antenna2: pick(antenna2!), timeIndex }, order];
}

/** The same with a position per row. */
function perRow(input: PredictInput): PredictInput {
  const { antenna1, antenna2, antennas, uvw, frequency, sky } = input;
  const rows: number[] = [];
  for (let t = 0; t < uvw.length / 3 / antennas!; t++) {
    antenna1!.forEach((p, i) => {
      const at = (a: number, axis: number) => uvw[3 * (t * antennas! + a) + axis]!;
      rows.push(...[0, 1, 2].map((axis) => at(p, axis) - at(antenna2![i]!, axis)));
    });
  }
  const times = uvw.length / 3 / antennas!;
  const timeIndex = Int32Array.from(
    { length: rows.length / 3 },
    (_, i) => Math.floor(i * times / (rows.length / 3)),
  );
  return { uvw: Float64Array.from(rows), frequency, sky, timeIndex };
}

async function agrees(
  file: Golden,
  input: PredictInput,
  options: PredictOptions,
  layouts: readonly ("dense" | "ragged")[] = ["dense", "ragged"],
): Promise<void> {
  const expected = file.outputs.vis!.data;
  const correlations = file.params.feed === "circular" ? CIRCULAR : LINEAR;
  const unit = 2 * file.outputs.vis!.shape.slice(-2).reduce((a, b) => a * b);
  for (const [precision, key] of [["f64", "f64_abs"], ["mixed", "f32_delay_f64_abs"]] as const) {
    const tolerance = file.tolerance[key]!;
    const all = { ...options, precision, correlations };
    const dense = await predict(input, all);
    assertEquals(dense.shape, file.outputs.vis!.shape);
    assertNear(dense.data, expected, tolerance);
    if (!layouts.includes("ragged")) continue;
    const [rows, order] = ragged(input);
    const permuted = order.flatMap((row) => expected.slice(unit * row, unit * (row + 1)));
    assertNear((await predict(rows, all)).data, permuted, tolerance);
    assertNear((await predict(perRow(input), all)).data, expected, tolerance);
  }
}

const CASES: readonly (readonly [name: string, shapes: (file: Golden) => Partial<SkyModel>])[] = [
  ["03-point-unpolarised", () => ({})],
  ["04-gaussian", ({ inputs }) => ({ gaussianShape: numbersOf(inputs, "gauss_shape") })],
  ["05-polarised-linear", () => ({})],
  ["06-polarised-circular", () => ({})],
  ["07-brightness-edge", () => ({})],
  ["11-sersic-exponential-disk", ({ inputs }) => ({ sersicShape: numbersOf(inputs, "sersic_shape") })],
];

for (const [name, shapes] of CASES) {
  goldenTest(name, "predicted in both precisions, dense, ragged and per row", async (file) => {
    const input = problem(file, shapes(file));
    await using context = new RunContext({ memory: "64MiB", workers: 0 });
    await agrees(file, input, { context });
    await context.settled();
    assertEquals(context.arena.used, 0);
  });
}

const files = CASES.flatMap(([name, shapes]) => {
  const file = golden(name);
  return file ? [[file, shapes(file)] as const] : [];
});
Deno.test({
  name: "the golden cases are predicted on workers too",
  ignore: files.length === 0, // the golden files are not part of this repository
  async fn() {
    await using context = new RunContext({ memory: "64MiB", workers: 2 });
    for (const [file, shapes] of files) await agrees(file, problem(file, shapes), { context }, ["dense"]);
  },
});
