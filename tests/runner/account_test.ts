/** The account of every kind of plan: its holdings add up, `explain()` names them, and no run holds more. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { workerPool } from "../../src/executor/pool/pool.ts";
import { planLaunch } from "../../src/channels/launch/launch_kernel.ts";
import { planDegrid, planPredictionByGridding } from "../../src/rime/image/degrid.ts";
import { planDirtyImage } from "../../src/rime/image/dirty.ts";
import { planPredict } from "../../src/rime/predict/predict.ts";
import { type Context, createContext } from "../../src/runner/context.ts";
import type { AnyPlan } from "../../src/runner/plan.ts";
import { run } from "../../src/run.ts";
import { formatBytes } from "../../src/space/size.ts";
import { mapInto } from "../../src/views/map/run.ts";
import { planInto } from "../../src/views/map/plan.ts";
import type { ChunkSink } from "../../src/views/map/map_plan.ts";
import { type StoringSink, withBeside } from "../../src/views/map/sink.ts";
import { boxMean } from "../../src/views/operations/box_mean.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";
import { open } from "../../src/formats/open.ts";
import { planLoading } from "../../src/views/tiles/open.ts";
import { planExport } from "../../src/udf/run/export_dataset.ts";
import { goldenScan } from "../udf/data.ts";
import { syntheticLoader } from "../views/tiles/loaders.ts";
import { KINDS } from "./kinds.ts";

/** A plan, and the run that holds what it says. */
interface Accounted {
  readonly plan: AnyPlan;
  run(): Promise<unknown>;
}

const IMAGE = syntheticLoader([[64, 48]], [[16, 16]]);
const SKY = { lm: Float64Array.of(0, 0), stokes: Float64Array.of(1, 0, 0, 0) };
const ROWS = {
  uvw: Float64Array.from({ length: 300 }, (_, i) => i),
  frequency: Float64Array.of(1e9),
  sky: SKY,
};

const ALL: Readonly<Record<string, (context: Context) => Promise<Accounted>>> = {
  ...Object.fromEntries(KINDS.map(({ name, plan }) => [name, async (context: Context) => {
    const { plan: planned, start } = await plan(context);
    return { plan: planned, run: () => start() };
  }])),
  async "views from tiles"(context) {
    const plan = await planLoading(IMAGE, { radius: 1, context });
    return {
      plan,
      async run() {
        await using views = await run(plan);
        views.requestAll();
        views.finish();
        for await (using _ of views);
      },
    };
  },
  ...Object.fromEntries([".zarr", ".ome.zarr", ".ome.tif"].flatMap((ending) =>
    [false, true].map((sees) => [
      `a result in ${ending}${sees ? " whose samples are seen" : ""}`,
      async (context: Context): Promise<Accounted> => {
        const image = await open({ data: new Uint16Array(300 * 400), shape: [300, 400] });
        const folder = await Deno.makeTempDir(), sink = fileSink(`${folder}/x${ending}`) as StoringSink;
        const plan = await planInto(
          "map",
          image,
          boxMean({ radius: 2 }),
          { context, sees },
          sink as ChunkSink,
        );
        const seen = withBeside(sink, () => Promise.resolve([]), sees ? () => {} : undefined) as ChunkSink;
        return {
          plan,
          async run() {
            await mapInto(plan, {}, seen);
            await Deno.remove(folder, { recursive: true });
          },
        };
      },
    ])
  )),
  async "an image"(context) {
    const { sky: _, ...rows } = ROWS;
    const input = { ...rows, visibilities: Float64Array.from({ length: 200 }, (_, i) => i % 3) };
    const plan = await planDirtyImage(input, { pixels: [32, 32], cell: [1e-4, 1e-4] }, { context });
    return { plan, run: () => run(plan) };
  },
  async "visibilities of an image"(context) {
    const { sky: _, ...rows } = ROWS;
    const grid = { pixels: [32, 32], cell: [1e-4, 1e-4] } as const;
    const plan = await planDegrid(new Float64Array(1024).fill(1), grid, rows, { context });
    return { plan, run: () => run(plan) };
  },
  async "visibilities of sources by grids"(context) {
    const { sky: _, ...rows } = ROWS;
    const sources = { lm: Float64Array.of(0, 0, 1e-3, -1e-3), flux: Float64Array.of(1, 2) };
    const plan = await planPredictionByGridding(sources, rows, { context });
    return { plan, run: () => run(plan) };
  },
  async "an export"(context) {
    const folder = await Deno.makeTempDir();
    const plan = await planExport(goldenScan(), `${folder}/scan.npy`, { context });
    return {
      plan,
      async run() {
        await run(plan);
        await Deno.remove(folder, { recursive: true });
      },
    };
  },
  async "a launch"(context) {
    const kernel = { module: import.meta.resolve("../channels/launch/kernels.ts"), export: "prefix" };
    const plan = await planLaunch(context, kernel, { groups: 3, localMemory: 100 });
    return { plan, run: () => run(plan) };
  },
  "a prediction"(context) {
    const plan = planPredict(ROWS, { context });
    return Promise.resolve({ plan, run: () => run(plan) });
  },
};

const pool = workerPool({ workers: 2 });
Deno.test.afterAll(async () => await pool[Symbol.asyncDispose]());

for (const [name, plan] of Object.entries(ALL)) {
  for (const workers of [0, 2]) {
    Deno.test(`${workers} workers: ${name} holds what its account says, holding by holding`, async () => {
      await using context = createContext({ memory: 2 ** 24, ...workers ? { executor: pool } : { workers } });
      const { plan: planned, run } = await plan(context);
      const { holdings, total, leased } = planned.memory;
      const sums = [holdings, holdings.filter(({ onHeap }) => !onHeap)].map((held) =>
        held.reduce((sum, { each, count }) => sum + each * count, 0)
      );
      assertEquals(sums, [total, leased]);
      assert(total > 0 && total <= context.memory && planned.context === context);
      assert(await planned.parts() >= 1);
      const text = planned.explain();
      assertStringIncludes(text, `${formatBytes(total)} = `);
      for (const { what, each } of holdings) assertStringIncludes(text, `${formatBytes(each)} for ${what}`);
      await run();
      await context.settled();
      assert(context.peak > 0 && context.peak <= leased, `${context.peak} of ${leased}`);
    });
  }
}
