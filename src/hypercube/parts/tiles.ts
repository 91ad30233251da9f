/**
 * Computes some tiles of a cube; and passes tiles that were computed before, anywhere, to sinks.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { planTilesAs, type TilePlan } from "../plan/budget.ts";
import { withRole } from "../cube/schema.ts";
import type { Sink } from "../providers/provider.ts";
import { cubeFunction } from "../run/kernels/function.ts";
import type { CubeReport, CubeRunOptions } from "../run/options.ts";
import { runCube, type TileRange } from "../run/run_cube.ts";
import type { CubeProblem } from "./problem.ts";

/** Computes the tiles of a range; `take` is called for each output of each tile, in the order of the tiles. */
export async function computeTiles(
  call: string,
  plan: TilePlan,
  { kernel, sources, config, callTimeout }: CubeProblem,
  range: TileRange,
  take: Sink,
  settings: RunSettings<TileProgress>,
): Promise<void> {
  const sinks = Object.fromEntries(withRole(plan.cube, "output").map(({ name }) => [name, take]));
  const limits = defined({ callTimeout });
  await runCube(call, plan, { ...settings, kernel, sources, sinks, config, ...limits }, range);
}

/** The outputs of a tile by name; tiles are asked for in their order. */
export type ReadTile = (tile: number) => Promise<Readonly<Record<string, TypedArray>>>;

/** Passes the outputs of all tiles to sinks, and merges them as `problem` says, without computing them again. */
export async function deliverTiles(
  call: string,
  plan: TilePlan,
  { merge, config, callTimeout }: CubeProblem,
  read: ReadTile,
  sinks: CubeRunOptions["sinks"],
  settings: RunSettings<TileProgress>,
): Promise<CubeReport> {
  const { context, strides } = plan;
  const kernel = cubeFunction(async function outputs({ tile, arrays }) {
    const found = await read(tile);
    for (const [name, { data }] of Object.entries(arrays)) {
      const samples = found[name];
      if (samples) copyNumbers(data, samples);
    }
  });
  const outputs = plan.cube.withArrays(withRole(plan.cube, "output"));
  const more = defined({ merge, callTimeout });
  const small = planTilesAs(outputs, strides, { context, inFlight: 1 });
  return await runCube(call, small, { ...settings, kernel, sources: {}, sinks, config, ...more });
}
