/**
 * The strategies: how each finds the extents of a tile.
 *
 * @module
 */

import { byteCount } from "../../space/rules.ts";
import type { Hypercube } from "../cube/cube.ts";
import { type Dimension, extentSize, isWhole } from "../cube/dimension.ts";
import type { Stride } from "../cube/iterate.ts";
import { goodExtents } from "./joint.ts";
import type { CubePlanOptions, PlanStrategy } from "./options.ts";
import { type Cut, montblancSteps, parseRules, reduced, ruleSteps, windowOf } from "./reductions.ts";
import { anyTile, cutOf } from "./tileable.ts";
import { arraysBytes, bytesOfTiles } from "./tile_bytes.ts";

/** Bytes of a tile above which a larger one brings no gain. */
export const GOOD_TILE_BYTES: number = 8 * 2 ** 20;

/** The memory that there is. */
export interface Room {
  /** Bytes that a run may lease. */
  readonly budget: number;
  /** Tiles at the same time. */
  readonly inFlight: number;
  /** Copies of everything: this thread, and workers that share no memory with it. */
  readonly holders: number;
}

/** Extents that a strategy has found, whether they fit or not. */
export interface Found {
  /** The cube: its window is reduced where a strategy cuts what it does not iterate over. */
  readonly cube: Hypercube;
  /** The dimensions that are cut, and the extents of a full tile. */
  readonly strides: readonly Stride[];
  /** The reductions that were made. */
  readonly steps: readonly Cut[];
}

type Finder = (cube: Hypercube, options: CubePlanOptions, room: Room) => Found;

/** The strategies by name. */
export const FINDERS: Readonly<Record<PlanStrategy, Finder>> = { joint, montblanc, rules: byRules };

function joint(cube: Hypercube, options: CubePlanOptions, { budget, holders, inFlight }: Room): Found {
  const { tile = "any", largestTile } = options;
  const names = cutOf(cube, tile === "any" ? anyTile(cube) : tile);
  const { onceBytes, tileBytes, moved } = bytesOfTiles(cube, names);
  const most = Math.floor((budget / holders - onceBytes) / inFlight);
  const sizes = names.map((name) => extentSize(cube.dimension(name)));
  const search = { sizes, bytes: tileBytes, moved };
  const extents = largestTile === undefined
    ? goodExtents(search, GOOD_TILE_BYTES, most)
    : goodExtents(search, Infinity, most, largestOf(largestTile));
  return { cube, strides: names.map((name, d) => strideOf(cube.dimension(name), extents[d]!)), steps: [] };
}

/** The stride along the window of a dimension. */
function strideOf(dim: Dimension, extent: number): Stride {
  return isWhole(dim) ? [dim.name, extent] : [dim.name, extent, "window"];
}

function largestOf(largestTile: number | string): number {
  return largestTile === Infinity ? Infinity : byteCount("planTiles()", "largestTile", largestTile);
}

/**
 * Montblanc counts all arrays of a tile, also those that exist once, and sources of one kind after the other. If the cube
 * derives `nsrc` as a sum, the windows of the kinds count together, as that is what a tile holds here.
 */
function montblanc(cube: Hypercube, { sourceBatch = 500 }: CubePlanOptions, room: Room): Found {
  const share = Math.floor(room.budget / room.holders / room.inFlight);
  for (const name of ["ntime", "nbl", "na"]) cube.dimension(name);
  const follower = cube.derivations.get("nsrc")?.follows !== undefined;
  const held = (tile: Hypercube) => {
    const windows = [...tile.dimensions].filter(([name]) =>
      !(follower && name === "nsrc") && isCut(cube, tile, name)
    );
    return cube.with(
      Object.fromEntries(windows.map(([name, { lower, upper }]) => [name, { lower, upper }])),
    );
  };
  const fits = (tile: Hypercube) => arraysBytes(held(tile), [...cube.arrays.keys()]) <= share;
  const found = reduced(cube, montblancSteps(cube, sourceBatch), fits);
  const kinds = ["npsrc", "ngsrc", "nssrc"].filter((name) =>
    cube.dimensions.has(name) && (found.extents[name] ?? Infinity) < extentSize(cube.dimension(name))
  );
  const batch = found.extents["nsrc"];
  const base = batch === undefined || follower
    ? cube
    : cube.with({ nsrc: windowOf(cube.dimension("nsrc"), batch) });
  return iterated(base, ["ntime", "nbl", ...kinds], found);
}

function isCut(cube: Hypercube, tile: Hypercube, name: string): boolean {
  return tile.dimension(name).upper < cube.dimension(name).upper;
}

function byRules(
  cube: Hypercube,
  { rules = [] }: CubePlanOptions,
  { budget, holders, inFlight }: Room,
): Found {
  const parsed = parseRules(rules);
  const names = [...new Set(parsed.flat().map(({ name }) => cube.dimension(name).name))];
  const { onceBytes, tileBytes } = bytesOfTiles(cube, names);
  const bytes = (tile: Hypercube) =>
    onceBytes + inFlight * tileBytes(names.map((name) => extentSize(tile.dimension(name))));
  const fits = (tile: Hypercube) => holders * bytes(tile) <= budget;
  return iterated(cube, names, reduced(cube, ruleSteps(cube, parsed), fits));
}

/** The strides along the dimensions of a list, as far as they were reduced. */
function iterated(
  cube: Hypercube,
  names: readonly string[],
  { trace, extents }: ReturnType<typeof reduced>,
): Found {
  const strides = cutOf(cube, names).map((name) => {
    const dim = cube.dimension(name);
    return strideOf(dim, Math.max(1, extents[name] ?? extentSize(dim)));
  });
  return { cube, strides, steps: trace };
}
