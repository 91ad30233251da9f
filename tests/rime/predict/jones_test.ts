/** Jones matrices of sources in the fused product, against products of matrices one at a time. */

import "../../fences/mod.ts";
import { assertThrows } from "@std/assert";
import { hypercube } from "../../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../../src/hypercube/run/run_cube.ts";
import { run } from "../../../src/run.ts";
import { predictKernel } from "../../../src/rime/predict/kernel.ts";
import { predictArrays } from "../../../src/rime/predict/options.ts";
import { createContext } from "../../../src/runner/context.ts";
import { expOfTurns } from "../../oracles/twins/rime/turns.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { assertNear } from "../golden/golden.ts";

type Complex = readonly [re: number, im: number];
type Matrix = readonly [Complex, Complex, Complex, Complex];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
const conj = ([a, b]: Complex): Complex => [a, -b];

/** Row i, column j of a product of matrices is the sum over k. */
function product(a: Matrix, b: Matrix): Matrix {
  const at = (i: number, j: number) => plus(times(a[2 * i]!, b[j]!), times(a[2 * i + 1]!, b[2 + j]!));
  return [at(0, 0), at(0, 1), at(1, 0), at(1, 1)];
}

const adjoint = ([a, b, c, d]: Matrix): Matrix => [conj(a), conj(c), conj(b), conj(d)];

const SIZES = { nsrc: 35, ntime: 2, na: 3, nbl: 4, nchan: 5 };
const random = mulberry32(3);
const make = (n: number, of: () => number) => Float64Array.from({ length: n }, of);
const { nsrc, ntime, na, nchan } = SIZES;
const lm = make(2 * nsrc, () => 0.1 * (random() - 0.5));
const stokes = make(4 * nsrc, () => random() - 0.5);
const uvw = make(3 * ntime * na, () => 300 * (random() - 0.5));
const frequency = make(nchan, () => 1e9 * (1 + random()));
const jones = make(8 * nsrc * ntime * na * nchan, () => random() - 0.5);
const [antenna1, antenna2] = [Int32Array.of(0, 0, 1, 2), Int32Array.of(1, 2, 2, 2)];

function plain(feed: "linear" | "circular", conjugated: boolean): number[] {
  const sign = conjugated ? -1 : 1;
  const out: number[] = [];
  for (let t = 0; t < ntime; t++) {
    for (let b = 0; b < antenna1.length; b++) {
      for (let c = 0; c < nchan; c++) {
        let sum: Matrix = [[0, 0], [0, 0], [0, 0], [0, 0]];
        for (let s = 0; s < nsrc; s++) {
          const matrix = (a: number): Matrix => {
            const at = 8 * (((s * ntime + t) * na + a) * nchan + c);
            const [l, m] = [lm[2 * s]!, lm[2 * s + 1]!];
            const [u, v, w] = uvw.subarray(3 * (t * na + a));
            const path = u! * l + v! * m + w! * (Math.sqrt(1 - l * l - m * m) - 1);
            const phase = expOfTurns(-path * frequency[c]! / 299792458);
            return [0, 1, 2, 3].map((k) =>
              times([jones[at + 2 * k]!, jones[at + 2 * k + 1]!], phase)
            ) as unknown as Matrix;
          };
          const [i, q, u, v] = stokes.subarray(4 * s) as unknown as [number, number, number, number];
          const brightness: Matrix = feed === "linear"
            ? [[i + q, 0], [u, sign * v], [u, -sign * v], [i - q, 0]]
            : [[i + v, 0], [q, sign * u], [q, -sign * u], [i - v, 0]];
          const one = product(product(matrix(antenna1[b]!), brightness), adjoint(matrix(antenna2[b]!)));
          sum = sum.map((value, k) => plus(value, one[k]!)) as unknown as Matrix;
        }
        out.push(...sum.flat());
      }
    }
  }
  return out;
}

for (
  const [feed, correlations] of [["linear", ["XX", "XY", "YX", "YY"]], ["circular", [
    "RR",
    "RL",
    "LR",
    "LL",
  ]]] as const
) {
  Deno.test(`Jones matrices of ${feed} feeds take part in the sum over sources`, async () => {
    await using context = createContext({ memory: "8MiB", workers: 0 });
    for (
      const [precision, tolerance, conjugated] of [["f64", 1e-11, false], ["mixed", 2e-5, true]] as const
    ) {
      const options = { jones: true, correlations, precision, brightness: { conjugated } };
      const cube = hypercube({ dimensions: SIZES, arrays: predictArrays(options) });
      const found = new Float64Array(8 * ntime * antenna1.length * nchan);
      await run(planTiles(cube, { context, tile: ["ntime", "nchan"] }), {
        kernel: predictKernel(options),
        sources: {
          lm: () => lm,
          stokes: () => stokes,
          uvw: () => uvw,
          frequency: () => frequency,
          antenna1: () => antenna1,
          antenna2: () => antenna2,
          jones: () => precision === "f64" ? jones : Float32Array.from(jones),
        },
        sinks: { model_vis: ({ data }) => found.set(data.data as Float64Array) },
      });
      assertNear(found, plain(feed, conjugated), tolerance);
    }
  });
}

Deno.test("Jones matrices are refused where there are not four correlations, or no antennas", () => {
  assertThrows(() => predictKernel({ jones: true, correlations: ["XX"] }), Error, '"jones" is for points');
  assertThrows(() => predictArrays({ jones: true, uvw: "baseline" }), Error, "positions of baselines");
});
