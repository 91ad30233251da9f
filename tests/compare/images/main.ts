/**
 * Random images, fields, samples and sources against direct sums, and images and visibilities against ducc0:
 * `deno run -A tests/compare/images/main.ts --python PYTHON --count 500 --seed 1`, with a Python that has ducc0.
 *
 * It prints each problem, and fails where an error is larger than the documented one.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { createContext } from "../../../mod.ts";
import { directDegrid, directImage, directVisibilities } from "../../oracles/direct_image.ts";
import { degrid, predictByGridding } from "../../../src/rime/image/degrid.ts";
import { dirtyImage } from "../../../src/rime/image/dirty.ts";
import { drawn, type Problem } from "./problem.ts";

/** What three calls give, each as list of numbers. */
interface Results {
  readonly image: ArrayLike<number>;
  readonly seen: ArrayLike<number>;
  readonly predicted?: ArrayLike<number>;
}

function flag(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

const [count, seed] = [Number(flag("count", "100")), Number(flag("seed", "1"))];
const peer = startPeer();
await using context = createContext({ memory: "2GiB", workers: 0 });
const ratios = { direct: [] as number[], ducc0: [] as number[] };
let [failed, inexact] = [0, 0];
for (let round = seed; round < seed + count; round++) {
  const problem = drawn(round);
  const { results, planes } = await ours(problem);
  const sums = bySums(problem), other = await peer.ask(problem);
  const told = [verdict(problem, "direct", errorsOf(problem, results, sums))];
  if (other) {
    const errors = errorsOf(problem, results, other), own = errorsOf(problem, { ...results, ...other }, sums);
    if (own.slice(0, 2).every((error) => error - floorOf(problem) < problem.epsilon / 4)) {
      told.push(verdict(problem, "ducc0", errors));
    } else {
      inexact++;
      told.push(`ducc0 itself is off by ${texts(own.slice(0, 2))}`);
    }
  }
  const { grid, kind, epsilon, places, weights } = problem, rows = places.uvw.length / 3;
  console.log(
    `${round}: ${
      grid.pixels.join("×")
    }, ${weights.length} samples in ${rows} rows, w ${kind}, ${planes} planes, ` +
      `${epsilon.toExponential(1)}: ${told.join(", ")}`,
  );
}
await peer.close();
for (const [by, list] of Object.entries(ratios)) {
  const sorted = list.toSorted((a, b) => a - b);
  console.log(
    `${by}: ${sorted.length} results; errors / epsilon: median ${sorted[sorted.length >> 1]?.toFixed(3)}, ` +
      `largest ${sorted.at(-1)?.toFixed(3)}`,
  );
}
console.log(
  `${count} problems, ${failed} beyond what is documented; ducc0 was too far from direct sums in ${inexact}`,
);
if (failed > 0) Deno.exit(1);

/** Counts errors that are larger than documented, and tells all. */
function verdict(problem: Problem, by: keyof typeof ratios, errors: number[]): string {
  const own = errors.map((error) => Math.max(0, error - floorOf(problem)) / problem.epsilon);
  ratios[by].push(...own);
  if (!own.every((ratio) => ratio <= 1)) failed++;
  return `${by} ${texts(errors)}`;
}

function texts(errors: readonly number[]): string {
  return errors.map((error) => error.toExponential(1)).join(" ");
}

/** A Python that answers problems with what ducc0 gives, or with nothing where its images would be larger than the sky. */
function startPeer() {
  const script = fromFileUrl(new URL("gridder.py", import.meta.url));
  const child = new Deno.Command(flag("python", "python3"), {
    args: [script],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = "";
  return {
    async ask({ grid, places, options, epsilon: _, ...rest }: Problem): Promise<Results | undefined> {
      const lists = { ...places, visibilities: rest.visibilities, weights: rest.weights, model: rest.model };
      const plain = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, Array.from(list)]));
      const line = JSON.stringify({ centre: [0, 0], ...grid, ...options, ...plain });
      await writer.write(new TextEncoder().encode(line + "\n"));
      while (!text.includes("\n")) {
        const { value, done } = await lines.next();
        if (done) throw new Error("the Python with ducc0 ended");
        text += value;
      }
      const end = text.indexOf("\n"), answer = text.slice(0, end);
      text = text.slice(end + 1);
      return JSON.parse(answer) ?? undefined;
    },
    async close(): Promise<void> {
      await writer.close();
      await child.status;
    },
  };
}

async function ours(problem: Problem): Promise<{ results: Results; planes: number }> {
  const { grid, places, visibilities, weights, model, sources, epsilon } = problem;
  const options = { ...problem.options, epsilon, context };
  const samples = { ...places, visibilities, weights };
  const { image, planes } = await dirtyImage(samples, grid, { ...options, normalize: false });
  const { data: seen } = await degrid(model, grid, places, options);
  const { data: predicted } = await predictByGridding(sources, places, options);
  return { results: { image: image.data, seen, predicted }, planes };
}

function bySums({ grid, places, visibilities, weights, model, sources, options }: Problem): Results {
  return {
    image: directImage(places, visibilities, weights, grid, options),
    seen: directDegrid(model, grid, places, options),
    predicted: directVisibilities(sources.lm, sources.flux, places, options),
  };
}

/** What double precision leaves of phases of many turns. */
function floorOf({ grid, places: { uvw }, size }: Problem): number {
  const [l, m] = grid.centre ?? [0, 0];
  return 1e-11 + 4e-15 * Math.max(...uvw.map(Math.abs)) * (size + Math.abs(l) + Math.abs(m));
}

function errorsOf({ visibilities, weights, model, sources }: Problem, found: Results, expected: Results) {
  return [
    sizedError(found.image, expected.image, noiseOf(weights, visibilities)),
    sizedError(found.seen, expected.seen, norm(model) / Math.SQRT2),
    ...expected.predicted && found.predicted
      ? [sizedError(found.predicted, expected.predicted, norm(sources.flux) / Math.SQRT2)]
      : [],
  ];
}

/** The error relative to the result, or to what random phases would give: a few samples or pixels may cancel. */
function sizedError(found: ArrayLike<number>, expected: ArrayLike<number>, noise: number): number {
  const rms = (values: ArrayLike<number>) => norm(values) / Math.sqrt(expected.length);
  const difference = Array.from(expected, (value, i) => found[i]! - value);
  return rms(difference) / Math.max(rms(expected), noise);
}

function norm(values: ArrayLike<number>): number {
  return Math.sqrt(Array.from(values).reduce((sum, x) => sum + x * x, 0));
}

/** What pixels have that see samples with random phases. */
function noiseOf(weights: Float64Array, values: Float64Array): number {
  return Math.sqrt(
    weights.reduce((sum, w, k) => sum + w * w * (values[2 * k]! ** 2 + values[2 * k + 1]! ** 2) / 2, 0),
  );
}
