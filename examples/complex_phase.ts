/**
 * The complex phase from the documentation of Montblanc, as a kernel of one's own, corrected: `n = sqrt(1 − l² − m²)`, and
 * an exponent that is imaginary.
 *
 * The documented cube has 10 000 times, 64 antennas, 32 768 channels and 100 sources: 30.5 TiB. It is planned for 16 MiB, and
 * a part of it is computed. Run it with
 *
 * ```sh
 * deno run -A examples/complex_phase.ts [--workers N]
 * ```
 *
 * @module
 */

import { createHash } from "node:crypto";
import { createContext, run } from "@tilewise/tilewise";
import { asNumbers } from "@tilewise/tilewise/arrays";
import { hypercube, planTiles } from "@tilewise/tilewise/hypercube";
import { cubeKernel, type SinkContext, type Source } from "@tilewise/tilewise/unstable/hypercube";

const SPEED_OF_LIGHT = 299792458;

/** The cube of the documentation. */
export const cube = hypercube({
  dimensions: { ntime: 10_000, na: 64, nchan: 32_768, npsrc: 100 },
  arrays: [
    { name: "lm", shape: ["npsrc", 2], dtype: "float64", description: "direction cosines" },
    { name: "uvw", shape: ["ntime", "na", 3], dtype: "float64", units: "m" },
    { name: "frequency", shape: ["nchan"], dtype: "float64", units: "Hz" },
    { name: "complex_phase", shape: ["npsrc", "ntime", "na", "nchan"], dtype: "complex128", role: "output" },
  ],
});

/** `exp(-2πi (u l + v m + w (n − 1)) ν / c)`, in turns, of which only the fraction counts. */
const phase = cubeKernel({
  name: "phase",
  dimensions: ["npsrc", "ntime", "na", "nchan"],
  arrays: ["lm", "uvw", "frequency", "complex_phase"],
  params: { c: SPEED_OF_LIGHT },
  source: `
    export function tile(
      npsrc: i32, ntime: i32, na: i32, nchan: i32,
      lm: usize, uvw: usize, frequency: usize, out: usize, c: f64,
    ): void {
      for (let s = 0; s < npsrc; s++) {
        const l = load<f64>(lm + 16 * s), m = load<f64>(lm + 16 * s + 8);
        const n1 = -(l * l + m * m) / (1 + Math.sqrt(1 - l * l - m * m)); // n - 1, without its cancellation
        for (let a = 0; a < ntime * na; a++) {
          const at = uvw + 24 * a;
          const delay = (load<f64>(at) * l + load<f64>(at + 8) * m + load<f64>(at + 16) * n1) / c;
          for (let f = 0; f < nchan; f++, out += 16) {
            const turns = delay * load<f64>(frequency + 8 * f);
            const angle = -2 * Math.PI * (turns - nearest(turns));
            store<f64>(out, Math.cos(angle));
            store<f64>(out + 8, Math.sin(angle));
          }
        }
      }
    }`,
});

/** Directions on a spiral. */
const lm: Source = ({ extents: [sources] }) =>
  Float64Array.from(range(sources).flatMap((s) => [0.002 * s * Math.cos(s), 0.002 * s * Math.sin(s)]));

/** Antennas on a line that turns with the sky. */
const uvw: Source = ({ extents: [times, antennas] }) =>
  Float64Array.from(
    range(times).flatMap((t) =>
      range(antennas).flatMap((
        a,
      ) => [90 * a * Math.cos(t / 60), 70 * a * Math.sin(t / 60), 30 * a * Math.sin(t / 60)])
    ),
  );

const frequency: Source = ({ extents: [channels] }) =>
  Float64Array.from(range(channels), (c) => 1e9 + 2e6 * c);

/** Computes a part of the cube; throws where a sample is not what plain arithmetic gives. */
export async function main(args: readonly string[]): Promise<string> {
  const workers = args.includes("--workers") ? Number(args[args.indexOf("--workers") + 1]) : 2;
  await using context = createContext({ memory: "16MiB", workers });
  console.log(planTiles(cube, { context, tile: ["ntime", "nchan", "npsrc"] }).explain());
  const part = cube.with({ ntime: { size: 12 }, nchan: { size: 16 }, npsrc: { size: 20 } });
  const digest = createHash("sha256");
  let phases = 0, worst = 0, asDocumented = 0;
  const report = await run(part, {
    plan: { context, tile: ["ntime"], inFlight: 8 },
    kernel: phase,
    sources: [{ name: "sky", sources: { lm } }, { name: "telescope", sources: { uvw, frequency } }],
    sinks: {
      complex_phase(context) {
        const samples = Float64Array.from(asNumbers(context.data.data));
        digest.update(samples);
        phases += samples.length / 2;
        worst = Math.max(worst, deviation(context, samples, -1));
        asDocumented = Math.max(asDocumented, deviation(context, samples, 1));
      },
    },
  });
  if (phases !== 12 * 64 * 16 * 20) throw new Error(`${phases} phases came, not all`);
  if (!(worst < 1e-9)) throw new Error(`A phase is off by ${worst}`);
  if (asDocumented < 0.1) throw new Error("The documented n makes no difference: the test is too easy");
  const seconds = [report.read, report.compute, report.write].map((time) => time.toFixed(2)).join(", ");
  console.log(`${phases} phases in ${report.tiles} tiles; seconds to read, compute, write: ${seconds}`);
  return digest.digest("hex");
}

/** How far the last phase of a tile is from the textbook's formula, with `n = sqrt(1 − l² + sign m²)`. */
function deviation({ input }: SinkContext, samples: Float64Array, sign: 1 | -1): number {
  const last = (name: string, n: number) => asNumbers(input(name).data).slice(-n);
  const [l = NaN, m = NaN] = last("lm", 2);
  const [u = NaN, v = NaN, w = NaN] = last("uvw", 3);
  const [nu = NaN] = last("frequency", 1);
  const turns = -(u * l + v * m + w * (Math.sqrt(1 - l * l + sign * m * m) - 1)) * nu / SPEED_OF_LIGHT;
  const angle = 2 * Math.PI * (turns % 1);
  const [re = NaN, im = NaN] = samples.slice(-2);
  return Math.max(Math.abs(re - Math.cos(angle)), Math.abs(im - Math.sin(angle)));
}

/** The indices of an extent; none without one. */
function range([lower, upper]: readonly [number, number] = [0, 0]): number[] {
  return Array.from({ length: upper - lower }, (_, i) => lower + i);
}

if (import.meta.main) await main(Deno.args);
