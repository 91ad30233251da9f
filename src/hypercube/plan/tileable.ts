/**
 * Which dimensions of a cube a plan may cut.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { withOption } from "../../options.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import { windowOf } from "../cube/derive.ts";
import { extentSize, isWhole } from "../cube/dimension.ts";
import { follows } from "../cube/iterate.ts";
import { withRole } from "../cube/schema.ts";
import { dependsOn } from "./tile_bytes.ts";

/**
 * The checked dimensions of a list, without those that are empty and that no output has: tiles have none of their
 * samples, and are computed nevertheless.
 */
export function cutOf(cube: Hypercube, tile: readonly string[]): string[] {
  checkTile(cube, tile);
  const outputs = withRole(cube, "output");
  return tile.filter((name) =>
    extentSize(cube.dimension(name)) > 0 || outputs.some((output) => dependsOn(cube, output, name))
  );
}

/** Refuses lists of dimensions that cannot be cut together. */
function checkTile(cube: Hypercube, tile: readonly string[]): void {
  withOption("tile", () => tile.forEach((name) => cube.dimension(name)));
  const refuse = (why: string) => {
    const text = `Cannot plan with tiles along ${tile.join(", ")}: ${why}`;
    throw new TilewiseError("invalid", text, { option: "tile", found: tile.join(", ") });
  };
  if (new Set(tile).size !== tile.length) refuse("dimensions must be different");
  for (const name of tile) {
    if (cube.dimension(name).whole) refuse(`${name} is never cut: kernels need it whole`);
    const other = tile.find((base) => follows(cube, name, base));
    if (other !== undefined) refuse(`${name} follows ${other}; cut one of them`);
  }
  for (const { name, shape, role = "input" } of cube.arrays.values()) {
    const twice = role !== "temporary" &&
      tile.find((cut) => shape.filter((axis) => isOf(cube, axis, cut)).length > 1);
    if (twice) refuse(`array ${name} has ${twice} twice, and tiles would be parts of its diagonal only`);
    const wrong = shape.find((axis) => !isCutWell(cube, String(axis), tile, role));
    if (wrong === undefined) continue;
    const { text } = cube.derivations.get(String(wrong))!;
    refuse(`array ${name} has ${wrong} (${text}), whose samples of a tile would not be one range`);
  }
}

function isOf(cube: Hypercube, axis: string | number, name: string): boolean {
  return axis === name || follows(cube, String(axis), name);
}

/**
 * Whether the samples of a dimension in a tile are one range of its window: a dimension with a window of its own is not cut by
 * way of its parts. Of a product the slowest part that has several samples is cut, if the faster ones are whole; of a sum the only
 * one that has samples.
 */
function isCutWell(
  cube: Hypercube,
  name: string,
  tile: readonly string[],
  role: ArraySchema["role"],
): boolean {
  const rule = cube.derivations.get(name);
  if (!rule?.follows || tile.includes(name)) return true;
  const isCut = rule.of.map((base) => tile.some((t) => t === base || follows(cube, base, t)));
  if (!isCut.includes(true)) return true;
  if (!rule.of.every((base) => isCutWell(cube, base, tile, role))) return false;
  const bases = rule.of.map((base) => cube.dimension(base));
  const { size, lower, upper } = cube.dimension(name);
  const follow = windowOf(rule.follows, bases, size);
  if (role !== "temporary" && (follow[0] !== lower || follow[1] !== upper)) return false;
  const least = rule.follows === "sum" ? 0 : 1;
  const large = bases.map((base) => extentSize(base) > least);
  const first = large.indexOf(true);
  const inner = large.findIndex((is, i) => is && isCut[i]);
  if (inner < 0) return true;
  if (rule.follows === "sum") return role === "temporary" || large.lastIndexOf(true) === first;
  return inner === first && bases.slice(first + 1).every(isWhole) &&
    !large.some((is, i) => is && isCut[i] && i !== first);
}

/**
 * All dimensions that may be cut without a word about them, in the order in which outputs, then other arrays, have them:
 * those of which the tiles of every output are disjoint parts. Left out are dimensions that are `whole`; over which an output
 * is reduced; and from which other dimensions of arrays are derived, such as antennas beside their baselines.
 */
export function anyTile(cube: Hypercube): string[] {
  const schemas = [...cube.arrays.values()];
  const outputs = withRole(cube, "output");
  const axes = [...new Set([...outputs, ...schemas].flatMap(({ shape }) => shape).map(String))]
    .filter((axis) => cube.dimensions.has(axis));
  const isBase = (name: string) =>
    axes.some((axis) => {
      const rule = cube.derivations.get(axis);
      return rule && !rule.follows && rule.of.includes(name);
    });
  const partsOf = (name: string): string[] => { // a follower is cut by way of its parts if arrays have these
    const rule = cube.derivations.get(name);
    const shared = rule?.follows && axes.some((axis) => follows(cube, name, axis));
    return shared ? rule.of.flatMap(partsOf) : [name];
  };
  const names = [...new Set(axes.flatMap(partsOf))]
    .filter((name) => !cube.dimension(name).whole && !isBase(name));
  const cutting = outputs.filter((output) => names.some((name) => dependsOn(cube, output, name)));
  const disjoint = names.filter((name) => cutting.every((output) => dependsOn(cube, output, name)));
  const tile: string[] = [];
  for (const name of disjoint) if (isAllowed(cube, [...tile, name])) tile.push(name);
  return tile;
}

function isAllowed(cube: Hypercube, tile: readonly string[]): boolean {
  try {
    checkTile(cube, tile);
    return true;
  } catch {
    return false;
  }
}
