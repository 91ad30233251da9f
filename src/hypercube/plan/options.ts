/**
 * The options of a plan of a cube.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { either, list, must, oneOf, text, whole } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { bytes as bytesRule } from "../../space/rules.ts";

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
   * Tiles that are filled, computed and delivered at the same time; workers beyond this number stay idle. Whole, at
   * least 1. Default 4.
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
