/** Inputs that nobody supplies: what they are, that every input has one, and that they do not depend on tiles. */

import "../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { type ArraySchema, hypercube } from "../../src/hypercube/cube/cube.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import type { Sources } from "../../src/hypercube/providers/provider.ts";
import { run as runCube } from "../../src/run.ts";
import { cubeFunction } from "../../src/hypercube/run/kernels/function.ts";
import { defaultInputs } from "./default_inputs.ts";
import { equationKernel } from "../../src/rime/equation/kernel.ts";
import { equationArrays, type EquationSettings } from "../../src/rime/equation/settings.ts";
import { predictKernel } from "../../src/rime/predict/kernel.ts";
import { predictArrays, settingsOf } from "../../src/rime/predict/options.ts";
import { beam } from "../../src/rime/terms/beam.ts";
import { feedRotation } from "../../src/rime/terms/feed.ts";
import { baselinePairs } from "../../src/rime/geometry/antennas.ts";
import { prepareTerms } from "../../src/rime/terms/terms.ts";
import { createContext } from "../../src/runner/context.ts";

const SIZES = { nsrc: 2, ntime: 6, na: 4, nbl: 6, nchan: 5, ncorr: 4, beam_lw: 2, beam_mh: 3, beam_nud: 4 };

/** What the default sources give for one array, in tiles of some hundred bytes. */
async function samples(
  array: Pick<ArraySchema, "name" | "shape" | "dtype">,
  sizes: Readonly<Record<string, number>>,
): Promise<number[]> {
  const [axis] = array.shape;
  const cube = hypercube({
    dimensions: sizes,
    arrays: [array, { name: "out", shape: [axis!], dtype: "float64", role: "output" }],
  });
  const found: number[] = [];
  await using context = createContext({ memory: 1024, workers: 0 });
  const { tiles } = await runCube(planTiles(cube, { context, tile: [String(axis)], inFlight: 1 }), {
    kernel: cubeFunction(() => {}, { arrays: { out: "float64" } }),
    sources: [defaultInputs()],
    sinks: { out: ({ input }) => void found.push(...Array.from(input(array.name).data, Number)) },
  });
  assert(tiles > 1 || found.length < 10);
  return found;
}

Deno.test("channels and times without a source are evenly spaced over the whole problem, not over each tile", async () => {
  const frequency = { name: "frequency", shape: ["nchan"], dtype: "float64" } as const;
  const expected = Array.from({ length: 101 }, (_, c) => 1e9 + 1e9 * c / 100);
  assertEquals(await samples(frequency, { nchan: 101 }), expected);
  assertEquals(await samples({ name: "time", shape: ["ntime"], dtype: "float64" }, { ntime: 101 }), [
    ...expected.keys(),
  ]);
  assertEquals(await samples(frequency, { nchan: 1 }), [1e9]);
});

Deno.test("baselines without a source are all pairs, as many as there are, cut by tiles", async () => {
  const antenna2 = { name: "antenna2", shape: ["nbl"], dtype: "int32" } as const;
  const { antenna2: pairs } = baselinePairs(20);
  assertEquals(await samples(antenna2, { na: 20, nbl: 190 }), [...pairs]);
  assertEquals(await samples(antenna2, { na: 3, nbl: 6 }), [0, 1, 2, 1, 2, 2]);
  const rows = { name: "time_index", shape: ["nrow"], dtype: "int32" } as const;
  assertEquals(
    await samples(rows, { na: 3, nrow: 300 }),
    Array.from({ length: 300 }, (_, row) => Math.floor(row / 3)),
  );
  const error = await assertRejects(() => samples(antenna2, { na: 27, nbl: 21 }), TilewiseError);
  assert(
    error.message.includes("27 antennas form 351 baselines, or 378 with autocorrelations"),
    error.message,
  );
});

Deno.test("every input of the measurement equation has a default, which gives a point of 1 Jy, and may be replaced", async () => {
  const terms = await prepareTerms([
    beam({ pointingErrors: true, antennaScaling: true }),
    feedRotation("linear"),
  ], "linear");
  const settings: EquationSettings = {
    predict: settingsOf("test", {
      stokesAxes: ["ntime", "nchan"],
      smearing: { interval: "row", declination: 0.1 },
    }),
    terms,
    finish: { gains: true, base: "after", flags: true, weights: true, observed: true },
  };
  const cube = hypercube({ dimensions: SIZES, arrays: equationArrays(settings) });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const run = async (more: Sources) => {
    const found: number[] = [];
    let chi = 0;
    const sinks = {
      model_vis: ({ data }: { data: { data: ArrayLike<number | bigint> } }) =>
        void found.push(...Array.from(data.data, Number)),
      chi_squared: ({ data }: { data: { data: ArrayLike<number | bigint> } }) =>
        void (chi += Number(data.data[0])),
    };
    await runCube(planTiles(cube, { context, tile: ["ntime"] }), {
      kernel: equationKernel(settings),
      sources: [defaultInputs(), more],
      sinks,
    });
    return [found, chi] as const;
  };
  const [model, chi] = await run({});
  const rows = 6 * 6 * 5;
  assertEquals(model, Array.from({ length: rows }, () => [2, 0, 0, 0, 0, 0, 2, 0]).flat());
  assertEquals(chi, rows * 8); // two sources of 1 Jy against nothing, in two correlations
  const [polarised] = await run({
    stokes: ({ shape }) => Float64Array.from({ length: 4 * 2 * shape[1]! * 5 }, (_, i) => i % 4 < 2 ? 1 : 0),
  });
  assertEquals(polarised.slice(0, 8), [4, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("extended sources, spectra, directions and ragged rows have defaults", async () => {
  const options = {
    rows: "ragged",
    shapes: ["gaussian", "sersic"],
    spectrum: "log",
    directions: true,
    correlations: ["XX", "YY"],
  } as const;
  const dimensions = { nsrc: 3, ngsrc: 1, nssrc: 1, nterm: 2, ndir: 1, ntime: 2, na: 3, nrow: 6, nchan: 2 };
  await using context = createContext({ memory: "16MiB", workers: 0 });
  await runCube(
    planTiles(hypercube({ dimensions, arrays: predictArrays(options) }), { context, tile: ["nchan"] }),
    {
      kernel: predictKernel(options),
      sources: [defaultInputs()],
      sinks: {
        model_vis: ({ data }) =>
          assertEquals([...data.data], Array.from({ length: 24 }, () => [3, 0]).flat()),
      },
    },
  );
});
