/**
 * What a plan of a cube is, and its options.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { either, list, must, oneOf, text, whole } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { bytes as bytesRule } from "../../space/rules.ts";
import type { Planned } from "../../runner/plan.ts";
import type { Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";
import { withRole } from "../cube/schema.ts";
import { type Cut, cutEvenly } from "../../runner/parts.ts";

/**
 * How the extents of tiles are found. `joint`: all dimensions together, so that the budget is used and little is moved
 * twice. `montblanc`: the steps of the program Montblanc, in its order, to reproduce its tiles. `rules`: the rules that
 * were given.
 * @category Hypercubes
 */
export type PlanStrategy = "joint" | "montblanc" | "rules";

/**
 * Limits of a plan.
 * @category Hypercubes
 */
export interface CubePlanOptions {
  /** The context in which to run; its budget determines the tiles. Default: the shared context. */
  readonly context?: Context;
  /**
   * The dimensions that may be cut; the first one is also the slowest of the iteration. Default `"any"`: all along which the
   * tiles of every output are disjoint parts, unless they are `whole`. Other strategies than `joint` choose their own.
   */
  readonly tile?: "any" | readonly string[];
  /** How extents are found. Default `joint`, or `rules` if there are any. */
  readonly strategy?: PlanStrategy;
  /**
   * Rules, applied in order until a tile fits, in one text or as a list: `ntime` (to 1), `ntime=20`, `nchan=50%` (to half, again
   * and again), `nbl=1&na=2` (together).
   */
  readonly rules?: string | readonly string[];
  /**
   * Tiles that are filled, computed and delivered at the same time, or fewer in runs of a cube of which not even the smallest
   * tiles fit; workers beyond this number stay idle. Whole, at least 1. Default 4.
   */
  readonly inFlight?: number;
  /**
   * Bytes of the budget to leave free, for merged outputs and scratch of kernels. Whole, at least 0. Default 0; runs
   * of a cube find it themselves.
   */
  readonly reserve?: number;
  /**
   * Most bytes of a tile, as a number or in text, unless the least tile has more; `Infinity`: as many as the budget allows. Default
   * 8 MiB, above which tiles bring no gain, and more only where sources and sinks then move much less. For the strategy `joint`.
   */
  readonly largestTile?: number | string;
  /** Most sources of a kind per tile at first, for the strategy `montblanc`. Whole, at least 1. Default 500. */
  readonly sourceBatch?: number;
}

const aDimension = must<"any">('a list of names, or "any"', (value) => value === "any");

/** The names of the options. */
export const PLAN_OPTIONS: OptionNames<CubePlanOptions> = {
  context: contextRule,
  tile: (call, option, value) => (typeof value === "string" ? aDimension : list)(call, option, value),
  strategy: oneOf("joint", "montblanc", "rules"),
  rules: either("a text, or a list of texts", text, list),
  inFlight: whole(1),
  reserve: whole(0),
  largestTile: either(
    "a count of bytes from 1, a size in text such as 64MiB, or Infinity",
    bytesRule,
    must<number>("", (value) => value === Infinity),
  ),
  sourceBatch: whole(1),
};

/** The strategy; refuses options that have no effect on it. */
export function strategyOf(options: CubePlanOptions): PlanStrategy {
  const { rules, strategy = rules === undefined ? "joint" : "rules" } = options;
  const useless = {
    joint: ["rules", "sourceBatch"],
    montblanc: ["rules", "tile", "largestTile"],
    rules: ["tile", "largestTile", "sourceBatch"],
  };
  const given = useless[strategy].find((name) => options[name as keyof CubePlanOptions] !== undefined);
  if (given === undefined) return strategy;
  const text =
    `planTiles(): the option "${given}" has no effect on the strategy "${strategy}"; leave one of them out`;
  throw new TilewiseError("invalid", text, { option: given, found: strategy });
}

/**
 * Tiles of a cube, and their memory; what kernels, merged outputs and providers need is added when it is run.
 * @category Hypercubes
 */
export interface TilePlan extends Planned {
  /** The cube. */
  readonly cube: Hypercube;
  /** How the extents were found. */
  readonly strategy: PlanStrategy;
  /** The reductions that were made, in their order; none for the strategy `joint`. */
  readonly steps: readonly Stride[];
  /** The tiled dimensions and the extent of a full tile along each. */
  readonly strides: readonly Stride[];
  /** Number of tiles. */
  readonly tiles: number;
  /** Number of tiles in flight. */
  readonly inFlight: number;
  /** Arrays that exist once: inputs that do not depend on a tiled dimension. */
  readonly once: readonly string[];
  /** Arrays that exist once per tile in flight. */
  readonly each: readonly string[];
  /** Bytes of the arrays that exist once. */
  readonly onceBytes: number;
  /** Bytes of a full tile. */
  readonly tileBytes: number;
  /** Bytes that sources and sinks move in the whole run; inputs that several tiles need count once per tile. */
  readonly moved: number;
}

/** The cut of a cube. */
export function tileCut({ cube, tiles, moved }: Pick<TilePlan, "cube" | "tiles" | "moved">): Cut {
  const bytes = withRole(cube, "output").reduce((sum, { name }) => sum + cube.arrayBytes(name), 0);
  return cutEvenly(tiles, Math.max(1, Math.ceil(bytes / Math.max(1, tiles))), 1, moved);
}
