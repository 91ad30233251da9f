/**
 * The complex phase of 50 sources at 27 antennas, tile by tile within a budget, sources and sinks as functions.
 *
 * The cube has 50 sources, 120 times, 27 antennas and 64 channels: 158 MiB of phases, computed in 16 MiB of
 * memory. Run it with
 *
 * ```sh
 * deno run -A examples/predict_phase.ts [--workers N]
 * ```
 *
 * `--workers 0` runs on the main thread. The digest is the same for any number of workers.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { createContext, run } from "@tilewise/tilewise";
import { asNumbers } from "@tilewise/tilewise/arrays";
import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
import type { SinkContext, Source } from "@tilewise/tilewise/unstable/hypercube";
import { PHASE_ARRAYS, phaseKernel, SPEED_OF_LIGHT } from "@tilewise/tilewise/unstable/rime";

const cube = hypercube({
  dimensions: { nsrc: 50, ntime: 120, na: 27, nchan: 64 },
  arrays: PHASE_ARRAYS,
});

/** Directions on a spiral, up to 5.7 degrees from the phase centre. */
const lm: Source = ({ extents: [sources] }) =>
  Float64Array.from(range(sources).flatMap((s) => [0.002 * s * Math.cos(s), 0.002 * s * Math.sin(s)]));

/** Antennas on a line of 27 km that turns with the sky. */
const uvw: Source = ({ extents: [times, antennas] }) =>
  Float64Array.from(
    range(times).flatMap((t) =>
      range(antennas).flatMap((a) => [
        1000 * a * Math.cos(t / 60),
        700 * a * Math.sin(t / 60),
        300 * a * Math.sin(t / 60),
      ])
    ),
  );

/** 64 channels from 1 GHz on. */
const frequency: Source = ({ extents: [channels] }) =>
  Float64Array.from(range(channels), (c) => 1e9 + 2e6 * c);

/** Predicts all phases; throws where a sample is not what plain arithmetic gives. */
export async function main(args: readonly string[]): Promise<string> {
  const workers = args.includes("--workers") ? Number(args[args.indexOf("--workers") + 1]) : 2;
  await using context = createContext({ memory: "16MiB", workers });
  const plan = planTiles(cube, { context, tile: ["ntime", "nsrc"] });
  console.log(plan.explain());
  const digest = createHash("sha256");
  let phases = 0, worst = 0;
  const start = performance.now();
  await run(plan, {
    kernel: phaseKernel(),
    sources: { lm, uvw, frequency },
    sinks: {
      complex_phase(context) {
        const samples = Float64Array.from(asNumbers(context.data.data));
        digest.update(samples);
        phases += samples.length / 2;
        worst = Math.max(worst, deviation(context, samples));
      },
    },
  });
  const seconds = (performance.now() - start) / 1000;
  if (phases !== 50 * 120 * 27 * 64) throw new Error(`${phases} phases came, not all`);
  if (!(worst < 1e-9)) throw new Error(`A phase is off by ${worst}`);
  const hex = digest.digest("hex");
  const rate = (phases / seconds / 1e6).toFixed(0);
  console.log(
    `${phases} phases in ${seconds.toFixed(2)} s (${rate} M/s), off by ${worst.toExponential(1)} at most`,
  );
  console.log(`${workers > 0 ? "workers" : "inline"}, ${Math.max(1, workers)} at a time, sha256 ${hex}`);
  return hex;
}

/** How far the last phase of a tile is from the textbook's formula. */
function deviation({ input }: SinkContext, samples: Float64Array): number {
  const last = (name: string, n: number) => asNumbers(input(name).data).slice(-n);
  const [l = NaN, m = NaN] = last("lm", 2);
  const [u = NaN, v = NaN, w = NaN] = last("uvw", 3);
  const [nu = NaN] = last("frequency", 1);
  const turns = -(u * l + v * m + w * (Math.sqrt(1 - l * l - m * m) - 1)) * nu / SPEED_OF_LIGHT;
  const angle = 2 * Math.PI * (turns % 1);
  const [re = NaN, im = NaN] = samples.slice(-2);
  return Math.max(Math.abs(re - Math.cos(angle)), Math.abs(im - Math.sin(angle)));
}

/** The indices of an extent; none without one. */
function range([lower, upper]: readonly [number, number] = [0, 0]): number[] {
  return Array.from({ length: upper - lower }, (_, i) => lower + i);
}

if (import.meta.main) await main(Deno.args);
