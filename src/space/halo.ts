/**
 * Halos: the samples around a tile, the same number on both sides or different ones.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { either, list, whole } from "../options/rules.ts";
import { checkOptionNames, inWords, isNamed, type OptionNames, type OptionRule } from "../options.ts";
import { type Shape, showShape } from "./shape.ts";

/**
 * Samples of halo around a tile: one number for all dimensions, one per dimension, or different ones before and behind
 * the tile.
 * @category Views
 */
export type Radius = number | Shape | HaloSides;

/**
 * Samples before a tile and behind it: one number for all dimensions, or one per dimension.
 * @category Views
 */
export interface HaloSides {
  /** Samples before the tile. Default 0. */
  readonly front?: number | Shape;
  /** Samples behind the tile. Default 0. */
  readonly back?: number | Shape;
}

/**
 * The halo of a tile, per dimension.
 * @category Views
 */
export interface Halo extends HaloSides {
  /** Samples before the tile. */
  readonly front: Shape;
  /** Samples behind the tile. */
  readonly back: Shape;
}

/** One side: a count, or a list of them; {@link haloOf} checks the list. */
const side = either("a number of samples, or a list with one per dimension", whole(0), list);

const SIDES: OptionNames<HaloSides> = { front: side, back: side };

/** Rule for a {@link Radius}. */
export const radiusRule: OptionRule<Radius> = (call, option, value) => {
  if (isNamed(value) && !ArrayBuffer.isView(value)) return checkOptionNames(call, value, SIDES, option);
  either("a number of samples, or a list with one per dimension, or { front, back }", whole(0), list)(
    call,
    option,
    value,
  );
};

/**
 * The halo in an array of `shape`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(haloOf(2, [8, 9]), { front: [2, 2], back: [2, 2] });
 * assertEquals(haloOf({ front: [1, 2] }, [8, 9]), { front: [1, 2], back: [0, 0] });
 * ```
 */
export function haloOf(radius: Radius, shape: Shape): Halo {
  if (typeof radius === "number" || isList(radius)) {
    const both = sideOf(radius, shape);
    return { front: both, back: both };
  }
  if (!isNamed(radius)) throw refused(inWords(radius), shape);
  const { front = 0, back = 0 } = radius;
  return { front: sideOf(front, shape), back: sideOf(back, shape) };
}

/** Whether a halo has as many samples before a tile as behind it. */
export function isEven({ front, back }: Halo): boolean {
  return front.every((n, d) => n === back[d]);
}

/** Whether `halo` has all samples that `part` asks for. */
export function covers(halo: Halo, part: Halo): boolean {
  const has = (of: Shape, wanted: Shape) => wanted.every((n, d) => n <= of[d]!);
  return has(halo.front, part.front) && has(halo.back, part.back);
}

/** Samples of a box of `shape` with the halo around it, per dimension. */
export function withHalo(shape: Shape, { front, back }: Halo): number[] {
  return shape.map((n, d) => n + front[d]! + back[d]!);
}

/** A halo in text: `1 × 2`, or `1 × 2 before and 0 × 0 behind`. */
export function showHalo(halo: Halo): string {
  const [front, back] = [halo.front, halo.back].map(showShape);
  return isEven(halo) ? front! : `${front} before and ${back} behind`;
}

/** Whether a value is a list of numbers, of any kind. */
export function isList(value: unknown): value is Shape {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function sideOf(asked: number | Shape, shape: Shape): Shape {
  const side = typeof asked === "number" ? shape.map(() => asked) : Array.from(asked);
  if (side.length === shape.length && side.every((n) => Number.isSafeInteger(n) && n >= 0)) return side;
  throw refused(side.join(", "), shape);
}

function refused(found: string, shape: Shape): TilewiseError {
  const text = `Cannot make views with radius ${found}: an array of ${showShape(shape)} ` +
    `takes ${shape.length} counts`;
  return new TilewiseError("invalid", text, { option: "radius", expected: shape.length, found });
}
