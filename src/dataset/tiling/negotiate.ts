/**
 * Negotiation: from the wishes of all functions of a run and the limits of the data set to one tiling scheme.
 *
 * ```
 * size   bytes of a tile: a frame at least, a partition, or what tile functions and the reader allow
 * base   unit of a tile: a row, a chunk, or the whole frame; grown until no border touches an excluded pixel
 * grow   base × factors: enough of a frame for an efficient read, then deeper, then larger, up to `size`
 * veto   the data set may change the shape; the result is checked
 * ```
 *
 * Depth grows before the signal part: the requested depth is a minimum that only the size can cut.
 *
 * If every function asks for `contiguous`, none of this applies and `contiguous_tiling.ts` decides: each tile is one
 * range of the file, of about 1 MiB as stored. Where the data set wants blocks that are narrower than a frame, no tile
 * is one range, and they are negotiated as all others.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { gridOf, tileBoxes } from "../../space/box.ts";
import { checkedProduct, type Shape, showShape } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { checkRequest, checkSlices, checkTile, checkVeto } from "./negotiate_checks.ts";
import {
  BEST_FIT_BYTES,
  contiguousTile,
  DEFAULT_DEPTH,
  needsFrames,
  type NegotiationRequest,
  type Proposal,
  type TileWish,
  type TilingScheme,
} from "./tiling_scheme.ts";

// Tile sizes whose borders stay clear of excluded pixels.
//
// A pixel is patched from its neighbours, which must lie in the same tile. A border at `b` parts `b − 1` from
// `b`; so for an excluded coordinate `c` no border may be at `c` or `c + 1`. Each dimension is solved alone:
// a tile size `m` is clear if none of its multiples inside the frame is forbidden.

/**
 * The clear size nearest to `target` among multiples of `base`, searched in a zigzag: the rounded target, then one step
 * in the direction in which the target was not rounded, one step in the other direction, two steps … When the zigzag
 * ends, the first multiple of `base` beyond all forbidden borders (at most `sig`) is certainly clear.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(clearSize([31, 32], 64, 8, 16), 24); // 8 and 16 have the multiple 32
 * ```
 */
export function clearSize(forbidden: readonly number[], sig: number, base: number, target: number): number {
  const last = Math.max(0, ...forbidden);
  const steps = Math.floor(last / base) + 1;
  const start = base * roundHalfEven(target / base);
  const borders = new Set(forbidden);
  let sign = start >= target ? -1 : 1;
  for (let i = 0; i < steps; i++) {
    const size = start + base * sign * Math.ceil(i / 2);
    if (i > 0) sign = -sign;
    if (size > 0 && isClear(size, sig, borders)) return size;
  }
  return Math.min(steps * base, sig);
}

/**
 * `tile` with every dimension changed that would let a border touch an excluded pixel.
 *
 * `tile`, `sigShape`, `base` and each of the `excluded` coordinates have one entry per signal dimension.
 */
export function adjustForExcluded(
  tile: Shape,
  sigShape: Shape,
  base: Shape,
  excluded: readonly (readonly number[])[],
): number[] {
  return tile.map((size, d) => {
    const sig = sigShape[d]!;
    if (sig <= 1 || excluded.length === 0) return size;
    const coordinates = new Set(excluded.map((at) => at[d]!));
    if (coordinates.size > sig / 3) return sig;
    const adjusted = adjustSize(size, sig, base[d]!, coordinates);
    return adjusted <= 0 || adjusted > sig ? sig : adjusted;
  });
}

function adjustSize(size: number, sig: number, base: number, coordinates: Set<number>): number {
  // The end of the frame is not a tile border, but it counts for the length of the search.
  const forbidden = [...coordinates].flatMap((c) => [c, c + 1]).filter((b) => b > 0 && b <= sig);
  const clear = Math.min(sig, clearSize(forbidden, sig, base, size));
  return size < clear || size % clear !== 0 ? clear : size;
}

/** Whether no border of tiles of `size` is forbidden. */
function isClear(size: number, sig: number, borders: Set<number>): boolean {
  for (let border = size; border < sig; border += size) if (borders.has(border)) return false;
  return true;
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

export type { NegotiationRequest, TileWish, TilingScheme } from "./tiling_scheme.ts";

/** Fewest bytes of stored samples of one frame per read: for fewer, page faults cost more than the read. */
const MIN_SIG_BYTES = 4 * 4096;

/**
 * The tiling scheme of a run. Pure: the same request gives the same scheme.
 *
 * @example Frames of 256 × 256 u16, converted to float32
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const scheme = negotiate({
 *   sigShape: [256, 256],
 *   partitionFrames: 2048,
 *   dtype: "uint16",
 *   readDType: "float32",
 *   needsDecode: true,
 *   udfs: [{ name: "sum", method: "tile" }],
 * });
 * assertEquals(scheme.tileShape, [32, 32, 256]);
 * assertEquals(scheme.slices.length, 8);
 * ```
 */
export function negotiate(request: NegotiationRequest): TilingScheme {
  checkRequest(request);
  const log: Log = { why: [], warnings: [] };
  const contiguous = !request.deep && request.udfs.every((wish) => wish.contiguous) && !isNarrow(request);
  const { tile, limit, base } = contiguous ? contiguousTile(request, log.why) : grownTile(request, log);
  const tileShape = applyVeto(request, tile, log);
  checkTile(request, tileShape, limit, base, log.warnings);
  const grid = gridOf(request.sigShape, tileShape.slice(1));
  checkSlices(request, grid.counts);
  const slices = [...tileBoxes(grid)];
  log.why.push(
    `Tiles of ${showShape(tileShape)}: ${slices.length} slice${slices.length > 1 ? "s" : ""} a frame`,
  );
  return { tileShape, slices, intent: intentOf(request.udfs), depth: tileShape[0]!, ...log };
}

/** Whether the data set wants blocks that are narrower than its frames: no such tile is one range of a frame. */
function isNarrow({ sigShape, baseShape, udfs }: NegotiationRequest): boolean {
  return !udfs.some(needsFrames) && !!baseShape && baseShape.some((n, d) => d > 0 && n < sigShape[d]!);
}

/** The notes that a negotiation leaves. */
interface Log {
  readonly why: string[];
  readonly warnings: string[];
}

function intentOf(udfs: readonly TileWish[]): "tile" | "frame" | "partition" {
  const wanted = (method: TileWish["method"]) => udfs.some((wish) => wish.method === method);
  return wanted("partition") ? "partition" : wanted("frame") ? "frame" : "tile";
}

function grownTile(request: NegotiationRequest, log: Log): Proposal {
  const itemSize = dtypeInfo(request.readDType).itemSize;
  const partition = checkedProduct([request.partitionFrames, ...request.sigShape, itemSize], "a partition");
  const ioMax = request.needsDecode ? request.ioMaxBytes ?? BEST_FIT_BYTES : partition;
  log.why.push(
    request.needsDecode
      ? `Tiles are copies as ${request.readDType}: the reader allows ${formatBytes(ioMax)}`
      : `Tiles are not converted: they may have a whole partition, ${formatBytes(partition)}`,
  );
  const wanted = baseOf(request, log.why);
  const size = tileBytes(request, wanted, ioMax, partition, log.why);
  const base = clearBase(request, wanted, log.why);
  const tile = grow(request, base, Math.floor(size / itemSize), log.why);
  return { tile, limit: Math.max(size, ioMax), base };
}

/** The unit of tiles in signal dimensions. */
function baseOf({ sigShape, baseShape, udfs }: NegotiationRequest, why: string[]): Shape {
  const whole = udfs.find(needsFrames);
  if (whole) {
    const how = whole.method === "tile" ? "asks for them" : `works by ${whole.method}`;
    why.push(`Whole frames of ${showShape(sigShape)}: ${whole.name} ${how}`);
    return sigShape;
  }
  if (baseShape) {
    why.push(`Tiles are made of blocks of ${showShape(baseShape)}, as the data set wants`);
    return baseShape;
  }
  return sigShape.map((n, d) => d === sigShape.length - 1 ? n : 1);
}

/** Bytes that a tile should have. */
function tileBytes(
  { sigShape, readDType, udfs, deep }: NegotiationRequest,
  base: Shape,
  ioMax: number,
  partition: number,
  why: string[],
): number {
  const itemSize = dtypeInfo(readDType).itemSize;
  const frame = checkedProduct([...sigShape, itemSize], "a frame");
  const unit = checkedProduct([...base, itemSize], "a block of a frame");
  const sizes = udfs.map((wish) => {
    if (wish.method === "frame") return Math.max(BEST_FIT_BYTES, frame);
    if (wish.method === "partition") return partition;
    return Math.max(unit, Math.min(deep ? ioMax : preferredBytes(wish), ioMax));
  });
  const size = intentOf(udfs) === "partition" ? Math.max(...sizes) : Math.min(...sizes);
  const decider = udfs[sizes.indexOf(size)]!;
  why.push(
    `At most ${
      formatBytes(size)
    } of ${readDType} in a tile: that is the limit of ${decider.name} (${decider.method})`,
  );
  return size;
}

function preferredBytes({ totalBytes = "max" }: TileWish): number {
  return totalBytes === "bestFit" ? BEST_FIT_BYTES : totalBytes === "max" ? Infinity : totalBytes;
}

function clearBase({ sigShape, excluded = [] }: NegotiationRequest, base: Shape, why: string[]): Shape {
  const clear = adjustForExcluded(base, sigShape, base, excluded);
  if (clear.some((n, d) => n !== base[d])) {
    why.push(
      `Blocks of ${showShape(base)} become ${
        showShape(clear)
      }: no border touches one of ${excluded.length} excluded pixels`,
    );
  }
  return clear;
}

/** The base times whole factors, deeper first, up to `sizePixels`. */
function grow(request: NegotiationRequest, base: Shape, sizePixels: number, why: string[]): Shape {
  const { sigShape, partitionFrames } = request;
  const usual = request.deep ? 1 : Math.floor(MIN_SIG_BYTES / dtypeInfo(request.dtype).itemSize);
  const minPixels = request.minSigPixels ?? usual;
  const minFactors = scaleFactors(base, sigShape, minPixels);
  const minBase = base.map((n, d) => n * minFactors[d]!);
  const minBasePixels = checkedProduct(minBase, "a tile");
  why.push(`A frame gives at least ${showShape(minBase)} to a tile: ${minPixels} pixels are worth a read`);
  const wished = requestedDepth(request);
  const most = Math.max(1, Math.floor(sizePixels / minBasePixels));
  why.push(
    `Depth ${
      Math.min(wished, most)
    } or more: ${wished} asked for, ${most} × ${minBasePixels} pixels fit into ${sizePixels}`,
  );
  const start = [Math.min(wished, most), ...minFactors];
  const factors = scaleFactors([1, ...base], [partitionFrames, ...sigShape], sizePixels, start);
  return [1, ...base].map((n, d) => n * factors[d]!);
}

function requestedDepth({ udfs, partitionFrames, deep }: NegotiationRequest): number {
  if (deep) return partitionFrames;
  return Math.max(...udfs.map(({ method, depth = DEFAULT_DEPTH }) => {
    if (method === "frame") return 1;
    return method === "partition" || depth === "max" ? partitionFrames : Math.min(depth, partitionFrames);
  }));
}

/**
 * The factors per dimension that bring `shape` near to, but (beyond the `start` factors) not above, `target`
 * pixels, growing the slowest dimension first and staying inside `containing`.
 */
function scaleFactors(
  shape: Shape,
  containing: Shape,
  target: number,
  start: Shape = shape.map(() => 1),
): number[] {
  const factors = [...start];
  const pixels = () => shape.reduce((product, n, d) => product * n * factors[d]!, 1);
  let rest = Math.max(1, target / pixels());
  for (let d = 0; d < shape.length; d++) {
    const most = Math.floor(containing[d]! / shape[d]!);
    factors[d] = Math.min(Math.max(Math.floor(rest * factors[d]!), start[d]!), most);
    rest = Math.max(1, Math.floor(target / pixels()));
  }
  return factors;
}

function applyVeto(request: NegotiationRequest, tile: Shape, log: Log): Shape {
  const changed = request.veto?.(tile);
  if (!changed || changed.every((n, d) => n === tile[d]) && changed.length === tile.length) return tile;
  checkVeto(request, tile, changed, log.warnings);
  log.why.push(`The data set changed tiles of ${showShape(tile)} to ${showShape(changed)}`);
  return changed;
}
