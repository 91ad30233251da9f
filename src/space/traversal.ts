/**
 * Traversals: in which order the tiles of a grid are visited.
 *
 * A traversal is a sequence of indices, made one after another: no list of all tiles is held.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type Shape, sizeOf, stridesOf, unravel } from "./shape.ts";

/**
 * The name of an order of tiles.
 * @category Views
 */
export type Traversal = "row-major" | "snake";

/** Every index of a grid with `counts` tiles per dimension, each once, in one order. */
export type TraversalOrder = (counts: Shape) => Iterable<number[]>;

/**
 * Every traversal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const columns = [...TRAVERSALS.snake([2, 3])].map(([, x]) => x);
 * assertEquals(columns, [0, 1, 2, 2, 1, 0]);
 * ```
 */
export const TRAVERSALS: Readonly<Record<Traversal, TraversalOrder>> = {
  "row-major": rowMajor, // 0 1 2 / 3 4 5: the last dimension runs fastest
  snake, //                 0 1 2 / 5 4 3: as row-major, but each row starts where the previous one ended
};

/** Other names of traversals. */
const ALIASES: Readonly<Record<string, Traversal>> = { naive: "row-major" };

/**
 * The traversal with this name.
 *
 * @example
 * ```ts
 * import { assertEquals, assertThrows } from "@std/assert";
 * assertEquals(parseTraversal("naive"), "row-major");
 * assertThrows(() => parseTraversal("spirals"), Error, "row-major, snake");
 * ```
 */
export function parseTraversal(name: string): Traversal {
  if (isTraversal(name)) return name;
  const found = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  if (found) return found;
  const known = [...Object.keys(TRAVERSALS), ...Object.keys(ALIASES)].join(", ");
  throw new TilewiseError("invalid", `Unknown traversal "${name}"; known are ${known}`, { found: name });
}

function isTraversal(name: string): name is Traversal {
  return Object.hasOwn(TRAVERSALS, name);
}

function* rowMajor(counts: Shape): Generator<number[]> {
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) yield unravel(flat, counts);
}

/** A dimension runs backwards in every second pass of the dimensions before it. */
function* snake(counts: Shape): Generator<number[]> {
  const strides = stridesOf(counts);
  for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
    yield unravel(flat, counts).map((i, d) => {
      const turn = Math.floor(flat / (strides[d]! * counts[d]!));
      return turn % 2 === 0 ? i : counts[d]! - 1 - i;
    });
  }
}
