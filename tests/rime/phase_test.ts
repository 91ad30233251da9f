/** The complex phase against values from elsewhere, against `Math`, and with the same bits wherever it runs. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { RunContext } from "../../src/runner/context.ts";
import { inlineExecutor } from "../../src/executor/inline.ts";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import type { Executor } from "../../src/executor/task.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { type Extent, hypercube } from "../../src/hypercube/cube/cube.ts";
import type { ProviderContext, Source } from "../../src/hypercube/providers/provider.ts";
import { run as runCube } from "../../src/run.ts";
import { expOfTurns } from "../oracles/twins/rime/turns.ts";
import { PHASE_ARRAYS, phaseArrays, phaseKernel, type PhaseOptions } from "../../src/rime/phase.ts";

interface GoldenArray {
  readonly shape: number[];
  readonly data: number[];
}

interface Golden {
  readonly tolerance: { readonly f64_abs: number; readonly f32_delay_f64_abs: number };
  readonly inputs: Readonly<Record<"lm" | "uvw" | "frequency", GoldenArray>>;
  readonly outputs: Readonly<Record<"complex_phase", GoldenArray>>;
}

function golden(name: string): Golden | undefined {
  try {
    return JSON.parse(
      Deno.readTextFileSync(new URL(`../../../shared/golden/rime/${name}.json`, import.meta.url)),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The part of a dense array within `extents`, samples of `unit` numbers. */
function part(
  data: ArrayLike<number>,
  shape: readonly number[],
  extents: readonly Extent[],
  unit = 1,
): number[] {
  let at = [0];
  shape.forEach((size, d) => {
    const [lower, upper] = extents[d]!;
    at = at.flatMap((start) => Array.from({ length: upper - lower }, (_, i) => start * size + lower + i));
  });
  return at.flatMap((start) => Array.from({ length: unit }, (_, k) => data[start * unit + k]!));
}

/** The phases of a golden case, tile by tile in `budget` bytes, put together again. */
async function predict(
  { inputs }: Pick<Golden, "inputs">,
  executor: Executor,
  budget: number,
  options: PhaseOptions = {},
): Promise<{ phases: Float64Array; tiles: number }> {
  const [nsrc, ntime, na, nchan] = [
    inputs.lm.shape,
    inputs.uvw.shape,
    inputs.uvw.shape.slice(1),
    inputs.frequency.shape,
  ]
    .map((shape) => shape[0]!);
  const shape = [nsrc!, ntime!, na!, nchan!];
  const cube = hypercube({
    dimensions: { nsrc: nsrc!, ntime: ntime!, na: na!, nchan: nchan! },
    arrays: phaseArrays(options),
  });
  await using context = new RunContext({ memory: budget, executor });
  const plan = planTiles(cube, { context, tile: ["nsrc", "ntime", "nchan"] });
  const phases = new Float64Array(2 * shape.reduce((a, b) => a * b)).fill(NaN);
  const indices = Float64Array.from(phases, (_, i) => i);
  const slice = ({ data, shape }: GoldenArray): Source => ({ extents }) =>
    Float64Array.from(part(data, shape, extents));
  await runCube(plan, {
    kernel: phaseKernel(options),
    sources: { lm: slice(inputs.lm), uvw: slice(inputs.uvw), frequency: slice(inputs.frequency) },
    sinks: {
      complex_phase({ data, extents }) {
        const to = part(indices, shape, extents, 2);
        to.forEach((index, i) => phases[index] = Number(data.data[i]));
      },
    },
  });
  await context.settled();
  assertEquals(context.arena.used, 0);
  assert(context.arena.peak <= plan.memory.total);
  return { phases, tiles: plan.tiles };
}

function furthest(found: Float64Array, expected: readonly number[]): number {
  assertEquals(found.length, expected.length);
  return found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0);
}

for (const name of ["01-complex-phase", "02-complex-phase-long-baseline"]) {
  const file = golden(name);
  Deno.test({
    name:
      `${name} agrees with the golden values in both precisions, inline and on workers, whole and in tiles`,
    ignore: file === undefined, // the golden files are not part of this repository
    async fn() {
      await using inline = inlineExecutor();
      await using pool = workerPool({ workers: 2 });
      for (const [precision, key] of [["f64", "f64_abs"], ["mixed", "f32_delay_f64_abs"]] as const) {
        const found: Float64Array[] = [];
        for (
          const [executor, budget, least] of [[inline, 2 ** 20, 1], [inline, 2048, 2], [
            pool,
            4096,
            2,
          ]] as const
        ) {
          const { phases, tiles } = await predict(file!, executor, budget, { precision });
          assert(tiles >= least, `${tiles} tiles`);
          found.push(phases);
        }
        const [phases] = found as [Float64Array];
        const error = furthest(phases, file!.outputs.complex_phase.data);
        assert(error <= file!.tolerance[key] && error < 4e-7, `off by ${error}`);
        assertEquals(found, found.map(() => phases));
        const casa = await predict(file!, inline, 2 ** 20, { convention: "casa", precision });
        assertEquals(casa.phases, phases.map((value, i) => i % 2 ? 0 - value : value));
      }
    },
  });
}

/** A problem of 5 sources, 7 times, 3 antennas and 5 channels, the same in every run. */
function seeded(): Pick<Golden, "inputs"> {
  let state = 12345;
  const random = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const array = (shape: number[], make: () => number): GoldenArray => ({
    shape,
    data: Array.from({ length: shape.reduce((a, b) => a * b) }, make),
  });
  return {
    inputs: {
      lm: array([5, 2], () => random() - 0.5),
      uvw: array([7, 3, 3], () => 1e4 * (random() - 0.5)),
      frequency: array([5], () => 1e9 * (1 + random())),
    },
  };
}

Deno.test("the same bits inline, on 1, 2 and 3 workers, in few tiles and in many", async () => {
  const problem = seeded();
  await using inline = inlineExecutor();
  const whole = await predict(problem, inline, 2 ** 20);
  assertEquals(whole.tiles, 1);
  assert(whole.phases.every((value) => Math.abs(value) <= 1));
  for (const workers of [1, 2, 3]) {
    await using pool = workerPool({ workers });
    for (const budget of [4 * 1024, 4 * 4096]) {
      const { phases, tiles } = await predict(problem, pool, budget);
      assert(tiles >= 3, `${tiles} tiles`);
      assertEquals(phases, whole.phases);
    }
  }
});

Deno.test("the same bits on processes that share no memory", async () => {
  const problem = seeded();
  await using inline = inlineExecutor();
  const whole = await predict(problem, inline, 2 ** 20);
  await using executor = processExecutor({ workers: 2 });
  const { phases, tiles } = await predict(problem, executor, 3 * 4 * 1024); // for this thread, and for each process
  assert(tiles >= 3, `${tiles} tiles`);
  assertEquals(phases, whole.phases);
});

Deno.test("sources beyond the horizon are refused by their numbers, not given as NaN", async () => {
  await using context = new RunContext({ memory: 2048, workers: 0 });
  const cube = hypercube({ dimensions: { nsrc: 99, ntime: 1, na: 1, nchan: 1 }, arrays: PHASE_ARRAYS });
  const plan = planTiles(cube, { context, tile: ["nsrc"] });
  assert(plan.tiles > 3);
  for (const [odd, text] of [[0.8, "lm[98] is (0.8, 0.8)"], [NaN, "lm[98][0] is NaN"]] as const) {
    const lm = new Float64Array(198).fill(odd, 196);
    const sources = {
      lm: ({ extents: [[first, last] = [0, 0]] }: ProviderContext) => lm.slice(2 * first, 2 * last),
      uvw: () => new Float64Array(3),
      frequency: () => Float64Array.of(1),
    };
    const run = () => runCube(plan, { kernel: phaseKernel(), sources, sinks: { complex_phase: () => {} } });
    const error = await assertRejects(run, TilewiseError, text);
    assertEquals(error.code, "invalid");
  }
});

Deno.test("phases of another type than the cube has are refused, with what would work", async () => {
  await using context = new RunContext({ memory: "1MiB", workers: 0 });
  const cube = hypercube({ dimensions: { nsrc: 1, ntime: 1, na: 1, nchan: 1 }, arrays: PHASE_ARRAYS });
  const sources = {
    lm: () => new Float64Array(2),
    uvw: () => new Float64Array(3),
    frequency: () => Float64Array.of(1),
  };
  const run = runCube(planTiles(cube, { context, tile: ["nsrc"] }), {
    kernel: phaseKernel({ precision: "mixed" }),
    sources,
    sinks: {},
  });
  const error = await assertRejects(() => run, TilewiseError, 'phaseArrays({ precision: "mixed" })');
  assertEquals(error.code, "invalid");
});

Deno.test("cosine and sine of turns are those of Math, near and far", () => {
  let worst = 0;
  for (let i = -4000; i <= 4000; i++) {
    const turns = i / 2048; // exact, so that whole turns change nothing
    const [re, im] = expOfTurns(turns);
    const [cos, sin] = [Math.cos(2 * Math.PI * (turns % 1)), Math.sin(2 * Math.PI * (turns % 1))];
    worst = Math.max(worst, Math.abs(re - cos), Math.abs(im - sin));
    assertEquals(expOfTurns(turns + 3e6 * Math.sign(turns)), [re, im]);
    assert(Math.abs(re * re + im * im - 1) < 1e-15);
  }
  assert(worst < 2e-15, `off by ${worst}`); // Math is given the rounded 2π turns: 6.28 half ulps of it
  assertEquals(expOfTurns(0), [1, 0]);
  assertEquals(expOfTurns(1e15), [1, 0]);
  assert(expOfTurns(Infinity).every(Number.isNaN) && expOfTurns(NaN).every(Number.isNaN));
});
