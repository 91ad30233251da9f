/**
 * The memory of a tile, and the bytes that a run moves, as functions of the extents of the tile: the planner asks for
 * many extents, and makes no cube for each.
 *
 * @module
 */

import { account, type Holding, type MemoryAccount } from "../../memory/account.ts";
import { blockBytes } from "../../memory/slab.ts";
import type { RunContext } from "../../runner/context.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { ArraySchema, Extent, Hypercube } from "../cube/cube.ts";
import { windowOf } from "../cube/derive.ts";
import { type Dimension, extentSize } from "../cube/dimension.ts";
import { follows } from "../cube/iterate.ts";

/** A number that depends on the extents of a tile. */
export type OfExtents = (extents: readonly number[]) => number;

/** The arrays of a cube that is cut along some dimensions. */
interface TileBytes {
  /** Arrays that exist once: inputs that do not depend on a cut dimension. */
  readonly once: readonly string[];
  /** Arrays that exist once per tile in flight. */
  readonly each: readonly string[];
  /** Bytes of the arrays that exist once. */
  readonly onceBytes: number;
  /** Bytes of a full tile; larger extents never give fewer. */
  readonly tileBytes: OfExtents;
  /** Bytes that sources and sinks move in the whole run. */
  readonly moved: OfExtents;
}

/** What is in memory of the arrays of a cube. */
interface HeldTiles {
  /** Bytes of the arrays that exist once. */
  readonly onceBytes: number;
  /** Bytes of a full tile. */
  readonly tileBytes: number;
  /** Tiles at the same time. */
  readonly inFlight: number;
}

/** How many memories there are: that of this thread, and those of workers that do not share it. */
export function holdersOf({ ownMemory, workers }: RunContext): number {
  return ownMemory ? 1 + workers : 1;
}

/** Copies of all else, in workers that share no memory with this thread. */
export const COPIES = "copies that workers have";

/** The memory of tiles, and of what else is in the memory of each of the `holders`: this thread, and workers with their own. */
export function cubeMemory(
  { onceBytes, tileBytes, inFlight }: HeldTiles,
  holders: number,
  more: readonly Holding[] = [],
): MemoryAccount {
  const held = [
    { what: "tiles in flight", each: tileBytes, count: inFlight },
    { what: "arrays that are not tiled", each: onceBytes, count: 1 },
    ...more,
  ];
  return account([...held, { what: COPIES, each: account(held).total, count: holders - 1 }]);
}

/** Bytes of these arrays, each rounded up to whole cache lines, as slabs allocate them. */
export function arraysBytes(cube: Hypercube, names: readonly string[]): number {
  return names.reduce(
    (sum, name) => sum + blockBytes(cube.array(name).dtype, sizeOf(cube.arrayShape(name))),
    0,
  );
}

/** Whether an array has other samples in other tiles: one of its axes is a cut dimension, or follows one. */
export function dependsOn(cube: Hypercube, { shape }: ArraySchema, name: string): boolean {
  return shape.some((axis) => axis === name || follows(cube, String(axis), name));
}

/** The arrays of a cube and their bytes, if `tile` are the dimensions that are cut. */
export function bytesOfTiles(cube: Hypercube, tile: readonly string[]): TileBytes {
  const schemas = [...cube.arrays.values()];
  const isOnce = (schema: ArraySchema) =>
    (schema.role ?? "input") === "input" && !tile.some((name) => dependsOn(cube, schema, name));
  const once = schemas.filter(isOnce).map(({ name }) => name);
  const many = schemas.filter((schema) => !isOnce(schema));
  const blocks = many.map((schema) => blockOf(cube, schema, tile));
  return {
    once,
    each: many.map(({ name }) => name),
    onceBytes: arraysBytes(cube, once),
    tileBytes: (extents) => {
      let sum = 0;
      for (const block of blocks) sum += block(extents);
      return sum;
    },
    moved: movedBytes(cube, schemas.filter(({ role }) => role !== "temporary"), once, tile),
  };
}

/** Bytes of one array of a tile. */
function blockOf(cube: Hypercube, { shape, dtype }: ArraySchema, tile: readonly string[]): OfExtents {
  const fixed = shape.reduce<number>((product, axis) => product * (sizeWithout(cube, axis, tile) ?? 1), 1);
  const free = shape.filter((axis) => sizeWithout(cube, axis, tile) === undefined);
  const sizes = free.map((axis) => sizeIn(cube, String(axis), tile));
  return (extents) => {
    let samples = fixed;
    for (const size of sizes) samples *= size(extents);
    return blockBytes(dtype, samples);
  };
}

/** Samples of an axis that does not depend on the tile. */
function sizeWithout(cube: Hypercube, axis: string | number, tile: readonly string[]): number | undefined {
  if (typeof axis === "number") return axis;
  if (tile.some((name) => name === axis || follows(cube, axis, name))) return undefined;
  return extentSize(cube.dimension(axis));
}

/** Samples of a dimension in the first tile. */
function sizeIn(cube: Hypercube, name: string, tile: readonly string[]): OfExtents {
  const d = tile.indexOf(name), size = extentSize(cube.dimension(name));
  if (d >= 0) return (extents) => Math.min(extents[d]!, size);
  const window = windowIn(cube, name, tile);
  const cut = tile.map((one) => cube.dimension(one));
  return (extents) => extentSize(window(cut.map((dim, i) => firstOf(dim, extents[i]!))));
}

/** The window of a dimension in the first tile. */
function firstOf({ lower, upper }: Dimension, extent: number): Extent {
  return [lower, Math.min(lower + extent, upper)];
}

/** The window of a dimension in a tile, from the windows of the dimensions that are cut. */
export function windowIn(
  cube: Hypercube,
  name: string,
  tile: readonly string[],
): (windows: readonly Extent[]) => Dimension {
  const dim = cube.dimension(name);
  const d = tile.indexOf(name);
  if (d >= 0) return (windows) => ({ ...dim, lower: windows[d]![0], upper: windows[d]![1] });
  if (!tile.some((other) => follows(cube, name, other))) return () => dim;
  const { of, follows: how } = cube.derivations.get(name)!;
  const bases = of.map((base) => windowIn(cube, base, tile));
  return (windows) => {
    const [lower, upper] = windowOf(how!, bases.map((base) => base(windows)), dim.size);
    return { ...dim, lower, upper };
  };
}

/** Every tile moves its part of each array: those that lack a cut dimension are moved again for each part of it. */
function movedBytes(
  cube: Hypercube,
  schemas: readonly ArraySchema[],
  once: readonly string[],
  tile: readonly string[],
): OfExtents {
  const sizes = tile.map((name) => extentSize(cube.dimension(name)));
  const rows = schemas.map((schema) => {
    const shape = cube.arrayShape(schema.name);
    const bytes = shape.reduce((a, b) => a * b, dtypeInfo(schema.dtype).itemSize);
    const lacking = tile.map((name) => !once.includes(schema.name) && !dependsOn(cube, schema, name));
    return { bytes, lacking };
  });
  return (extents) => {
    let sum = 0;
    for (const { bytes, lacking } of rows) {
      let times = 1;
      for (let d = 0; d < lacking.length; d++) if (lacking[d]) times *= Math.ceil(sizes[d]! / extents[d]!);
      sum += bytes * times;
    }
    return sum;
  };
}
