/**
 * The proof that the tiles of a plan are disjoint parts of its outputs, and all of them together the window of the cube.
 *
 * Every tiled dimension may move the window of one axis of an output. So an output is covered once if each of its axes is:
 * if the windows of the axis, in the order in which its parts are slower or faster, lie one after another without gap. Tiles along
 * dimensions that an output does not have are parts to be merged, and do not count here.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Extent, Hypercube } from "../cube/cube.ts";
import { rangeOfSum, windowOf } from "../cube/derive.ts";
import { extentSize } from "../cube/dimension.ts";
import { extentIter, follows, type Stride } from "../cube/iterate.ts";
import { windowIn } from "./tile_bytes.ts";

/** Refuses tiles that overlap in an output or leave samples out, and arrays of which a window has no place. */
export function proveTiles(cube: Hypercube, strides: readonly Stride[]): void {
  for (const { name, shape, role } of cube.arrays.values()) {
    const lost = role !== "temporary" && shape.find((axis) => !hasPlace(cube, String(axis)));
    if (lost) throw noPlace(cube, name, String(lost));
  }
  for (const { name, shape, role } of cube.arrays.values()) {
    if (role !== "output") continue;
    const axes = shape.filter((axis) => typeof axis === "string");
    for (const axis of new Set(axes)) proveAxis(cube, name, axis, strides);
    const twice = strides.find(([cut]) => axes.filter((axis) => moves(cube, axis, cut)).length > 1);
    if (twice) {
      throw refused(strides, `${name} has ${twice[0]} twice, and tiles would be parts of its diagonal only`);
    }
  }
}

/** Whether the window of a dimension is one range of it, which that of a sum is not if the windows of its parts leave gaps. */
function hasPlace(cube: Hypercube, axis: string): boolean {
  const { of, follows } = cube.derivations.get(axis) ?? {};
  if (!of || follows !== "sum") return true;
  const bases = of.map((base) => cube.dimension(base));
  if (rangeOfSum(bases) || bases.every((base) => extentSize(base) === 0)) return true;
  const { size, lower, upper } = cube.dimension(axis);
  const follow = windowOf("sum", bases, size);
  return follow[0] !== lower || follow[1] !== upper; // a window of its own
}

function noPlace(cube: Hypercube, name: string, axis: string): TilewiseError {
  const text =
    `Cannot plan the cube: array ${name} has ${axis} (${cube.derivations.get(axis)!.text}), and the ` +
    `windows of its parts are not one range of it; set the window of ${axis} itself`;
  return new TilewiseError("invalid", text, { array: name, found: axis });
}

function moves(cube: Hypercube, axis: string, cut: string): boolean {
  return axis === cut || follows(cube, axis, cut);
}

function proveAxis(cube: Hypercube, name: string, axis: string, strides: readonly Stride[]): void {
  const own = partsOf(cube, axis, strides).flatMap((part) => strides.filter(([cut]) => cut === part));
  if (own.length === 0) return;
  const { lower, upper } = cube.dimension(axis);
  const window = windowIn(cube, axis, own.map(([cut]) => cut));
  let last: Extent = [lower, lower];
  for (const extents of extentIter(cube, ...own)) {
    const next = window(extents);
    if (next.lower !== last[1] && next.lower !== next.upper) throw noParts(name, axis, last, next, strides);
    if (next.lower !== next.upper) last = [next.lower, next.upper];
  }
  if (last[1] !== upper) throw noParts(name, axis, last, { lower: upper, upper }, strides);
}

/** The tiled dimensions that an axis is, or follows, the slowest first. */
function partsOf(cube: Hypercube, axis: string, strides: readonly Stride[]): string[] {
  if (strides.some(([cut]) => cut === axis)) return [axis];
  const rule = cube.derivations.get(axis);
  const all = rule?.follows ? rule.of.flatMap((base) => partsOf(cube, base, strides)) : [];
  return [...new Set(all)];
}

function noParts(
  name: string,
  axis: string,
  [from, to]: Extent,
  next: { readonly lower: number; readonly upper: number },
  strides: readonly Stride[],
): TilewiseError {
  const what = next.lower < to ? "overlap" : "leave samples out";
  const why = `tiles of ${name} would ${what} along ${axis}: after ${from} to ${to} comes ${next.lower} to ` +
    `${next.upper}; cut ${axis} itself, or leave it whole`;
  return refused(strides, why);
}

function refused(strides: readonly Stride[], why: string): TilewiseError {
  const found = strides.map(([name]) => name).join(", ");
  return new TilewiseError("invalid", `Cannot plan with tiles along ${found}: ${why}`, {
    option: "tile",
    found,
  });
}
