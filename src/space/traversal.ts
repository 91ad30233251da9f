/**
 * Traversals: in which order the tiles of a grid are visited.
 *
 * A traversal is a sequence of indices, made one after another: no list of all tiles is held.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords, type OptionRule } from "../options.ts";
import { must } from "../options/rules.ts";
import { diagonal, hilbert, spiral, zOrder } from "./orders.ts";
import { ravel, type Shape, showShape, sizeOf, stridesOf, unravel } from "./shape.ts";

/**
 * The name of an order of tiles.
 * @category Views
 */
export type Traversal = "row-major" | "snake" | "diagonal" | "spiral" | "z-order" | "hilbert";

/**
 * Indices of the tiles of a grid with `counts` tiles per dimension, in one order. An order of your own may leave out tiles
 * and repeat them; whoever needs each tile once refuses that.
 * @category Views
 */
export type TraversalOrder = (counts: Shape) => Iterable<Shape>;

/**
 * A traversal as users give it: its name, another name for it, a list of indices, or a function that makes them, such as
 * a generator.
 * @category Views
 */
export type TraversalInput = Traversal | string | readonly Shape[] | TraversalOrder;

/**
 * Every traversal, by its name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const columns = [...TRAVERSALS.snake([2, 3])].map(([, x]) => x);
 * assertEquals(columns, [0, 1, 2, 2, 1, 0]);
 * ```
 * @category Views
 */
export const TRAVERSALS: Readonly<Record<Traversal, (counts: Shape) => Iterable<number[]>>> = {
  "row-major": rowMajor, // 0 1 2 / 3 4 5: the last dimension runs fastest
  snake, //                 0 1 2 / 5 4 3: as row-major, but each row starts where the previous one ended
  diagonal, //              0 2 4 / 1 3 5: sums of indices, ascending
  spiral, //                0 1 2 / 5 4 3: from the first corner clockwise inwards
  "z-order": zOrder, //     0 1 4 / 2 3 5: blocks of 2 × 2, blocks of these, and so on
  hilbert, //               0 1 4 / 3 2 5: as z-order, but from neighbour to neighbour
};

/** Other names of traversals. */
const ALIASES: Readonly<Record<string, Traversal>> = {
  naive: "row-major",
  morton: "z-order",
  "recursive-block": "z-order",
};

/** Rule for traversals. Names and indices are checked later. */
export const traversalRule: OptionRule<TraversalInput> = must(
  "the name of a traversal, a list of indices, or a function that makes indices from counts",
  (value) => typeof value === "string" || typeof value === "function" || Array.isArray(value),
);

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

/**
 * An order of tiles, and what to call it.
 * @category Views
 */
export interface TileOrder {
  /** Its name in messages. */
  readonly name: string;
  /** Whether it is one of {@link TRAVERSALS}, which visit every tile once. */
  readonly known: boolean;
  /** The indices. Those of users are checked: `invalid` for one that is not a tile. */
  tiles(counts: Shape): Iterable<Shape>;
}

/**
 * The order that a user asks for.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...orderOf("snake").tiles([2, 2])], [[0, 0], [0, 1], [1, 1], [1, 0]]);
 * assertEquals([...orderOf([[1], [0], [1]]).tiles([2])], [[1], [0], [1]]);
 * ```
 */
export function orderOf(asked: TraversalInput): TileOrder {
  if (typeof asked === "string") {
    const name = parseTraversal(asked);
    return { name, known: true, tiles: TRAVERSALS[name] };
  }
  const [name, order] = typeof asked === "function"
    ? [asked.name || "your order", asked]
    : ["your list", () => asked];
  return { name, known: false, tiles: (counts) => checked(name, order(counts), counts) };
}

/**
 * The order for results, which need every tile once. Orders of users are asked once, and what they say is kept as one
 * number per tile: a generator may say something else the next time.
 */
export function onceEach(order: TileOrder, counts: Shape): TileOrder {
  if (order.known) return order;
  const all = sizeOf(counts);
  const [flat, seen] = [new Float64Array(all), new Uint8Array(all)];
  let visited = 0;
  for (const index of order.tiles(counts)) {
    const tile = ravel(index, counts);
    if (seen[tile]! > 0) throw notOnce(order.name, index, "twice");
    seen[tile] = 1;
    flat[visited++] = tile;
  }
  if (visited < all) throw notOnce(order.name, unravel(seen.indexOf(0), counts), "never");
  return { ...order, tiles: () => unravelled(flat, counts) };
}

function* unravelled(flat: Iterable<number>, counts: Shape): Generator<Shape> {
  for (const tile of flat) yield unravel(tile, counts);
}

function notOnce(name: string, index: Shape, how: string): TilewiseError {
  const text = `The traversal ${name} visits tile (${
    index.join(", ")
  }) ${how}; a result needs every tile once`;
  return new TilewiseError("invalid", text, { option: "traversal", found: index.join(", ") });
}

function* checked(name: string, order: Iterable<Shape>, counts: Shape): Generator<Shape> {
  if (typeof (order as Partial<Iterable<Shape>> | undefined)?.[Symbol.iterator] !== "function") {
    const found = inWords(order);
    const text = `The traversal ${name} gives ${found}; it must give indices of tiles one after another`;
    throw new TilewiseError("invalid", text, { option: "traversal", found });
  }
  for (const index of order) {
    if (!isTile(index, counts)) throw noTile(name, index, counts);
    yield index;
  }
}

function isTile(index: unknown, counts: Shape): boolean {
  return Array.isArray(index) && index.length === counts.length &&
    index.every((i, d) => Number.isSafeInteger(i) && i >= 0 && i < counts[d]!);
}

function noTile(name: string, index: unknown, counts: Shape): TilewiseError {
  const found = Array.isArray(index) ? `(${index.join(", ")})` : inWords(index);
  const text = `The traversal ${name} visits ${found}, which is not a tile: the grid has ${
    showShape(counts)
  } tiles`;
  return new TilewiseError("invalid", text, { option: "traversal", expected: showShape(counts), found });
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
