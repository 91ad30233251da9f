/** Every kind of run, small, with an answer that is known: what holds of one in a context holds of all. */

import "../fences/mod.ts";
import type { CubePlan } from "../../src/hypercube/run/options.ts";
import { planTiles } from "../../src/hypercube/run/run_cube.ts";
import { hypercube } from "../../src/hypercube/cube/cube.ts";
import { run } from "../../src/run.ts";
import type { Context } from "../../src/runner/context.ts";
import type { AnyPlan } from "../../src/runner/plan.ts";
import type { RunSettings } from "../../src/runner/runner.ts";
import { sumPixels } from "../../src/udf/builtin/sum_pixels.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { planMap } from "../../src/views/map/plan.ts";
import { boxMean } from "../../src/views/operations/box_mean.ts";
import { viewFunction } from "../../src/views/operations/view_function.ts";
import type { BlockFunction } from "../../src/views/map/map_plan.ts";
import { counts, memoryScan } from "../udf/data.ts";
import { memoryArray } from "../views/data.ts";

/** What the progress of every kind has. */
interface Eta {
  readonly etaSeconds: number;
}

/** A run that has been planned. */
export interface Planned {
  /** The plan. */
  readonly plan: AnyPlan;
  /** Computes the answer; `step` is called, and awaited, each time there is more of it. */
  start(settings?: RunSettings<Eta>, step?: () => unknown): Promise<number[]>;
}

/** One kind of run. */
export interface Kind {
  readonly name: string;
  readonly plan: (context: Context) => Promise<Planned>;
  readonly answer: number[];
}

const SAMPLES = counts(256 * 64, 1);
const KERNEL = import.meta.resolve("../hypercube/scale_kernel.ts");
const cube = hypercube({
  dimensions: { n: 64 },
  arrays: [
    { name: "table", shape: [1], dtype: "float64" },
    { name: "in", shape: ["n"], dtype: "float64" },
    { name: "out", shape: ["n"], dtype: "float64", role: "output" },
  ],
});

/** The frames of a scan, summed one by one. */
const udfs: Kind = {
  name: "UDFs",
  answer: Array.from(
    { length: 256 },
    (_, f) => SAMPLES.subarray(64 * f, 64 * f + 64).reduce((a, b) => a + b, 0),
  ),
  async plan(context) {
    const job = await plan(memoryScan(SAMPLES, [16, 16], [8, 8], "uint16"), { it: sumPixels() }, {
      context,
      partitions: 32,
    });
    return {
      plan: job,
      async start(settings = {}, step) {
        let last: number[] = [];
        for await (const part of run(job, settings)) {
          last = Array.from(part.results.it!.intensity!.data, Number);
          await step?.();
        }
        return last;
      },
    };
  },
};

/** An image whose samples are their own means, but for the first and the last column. */
const filter: Kind = {
  name: "a filter",
  answer: Array.from({ length: 32 * 16 }, (_, i) => i + 1),
  async plan(context) {
    const filter = await planMap(memoryArray([32, 16], "uint16"), boxMean(), {
      radius: 0,
      tile: [1, 8],
      context,
    });
    return {
      plan: filter,
      async start(settings = {}, step) {
        const all: number[] = [];
        for await (const { data } of run(filter, settings)) {
          all.push(...data);
          await step?.();
        }
        return all;
      },
    };
  },
};

/** The same, with a function of the user's, to a sink. */
const functions: Kind = {
  name: "a function over views",
  answer: Array.from({ length: 32 * 16 }, (_, i) => 2 * (i + 1)),
  async plan(context) {
    const double = viewFunction(import.meta.resolve("../views/operations/functions.ts"), {
      export: "double",
      dtype: "uint32",
    });
    const image = memoryArray([32, 16], "uint16");
    const doubled = await planMap(image, double, { tile: [1, 8], traversal: "snake", context });
    return {
      plan: doubled,
      async start(settings = {}, step) {
        const all: number[] = [];
        const sink: BlockFunction<"uint32"> = async ({ data }) => {
          all.push(...data);
          await step?.();
        };
        await run(doubled, { sink, ...settings });
        return all;
      },
    };
  },
};

/** Numbers, doubled. */
const cubes: Kind = {
  name: "a cube",
  answer: Array.from({ length: 64 }, (_, i) => 2 * i + 0.5),
  plan(context) {
    const whole = planTiles(cube, { context, tile: ["n"], inFlight: 3 });
    const tiles: CubePlan = { ...whole, strides: [["n", 4]], tiles: 16 };
    return Promise.resolve({
      plan: tiles,
      async start(settings = {}, step) {
        const all: number[] = [];
        await run(tiles, {
          kernel: { module: KERNEL, export: "scale", shared: { factor: 2 } },
          sources: {
            in: ({ extents, shape }) =>
              Float64Array.from({ length: shape[0]! }, (_, i) => extents[0]![0] + i),
            table: () => Float64Array.of(0.5),
          },
          sinks: {
            async out({ data }) {
              all.push(...data.data as Float64Array);
              await step?.();
            },
          },
          ...settings,
        });
        return all;
      },
    });
  },
};

/** All of them. */
export const KINDS: readonly Kind[] = [udfs, filter, functions, cubes];
