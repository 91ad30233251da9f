/**
 * Cubes that many machines compute: what a machine needs to know, and the same tiles on all of them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { must, needed } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import { type CubePlanOptions, IN_FLIGHT, planTilesAs, type TilePlan } from "../plan/budget.ts";
import { isProvider, type Provider, type Sources } from "../providers/provider.ts";
import { isWorkerSource } from "../providers/worker_source.ts";
import { userModules } from "../run/kernel.ts";
import { CUBE_RUN_OPTIONS, type CubeRunOptions } from "../run/options.ts";
import { mostInFlight, readyFor, withProviders } from "../run/ready.ts";

/**
 * A cube with its kernel and its sources: what `run` takes, without sinks and context.
 * @category Hypercubes
 */
export interface CubeProblem
  extends Pick<CubeRunOptions, "kernel" | "sources" | "merge" | "config" | "callTimeout"> {
  /** The cube. */
  readonly cube: Hypercube;
  /** How its tiles are planned. */
  readonly plan?: Omit<CubePlanOptions, "context">;
}

const { kernel, sources, merge, config, callTimeout } = CUBE_RUN_OPTIONS;

// deno-fmt-ignore: written by `deno task build`
const NAMES: OptionNames<CubeProblem> = {
  kernel, sources, merge, config, callTimeout,
  cube: needed(must("a cube, as hypercube() makes it", (value) => value instanceof Hypercube)), plan: true,
};

/** Refuses what is not a problem; errors name `call`. */
export function checkProblem(call: string, problem: unknown): CubeProblem {
  checkOptionNames(call, problem as CubeProblem, NAMES);
  const { plan: { strategy } = {} } = problem as CubeProblem;
  if (strategy !== "montblanc") return problem as CubeProblem;
  const text =
    `${call}: tiles of the strategy "montblanc" leave sources out, and cannot be parts; plan with "joint"`;
  throw new TilewiseError("unsupported", text, { option: "plan.strategy", found: strategy });
}

/** The plan that `run` would make in `context`; with `strides` one with these tiles. */
export async function planProblem(
  call: string,
  problem: CubeProblem,
  context: Context | undefined,
  strides?: readonly Stride[],
  signal?: AbortSignal,
): Promise<TilePlan> {
  const { cube } = problem, options = optionsOf(problem, context);
  const given = { ...problem, sinks: {}, ...defined({ signal }) };
  return await withProviders(call, cube, given, async (updated, memory) => {
    if (strides) return await fitting(call, updated, strides, options, memory);
    return (await readyFor(call, cube, updated, options, memory)).plan;
  });
}

function optionsOf(
  { kernel, sources, merge, plan }: CubeProblem,
  context: Context | undefined,
): CubeRunOptions & { readonly plan: CubePlanOptions } {
  const options = { ...plan, ...defined({ context }) };
  return { kernel, sources, sinks: {}, ...defined({ merge }), plan: options };
}

/** A plan with these tiles, of which so many are in memory at the same time as there is room for. */
async function fitting(
  call: string,
  cube: Hypercube,
  strides: readonly Stride[],
  { plan: { context, inFlight: most = IN_FLIGHT }, merge: _, ...options }: ReturnType<typeof optionsOf>,
  memory: (plan: TilePlan) => Promise<number>,
): Promise<TilePlan> {
  const room = defined({ context });
  const ready = await mostInFlight(
    most,
    options,
    (inFlight) => readyFor(call, planTilesAs(cube, strides, { ...room, inFlight }), cube, options, memory),
  );
  return ready.plan;
}

/** The URLs of all modules of users that workers import for a problem. */
export function modulesOf({ kernel, sources }: CubeProblem): string[] {
  const groups: readonly (Sources | Provider)[] = isList(sources) ? sources : [sources];
  const all = groups.flatMap((group) => Object.values((isProvider(group) ? group.sources : group) ?? {}));
  const ofSources = all.flatMap((source) => isWorkerSource(source) ? [source.module] : []);
  return [...new Set([...userModules(kernel), ...ofSources])];
}

function isList(sources: CubeProblem["sources"]): sources is readonly (Sources | Provider)[] {
  return Array.isArray(sources);
}
