/**
 * Orders of the tiles of a grid, beyond rows. All are generators: no list of all tiles is held.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type Shape, showShape } from "./shape.ts";

/**
 * Diagonals: all tiles whose indices have the sum 0, then 1, and so on; each diagonal from the largest first index to
 * the smallest.
 */
export function* diagonal(counts: Shape): Generator<number[]> {
  if (counts.includes(0)) return;
  const last = counts.reduce((sum, n) => sum + n - 1, 0);
  for (let sum = 0; sum <= last; sum++) yield* withSum(counts, sum);
}

/** The indices with this sum, the first index descending. */
function* withSum([n, ...rest]: Shape, sum: number): Generator<number[]> {
  if (n === undefined) return yield [];
  const others = rest.reduce((most, m) => most + m - 1, 0);
  for (let i = Math.min(n - 1, sum); i >= Math.max(0, sum - others); i--) {
    for (const index of withSum(rest, sum - i)) yield [i, ...index];
  }
}

/** From the first corner clockwise inwards, in two dimensions; further ones may have one tile. */
export function spiral(counts: Shape): Iterable<number[]> {
  return inPlane(counts, (flat) => {
    if (flat.length === 2) return spiralInPlane(flat[0]!, flat[1]!);
    const text = `The traversal "spiral" goes through two dimensions, not ${showShape(counts)} tiles; ` +
      "use row-major, snake, diagonal, z-order or hilbert";
    throw new TilewiseError("unsupported", text, { option: "traversal", expected: 2, found: flat.length });
  });
}

function* spiralInPlane(rows: number, columns: number): Generator<number[]> {
  for (let ring = 0; 2 * ring < Math.min(rows, columns); ring++) {
    const [bottom, right] = [rows - 1 - ring, columns - 1 - ring];
    for (let x = ring; x <= right; x++) yield [ring, x];
    for (let y = ring + 1; y <= bottom; y++) yield [y, right];
    if (bottom > ring) { for (let x = right - 1; x >= ring; x--) yield [bottom, x]; }
    if (right > ring) { for (let y = bottom - 1; y > ring; y--) yield [y, ring]; }
  }
}

/** Z order: blocks of 2 tiles per dimension, blocks of such blocks, and so on; within each, rows. */
export function* zOrder(counts: Shape): Generator<number[]> {
  const levels = Math.max(0, ...counts.map(bitsFor));
  const block = function* (origin: Shape, level: number): Generator<number[]> {
    if (origin.some((o, d) => o >= counts[d]!)) return;
    if (level === 0) return yield [...origin];
    const half = 2 ** (level - 1);
    for (let part = 0; part < 2 ** counts.length; part++) {
      yield* block(origin.map((o, d) => o + half * bitOf(part, counts.length - 1 - d)), level - 1);
    }
  };
  yield* block(counts.map(() => 0), levels);
}

/**
 * A Hilbert curve. In two dimensions: over the square of 2^k tiles per side that fits into the grid, then rows to and fro
 * right of it, then those below it. In more dimensions: over the smallest cube of 2^k tiles per side around the grid, of
 * which tiles that are not there are left out.
 */
export function hilbert(counts: Shape): Iterable<number[]> {
  return inPlane(
    counts,
    (flat) => flat.length === 2 ? hilbertInPlane(flat[0]!, flat[1]!) : hilbertInCube(flat),
  );
}

function* hilbertInPlane(rows: number, columns: number): Generator<number[]> {
  const side = 2 ** Math.floor(Math.log2(Math.min(rows, columns)));
  for (let step = 0; step < side * side; step++) yield hilbertIndex(step, side);
  yield* rowsToAndFro([0, side], [rows, columns]);
  yield* rowsToAndFro([side, 0], [rows, side]);
}

/** The tile at a step of the curve over `side` × `side` tiles: its place in ever larger squares, each turned to fit. */
function hilbertIndex(step: number, side: number): number[] {
  let [y, x] = [0, 0];
  for (let size = 1; size < side; size *= 2) {
    const down = Math.floor(step / 2) % 2;
    const right = (step + down) % 2;
    if (right === 0) {
      if (down === 1) [y, x] = [size - 1 - y, size - 1 - x];
      [y, x] = [x, y];
    }
    y += size * down;
    x += size * right;
    step = Math.floor(step / 4);
  }
  return [y, x];
}

function* rowsToAndFro(
  [top, left]: [number, number],
  [bottom, right]: [number, number],
): Generator<number[]> {
  for (let y = top; y < bottom; y++) {
    const back = (y - top) % 2 === 1;
    for (let i = 0; i < right - left; i++) yield [y, back ? right - 1 - i : left + i];
  }
}

/**
 * The curve over a cube, as the tree of its blocks: the digits of a step are the choices of blocks, from the largest to
 * the smallest. Blocks outside of the grid are left out as a whole.
 */
function* hilbertInCube(counts: Shape): Generator<number[]> {
  const bits = Math.max(0, ...counts.map(bitsFor));
  const block = function* (digits: readonly number[]): Generator<number[]> {
    const size = 2 ** (bits - digits.length);
    const index = cubeIndex(digits, bits, counts.length).map((i) => i - i % size);
    if (index.some((i, d) => i >= counts[d]!)) return;
    if (size === 1) return yield index;
    for (let part = 0; part < 2 ** counts.length; part++) yield* block([...digits, part]);
  };
  yield* block([]);
}

/**
 * The tile at a step of the curve over 2^bits tiles per dimension (J. Skilling, "Programming the Hilbert curve", AIP
 * Conference Proceedings 707, 2004). Digits have one bit per dimension, the first dimension highest.
 */
function cubeIndex(digits: readonly number[], bits: number, rank: number): number[] {
  const x = Array.from(
    { length: rank },
    (_, d) =>
      digits.reduce((sum, digit, level) => sum + bitOf(digit, rank - 1 - d) * 2 ** (bits - 1 - level), 0),
  );
  const top = x[rank - 1]! >> 1; // the binary digits of the step, from their Gray code
  for (let d = rank - 1; d > 0; d--) x[d]! ^= x[d - 1]!;
  x[0]! ^= top;
  for (let bit = 2; bit < 2 ** bits; bit *= 2) { // undo the turns, from the smallest blocks on
    const below = bit - 1;
    for (let d = rank - 1; d >= 0; d--) {
      if (x[d]! & bit) x[0]! ^= below;
      else {
        const both = (x[0]! ^ x[d]!) & below;
        x[0]! ^= both;
        x[d]! ^= both;
      }
    }
  }
  return x;
}

/** An order of the dimensions with more than one tile, for orders of the plane; all others have one tile. */
function inPlane(counts: Shape, order: (counts: Shape) => Iterable<number[]>): Iterable<number[]> {
  if (counts.includes(0)) return [];
  if (counts.length === 2) return order(counts);
  const long = [...counts.keys()].filter((d) => counts[d]! > 1);
  if (long.length > 2) return order(counts);
  return spread(counts, long, order([1, 1, ...long.map((d) => counts[d]!)].slice(-2)));
}

function* spread(counts: Shape, long: Shape, flat: Iterable<number[]>): Generator<number[]> {
  for (const index of flat) {
    const whole = counts.map(() => 0);
    long.forEach((d, i) => whole[d] = index[i + 2 - long.length]!);
    yield whole;
  }
}

/** Bits of the indices of `n` tiles. */
function bitsFor(n: number): number {
  return n <= 1 ? 0 : Math.ceil(Math.log2(n));
}

function bitOf(n: number, bit: number): number {
  return Math.floor(n / 2 ** bit) % 2;
}
