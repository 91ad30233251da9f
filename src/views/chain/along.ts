/**
 * Operations along some dimensions of an array: each image of the others is an array of its own.
 *
 * ```text
 *   channel, y, x along y and x:    image 0 ─▶ work ─▶ result 0
 *                                   image 1 ─▶ work ─▶ result 1        nothing of one reaches another
 * ```
 *
 * An image whose last dimension has gaps, as in files with the colours of a pixel side by side, is copied before and after.
 *
 * @module
 */

import { type CopyRows, copyView } from "../../memory/copy_box.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { denseStrides, stridedView } from "../../memory/strided.ts";
import { box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Halo, isList, type Radius, withHalo } from "../../space/halo.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import type {
  Along,
  OperationEntry,
  OperationFacts,
  OperationSetting,
  PlacedSamples,
  TileWork,
} from "../operations/operation.ts";

/** Scratch memory for the image that is copied, and for what becomes of it. */
const [COPY, RESULT] = ["image", "result of image"] as const;

/**
 * The operation along some dimensions. Itself, if it sees samples one by one or arrays as a whole, or if its parameters say
 * something for every dimension.
 */
export function alongEntry(entry: OperationEntry, params: object, along: Along): OperationEntry {
  const { dims, rank } = along;
  const isAlone = entry.radius(params) === 0 && !entry.factors;
  if (isAlone || entry.partial || entry.whole || saysAll(entry, params, rank)) return entry;
  const isCopied = !dims.includes(rank - 1);
  return {
    ...entry,
    radius: (params) => spreadHalo(entry.radius(params) ?? entry.usualRadius, along),
    ...(entry.factors ? { factors: (params) => spread(entry.factors!(params), along, 1) } : {}),
    ...(entry.check ? { check: (facts) => entry.check!(inner(facts, along)) } : {}),
    scratch: (facts) => ({
      ...entry.scratch(inner(facts, along)),
      ...(isCopied ? copiesOf(entry, facts, along) : {}),
    }),
    start: (setting) => started(entry, setting, along),
  };
}

/** Whether a list of its parameters has a number for every dimension of the array. */
function saysAll(entry: OperationEntry, params: object, rank: number): boolean {
  const radius = entry.radius(params) ?? 0;
  const sides = isSides(radius) ? [radius.front ?? 0, radius.back ?? 0] : [radius];
  return [...sides, entry.factors?.(params) ?? 1].some((one) => isList(one) && one.length === rank);
}

function isSides(radius: Radius): radius is Exclude<Radius, number | Shape> {
  return typeof radius !== "number" && !isList(radius);
}

function spread(value: number | Shape, { dims, rank }: Along, other: number): Shape {
  const all = Array<number>(rank).fill(other);
  for (const [i, d] of dims.entries()) all[d] = typeof value === "number" ? value : value[i] ?? NaN;
  return !isList(value) || value.length === dims.length ? all : value;
}

function spreadHalo(radius: Radius, along: Along): Radius {
  if (!isSides(radius)) return spread(radius, along, 0);
  return { front: spread(radius.front ?? 0, along, 0), back: spread(radius.back ?? 0, along, 0) };
}

function pick<T>(values: readonly T[], { dims }: Along): T[] {
  return dims.map((d) => values[d]!);
}

/** Facts of the use of the operation for one image. */
function inner<P extends object>(facts: OperationFacts<P>, along: Along): OperationFacts<P> {
  const { radius, halo, tile } = facts;
  const own: Halo = { front: pick(halo.front, along), back: pick(halo.back, along) };
  return { ...facts, radius: pick(radius, along), halo: own, tile: pick(tile, along) };
}

/** Bytes of the copies. */
function copiesOf(
  entry: OperationEntry,
  facts: OperationFacts<object>,
  along: Along,
): Record<string, number> {
  const { tile, halo, dtype, result, params, arrays } = inner(facts, along);
  const factors = pick(spread(entry.factors?.(params) ?? 1, along, 1), along);
  const bytes = (shape: Shape, dtype: DType) => sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  const made = tile.map((n, d) => Math.ceil(n / factors[d]!));
  return {
    [COPY]: (arrays?.length ?? 1) * bytes(withHalo(tile, halo), dtype),
    [RESULT]: bytes(made, result),
  };
}

async function started(
  entry: OperationEntry,
  setting: OperationSetting<object, string>,
  along: Along,
): Promise<TileWork> {
  const { whole: { shape, borders, fill }, scratch, kernels } = setting;
  const own = inner(setting, along);
  const whole = { shape: pick(shape, along), borders: pick(borders, along), fill };
  const work = await entry.start({ ...setting, ...own, whole });
  const copies = along.dims.includes(along.rank - 1)
    ? undefined
    : { kernels, copy: scratch.at(COPY), result: scratch.at(RESULT), facts: own };
  const one = copies ? onCopies(work, copies) : work;
  const others = Array.from({ length: along.rank }, (_, d) => d).filter((d) => !along.dims.includes(d));
  return async (view, out, tile) => {
    const counts = others.map((d) => out.shape[d]!);
    for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
      const at = unravel(flat, counts);
      const image = (samples: PlacedSamples): PlacedSamples => ({
        ...samples,
        pointer: at.reduce((sum, i, n) => sum + i * samples.strides[others[n]!]!, samples.pointer),
        shape: pick(samples.shape, along),
        strides: pick(samples.strides, along),
      });
      await one(image(view), image(out), box(pick(tile.origin, along), pick(tile.shape, along)));
    }
  };
}

/** Where images are copied to. */
interface Copies {
  readonly kernels: Kernels;
  readonly copy: number;
  readonly result: number;
  readonly facts: OperationFacts<object>;
}

/** The work on copies without gaps. */
function onCopies(work: TileWork, { kernels, copy, result, facts }: Copies): TileWork {
  const { memory } = kernels;
  const copyRows: CopyRows = copierWithin(kernels);
  const count = facts.arrays?.length ?? 1;
  const move = (from: PlacedSamples, to: PlacedSamples, dtype: DType) => {
    const [source, target] = [from, to].map(({ pointer, shape, strides }) =>
      stridedView(memory.buffer, pointer, dtype, shape, strides)
    );
    copyView(source!, target!, copyRows);
  };
  return async (view, out, tile) => {
    const dense = { shape: view.shape, strides: denseStrides(view.shape, facts.dtype) };
    const apart = sizeOf(view.shape) * dtypeInfo(facts.dtype).itemSize;
    for (let n = 0; n < count; n++) {
      const from = { ...view, pointer: view.pointer + n * (view.apart ?? 0) };
      move(from, { ...dense, pointer: copy + n * apart }, facts.dtype);
    }
    const made = { pointer: result, shape: out.shape, strides: denseStrides(out.shape, facts.result) };
    await work({ ...dense, pointer: copy, ...(view.apart === undefined ? {} : { apart }) }, made, tile);
    move(made, out, facts.result);
  };
}
