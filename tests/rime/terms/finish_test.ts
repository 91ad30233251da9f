/** After the sum over sources: gains, base visibilities, flags, residuals and χ², against golden values and formulae. */

import { assert, assertEquals } from "@std/assert";
import { beam } from "../../../src/rime/terms/beam.ts";
import { feedRotation } from "../../../src/rime/terms/feed.ts";
import { finishArrays, type FinishOptions, startFinish } from "../../../src/rime/terms/finish.ts";
import { complexOf, type Precision } from "../../../src/rime/terms/term.ts";
import { assertNear, type Golden, goldenTest, numbersOf } from "../golden/golden.ts";
import { adjoint, matrixAt, plainSum, product } from "../golden/plain.ts";
import { jonesOf, type Numbers, Rig, type Sizes } from "./rig.ts";

/** The sizes of a golden case, and what the sum over its sources needs. */
function caseOf({ inputs, params }: Golden) {
  const [nsrc, ntime, nchan] = inputs["stokes"]!.shape as [number, number, number];
  const na = inputs["uvw"]!.shape[1]!;
  const nbl = inputs["antenna1"]!.shape[0]!;
  const given: Numbers = Object.fromEntries(Object.keys(inputs).map((name) => [name, inputs[name]!.data]));
  const sizes: Sizes = { nsrc, ntime, na, nchan, nbl, nrow: ntime * nbl, ncorr: 4 };
  const sum = {
    feed: params.feed!,
    lm: given["lm"]!,
    stokes: given["stokes"]!,
    uvw: given["uvw"]!,
    antennas: na,
    antenna1: given["antenna1"]!,
    antenna2: given["antenna2"]!,
    frequency: given["frequency"]!,
  };
  return { sizes, given, sum };
}

/** Takes visibilities of a dense grid to their end; the rig has all results. */
function finish(sizes: Sizes, inputs: Numbers, options: FinishOptions, precision: Precision = "f64"): Rig {
  const rig = new Rig(sizes);
  const { nrow = 0, nbl = 1, na = 1, nchan = 1, ncorr = 4 } = sizes;
  const shape = ["nrow", "nchan", "ncorr"];
  const vis = rig.place({ name: "model_vis", shape, dtype: complexOf(precision) }, inputs["model_vis"]);
  for (const array of finishArrays(options, ["nrow"], precision)) {
    rig.place(array, array.role === "input" ? inputs[array.name] : undefined);
  }
  const rows = (name: string, of: (row: number) => number) =>
    rig.place({ name, shape: ["nrow"], dtype: "int32" }, Array.from({ length: nrow }, (_, row) => of(row)))
      .pointer;
  startFinish(options, { kernels: rig.kernels, precision })({
    vis: vis.pointer,
    rows: nrow,
    antennas: na,
    channels: nchan,
    correlations: ncorr,
    antenna1: rows("antenna1", (row) => inputs["antenna1"]![row % nbl]!),
    antenna2: rows("antenna2", (row) => inputs["antenna2"]![row % nbl]!),
    times: rows("time_index", (row) => Math.floor(row / nbl)),
    arrays: rig.arrays,
  });
  return rig;
}

const EVERYTHING: FinishOptions = { gains: true, base: "after", flags: true, weights: true, observed: true };

for (
  const [name, feed] of [["09-full-rime-linear", "linear"], ["10-full-rime-circular", "circular"]] as const
) {
  goldenTest(name, "all terms, from Stokes parameters to χ²", async (file) => {
    const { sizes, given, sum } = caseOf(file);
    const [beam_lw, beam_mh, beam_nud] = file.inputs["ebeam"]!.shape as [number, number, number];
    const terms = [beam({ pointingErrors: true, antennaScaling: true }), feedRotation(feed)];
    const taper = numbersOf(file.outputs, "taper");
    const { ntime = 0, nbl = 0, nchan = 0 } = sizes;
    const at = (s: number, t: number, b: number, c: number) => ((s * ntime + t) * nbl + b) * nchan + c;
    for (const precision of ["f64", "mixed"] as const) {
      const jones = await jonesOf(terms, { ...sizes, beam_lw, beam_mh, beam_nud }, given, precision);
      const model_vis = plainSum({ ...sum, jones, taper: (...place) => taper[at(...place)]! });
      const tolerance = precision === "f64" ? file.tolerance["f64_abs"]! : 2e-5;
      const inputs = { ...given, model_vis };
      const whole = finish(sizes, inputs, { ...EVERYTHING, flags: false, observed: false }, precision);
      assertNear(whole.read("model_vis"), numbersOf(file.outputs, "vis_before_flags"), tolerance);
      const flagged = finish(sizes, inputs, { ...EVERYTHING, observed: false }, precision);
      assertNear(flagged.read("model_vis"), numbersOf(file.outputs, "model_vis"), tolerance);
      const found = finish(sizes, inputs, EVERYTHING, precision);
      assertNear(found.read("model_vis"), numbersOf(file.outputs, "model_vis"), tolerance);
      assertNear(found.read("residual_vis"), numbersOf(file.outputs, "residual"), tolerance);
      const chi = file.outputs["chi_squared"]!.data[0]!;
      const relative = precision === "f64" ? file.tolerance["chi2_rel"]! : 1e-5;
      assertNear(found.read("chi_squared"), [chi], relative * chi);
    }
  });
}

goldenTest("07-brightness-edge", "no source is lost where a factorisation has none", (file) => {
  const { sum } = caseOf(file);
  assertNear(plainSum(sum), numbersOf(file.outputs, "vis"), file.tolerance["f64_abs"]!);
});

/** Numbers without a pattern. */
function noise(length: number, seed: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => Math.sin(seed + 12.9898 * i * i));
}

const SMALL: Sizes = { ntime: 2, na: 3, nbl: 3, nrow: 6, nchan: 2, ncorr: 4 };
const SAMPLES = 6 * 2 * 4;
const INPUTS: Numbers = {
  antenna1: [0, 0, 1],
  antenna2: [1, 2, 2],
  model_vis: noise(2 * SAMPLES, 1),
  base_vis: noise(2 * SAMPLES, 2),
  direction_independent_effects: noise(2 * 2 * 3 * 2 * 4, 3),
  observed_vis: noise(2 * SAMPLES, 4),
  weight: noise(SAMPLES, 5).map((value) => value * value),
  flag: noise(SAMPLES, 6).map((value) => value > 0.5 ? 1 : 0),
};

/** G_p V G_q^H by its formula. */
function withGains(vis: ArrayLike<number>): number[] {
  const gains = INPUTS["direction_independent_effects"]!;
  return Array.from({ length: 12 }, (_, i) => {
    const [row, c] = [Math.floor(i / 2), i % 2];
    const gain = (antenna: number) => matrixAt(gains, (Math.floor(row / 3) * 3 + antenna) * 2 + c);
    const [p, q] = [INPUTS["antenna1"]![row % 3]!, INPUTS["antenna2"]![row % 3]!];
    return product(product(gain(p), matrixAt(vis, i)), adjoint(gain(q))).flat();
  }).flat();
}

Deno.test("gains multiply the sum from both sides, base visibilities only if asked to", () => {
  const [vis, base] = [INPUTS["model_vis"]!, INPUTS["base_vis"]!];
  const both = Array.from(vis, (value, i) => value + base[i]!);
  const found = (options: FinishOptions) =>
    finish(SMALL, INPUTS, { gains: true, ...options }).read("model_vis");
  assertNear(found({}), withGains(vis), 1e-14);
  assertNear(found({ base: "after" }), withGains(vis).map((value, i) => value + base[i]!), 1e-14);
  assertNear(found({ base: "before" }), withGains(both), 1e-14);
  assertNear(found({ gains: false, base: "after" }), both, 1e-15);
  assertEquals(found({ gains: false }), Float64Array.from(vis));
});

Deno.test("one or two correlations have gains of their own", () => {
  for (const ncorr of [1, 2]) {
    const sizes = { ...SMALL, ncorr };
    const short = (name: string, length: number) => noise(2 * length * ncorr, name.length);
    const inputs = {
      ...INPUTS,
      model_vis: short("vis", 12),
      direction_independent_effects: short("gains", 12),
    };
    const [vis, gains] = [inputs.model_vis, inputs.direction_independent_effects];
    const expected = Array.from({ length: 12 * ncorr }, (_, i) => {
      const [row, rest] = [Math.floor(i / (2 * ncorr)), i % (2 * ncorr)];
      const pair = (of: Float64Array, at: number): [number, number] => [of[2 * at]!, of[2 * at + 1]!];
      const gain = (name: string) =>
        pair(gains, (Math.floor(row / 3) * 3 + INPUTS[name]![row % 3]!) * 2 * ncorr + rest);
      const [[a, b], [c, d], [x, y]] = [gain("antenna1"), gain("antenna2"), pair(vis, i)];
      const [re, im] = [a * x - b * y, a * y + b * x];
      return [re * c + im * d, im * c - re * d];
    }).flat();
    assertNear(finish(sizes, inputs, { gains: true }).read("model_vis"), expected, 1e-14);
  }
});

Deno.test("residuals are observed less model, and χ² counts no flags and no weights of 0, not even NaN", () => {
  const observed = Float64Array.from(INPUTS["observed_vis"]!);
  const weight = Float64Array.from(INPUTS["weight"]!);
  const flag = INPUTS["flag"]!;
  const hidden = Array.from(flag).indexOf(1);
  const dead = Array.from(flag).indexOf(0);
  observed[2 * hidden] = NaN; // flagged
  observed[2 * dead] = NaN; // without a weight
  weight[dead] = 0;
  const rig = finish(SMALL, { ...INPUTS, observed_vis: observed, weight }, {
    flags: true,
    weights: true,
    observed: true,
  });
  const [vis, residual] = [INPUTS["model_vis"]!, rig.read("residual_vis")];
  let chi = 0;
  for (let i = 0; i < SAMPLES; i++) {
    for (const k of [2 * i, 2 * i + 1]) {
      const off = flag[i] ? 0 : observed[k]! - vis[k]!;
      assertEquals(residual[k], off);
      if (weight[i] !== 0) chi += weight[i]! * off * off;
    }
  }
  assertNear(rig.read("chi_squared"), [chi], 1e-13);
  assert(chi > 1);
  const plain = finish(SMALL, INPUTS, { observed: true });
  const squares = plain.read("residual_vis").reduce((sum, value) => sum + value * value, 0);
  assertNear(plain.read("chi_squared"), [squares], 1e-12);
});

Deno.test("flags alone clear visibilities, and weights alone need no array", () => {
  const found = finish(SMALL, INPUTS, { flags: true }).read("model_vis");
  const flag = INPUTS["flag"]!;
  assertEquals(found, Float64Array.from(INPUTS["model_vis"]!, (value, i) => flag[i >> 1] ? 0 : value));
  assertEquals(finishArrays({ weights: true }, ["nrow"], "f64"), []);
});
