/**
 * Selections of a dataspace: which elements of an array take part in a mapping. Only products of lists of positions
 * are known here, which is what slices with steps are.
 *
 * Source: the HDF5 File Format Specification, version 3.0, "Dataspace Encoding".
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Cursor } from "../metadata/cursor.ts";

/** Blocks along one dimension. */
export interface Blocks {
  /** First position. */
  readonly start: number;
  /** From one block to the next. */
  readonly stride: number;
  /** Number of blocks; `Infinity` where it follows the size of the array. */
  readonly count: number;
  /** Positions of a block; `Infinity` where it follows the size of the array. */
  readonly block: number;
}

/** Per dimension blocks or a list of positions; nothing: all elements. */
export type Selection = readonly (Blocks | readonly number[])[] | undefined;

/** Positions that a list may have: 32 MiB, a scan of 2048 × 2048 frames in one row. */
const MOST = 2 ** 22;

/** The selection at the cursor. */
export function readSelection(body: Cursor): Selection {
  const type = body.u32();
  const version = body.u32();
  if (type === 3) {
    body.skip(8);
    return undefined;
  }
  if (type !== 2) throw body.error("unsupported", `a selection of type ${type} is neither all nor slices`);
  if (version === 1) {
    body.skip(8);
    return readCorners(body, 4);
  }
  if (version !== 2 && version !== 3) {
    throw body.error("unsupported", `a selection of slices has version ${version}; known are 1, 2, 3`);
  }
  const flags = body.u8();
  if (version === 2) body.skip(4); // its length
  const bytes = version === 2 ? 8 : body.u8();
  if (!(flags & 1)) return readCorners(body, bytes);
  const rank = rankOf(body);
  const number = () => body.optional(bytes) ?? Infinity;
  return Array.from({ length: rank }, () => {
    const [start, stride, count, block] = [number(), number(), number(), number()];
    if (!Number.isFinite(start) || !(stride >= 1) || (count > 1 && block > stride)) {
      throw body.error("malformed", `slices start at ${start}, are ${stride} apart and ${block} long`);
    }
    return { start, stride, count, block };
  });
}

function rankOf(body: Cursor): number {
  const rank = body.u32();
  if (rank < 1 || rank > 32) throw body.error("malformed", `a selection has ${rank} dimensions`);
  return rank;
}

/** Blocks by their corners, which must be a product of intervals per dimension. */
function readCorners(body: Cursor, bytes: number): readonly (readonly number[])[] {
  const rank = rankOf(body);
  const count = body.uint(bytes);
  const edges = Array.from({ length: rank }, () => new Map<number, number>());
  for (let b = 0; b < count; b++) {
    const first = Array.from({ length: rank }, () => body.uint(bytes));
    for (let d = 0; d < rank; d++) edges[d]!.set(first[d]!, body.uint(bytes));
  }
  if (edges.reduce((product, { size }) => product * size, 1) !== count) {
    throw body.error("unsupported", "a selection of blocks is not a product of intervals");
  }
  return edges.map((ends) => {
    const positions: number[] = [];
    for (const [first, last] of [...ends].toSorted(([a], [b]) => a - b)) {
      if (last < first || positions.length + last - first >= MOST) {
        throw body.error("malformed", `a block is from ${first} to ${last}`);
      }
      for (let at = first; at <= last; at++) positions.push(at);
    }
    return positions;
  });
}

/**
 * The selected positions of each dimension of an array of `shape`.
 *
 * Errors: `unsupported` for more positions than can be listed.
 *
 * @param block only this block of dimensions whose number of blocks has no limit; default: all that begin inside
 */
export function positionsOf(selection: Selection, shape: Shape, block?: number): number[][] {
  return shape.map((size, d) => {
    const own = selection?.[d];
    checkCount(own, size);
    if (own === undefined) return blockPositions({ start: 0, stride: 1, count: 1, block: size }, size);
    return "start" in own ? blockPositions(own, size, block) : own.filter((at) => at < size);
  });
}

/** Refuses to list positions beyond all measure before any is listed. */
function checkCount(own: Blocks | readonly number[] | undefined, size: number): void {
  const most = own === undefined
    ? size
    : "start" in own
    ? Math.min(size - own.start, Math.min(own.count, Math.ceil((size - own.start) / own.stride)) * own.block)
    : own.length;
  if (!(most > MOST)) return;
  const text = `Cannot follow a selection of ${most} positions along one dimension; ${MOST} are possible`;
  throw new TilewiseError("unsupported", text, { expected: MOST, found: most });
}

function blockPositions({ start, stride, count, block }: Blocks, size: number, only?: number): number[] {
  const positions: number[] = [];
  const first = count === Infinity && only !== undefined ? only : 0;
  const last = count === Infinity && only !== undefined ? only + 1 : count;
  for (let b = first; b < last && start + b * stride < size; b++) {
    const at = start + b * stride;
    for (let position = at; position < Math.min(size, at + block); position++) positions.push(position);
  }
  return positions;
}

/** The dimension in which it grows with the array; `undefined` if its size is fixed. */
export function freeDim(selection: Selection): number | undefined {
  const d = selection?.findIndex((own) =>
    "start" in own && (own.count === Infinity || own.block === Infinity)
  );
  return d === undefined || d < 0 ? undefined : d;
}

/** Blocks that begin inside of an array of `shape`, in the dimension without a limit. */
export function blocksInside(selection: Selection, shape: Shape): number {
  const d = selection?.findIndex((own) => "start" in own && own.count === Infinity) ?? -1;
  if (d < 0) return 1;
  const { start, stride } = selection![d] as Blocks;
  return Math.max(0, Math.ceil((shape[d]! - start) / stride));
}
