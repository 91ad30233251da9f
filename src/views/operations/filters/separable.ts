/**
 * Filters that are products of weights along dimensions, or made of several such products.
 *
 * A tile is computed in strips of rows, so that what is between two passes stays in the cache. For each strip and each
 * product there is one pass for each dimension that has weights, slowest first; the sums of a product go to the result,
 * or to a place of their own, if something else is made of them.
 *
 * @module
 */

import type { KernelFamilies } from "../../../kernels/families/families.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import { kernel } from "../../../kernels/registry.ts";
import type { Places } from "../../../memory/places.ts";
import { denseStrides } from "../../../memory/strided.ts";
import { type DType, dtypeInfo, typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { betweenPasses, eachLine, eachPlane, eachStrip, passesOf, shapesOfPasses } from "../lines.ts";
import type { PlacedSamples, TileWork } from "../operation.ts";
import { folded, type FoldedWeights, type Product, reachOf } from "./weights.ts";

/** The type in which weighted sums are computed. */
export type Float = "float32" | "float64";

/** A product, and what it is computed from. */
interface Term {
  /** Its weights. */
  readonly product: Product;
  /** Whether it takes the squares of samples; sums are f64 then. */
  readonly ofSquares?: boolean;
}

/** What is computed: facts that plan and workers share. */
export interface Separable {
  /** The products. */
  readonly terms: readonly Term[];
  /** The type of their sums. */
  readonly float: Float;
  /** Type of the samples of views. */
  readonly dtype: DType;
  /** Samples of a full tile, per dimension. */
  readonly tile: Shape;
  /** Samples of halo of the views, per dimension. */
  readonly radius: Shape;
  /** Whether a {@link Finish} makes something of the sums; else the first product is the result. */
  readonly finished: boolean;
}

/** Names of scratch memory: weights; squares; results of odd and even passes; sums of all products. */
export type SeparableScratch = "weights" | "squares" | "first" | "second" | "sums";

/** Rows of samples: address, and bytes per row. */
export interface RowsAt {
  /** The first sample. */
  readonly pointer: number;
  /** Bytes from a row to the next one. */
  readonly rowStride: number;
}

/** Sums of one strip: dense rows of floats, one product behind the other. */
interface StripSums extends RowsAt {
  /** Bytes from the sums of a product to those of the next one. */
  readonly termStride: number;
}

/** Makes results of the sums of a strip of `rows` rows of `n` samples. */
export type Finish = (sums: StripSums, out: RowsAt, samples: RowsAt, rows: number, n: number) => void;

/** Bytes of sums of one strip that stay in the second cache. */
const STRIP_BYTES = 256 << 10;
/** Kernels compute four rows at a time. */
const ROW_STEP = 4;
const MOST_ROWS = 64;

/** Bytes of scratch memory. */
export function separableScratch(what: Separable): Record<SeparableScratch, number> {
  const { terms, float } = what;
  const item = dtypeInfo(float).itemSize;
  const strip = stripOf(what);
  const most = [0, 0];
  for (const { product } of terms) {
    const shapes = shapesOfPasses(strip, product.map(reachOf), passesFor(product)).slice(0, -1);
    for (const [n, shape] of shapes.entries()) {
      most[n % 2] = Math.max(most[n % 2]!, item * sizeOf(shape));
    }
  }
  const weights = terms.flatMap(({ product }) => product).reduce((sum, { length }) => sum + item * length, 0);
  const squares = terms.some(({ ofSquares }) => ofSquares)
    ? item * sizeOf(strip.map((n, d) => n + 2 * what.radius[d]!))
    : 0;
  return {
    weights,
    squares,
    first: most[0]!,
    second: most[1]!,
    sums: what.finished ? terms.length * item * sizeOf(strip) : 0,
  };
}

/** The shape of a full strip: some rows of the tile. */
function stripOf({ tile, terms, float }: Separable): Shape {
  const [rows, n] = [tile.at(-2) ?? 1, tile.at(-1)!];
  const fitting = Math.floor(STRIP_BYTES / (terms.length * n * dtypeInfo(float).itemSize));
  const most = Math.max(ROW_STEP, Math.min(MOST_ROWS, fitting - fitting % ROW_STEP));
  return tile.map((_, d) => d === tile.length - 1 ? n : d === tile.length - 2 ? Math.min(rows, most) : 1);
}

/** The dimensions of the passes; without any weights only the last one, whose pass converts. */
function passesFor(product: Product): number[] {
  return passesOf(product.length, (d) => product[d]!.length > 1 || product[d]![0] !== 1);
}

/** Kernels for samples of one type: a pass, and two passes in one where there is such a kernel. */
interface Weigh {
  readonly along: KernelFamilies["weigh_f64"];
  readonly plane: KernelFamilies["weigh_plane"] | undefined;
}

/** Weights in the memory of the kernels. */
interface Placed extends FoldedWeights {
  readonly pointer: number;
}

/** A pass of a product: weights along one dimension. */
interface Pass {
  readonly d: number;
  readonly weights: Placed;
}

/** Computes the products of tiles; made once per worker. */
class Strips {
  readonly #what: Separable;
  readonly #scratch: Places<SeparableScratch>;
  readonly #finish: Finish | undefined;
  readonly #terms: readonly PlacedTerm[];
  readonly #ofSamples: Weigh;
  readonly #ofSums: Weigh;
  readonly #square: KernelFamilies["square_f64"];
  readonly #strip: Shape;

  constructor(
    what: Separable,
    kernels: Kernels,
    scratch: Places<SeparableScratch>,
    finish: Finish | undefined,
  ) {
    this.#what = what;
    this.#scratch = scratch;
    this.#finish = finish;
    this.#terms = placedTerms(what, kernels, scratch.at("weights"));
    this.#ofSamples = weighs(kernels, what.dtype, what.float);
    this.#ofSums = weighs(kernels, what.float, what.float);
    this.#square = kernel(kernels, "square_f64", what.dtype);
    this.#strip = stripOf(what);
  }

  /** One tile, strip by strip. */
  tile(view: PlacedSamples, out: PlacedSamples): void {
    const most = this.#strip.at(-2) ?? 1;
    eachStrip(most, this.#what.radius, view, out, (part, to) => this.#strips(part, to));
  }

  /** A strip of the result; `view` begins with the halo of its first sample. */
  #strips(view: PlacedSamples, out: PlacedSamples): void {
    const { shape } = out;
    const { float, radius } = this.#what;
    const { itemSize } = dtypeInfo(float);
    const termStride = itemSize * sizeOf(this.#strip);
    const [rows, n] = [shape.at(-2) ?? 1, shape.at(-1)!];
    const sums = this.#finish && { pointer: this.#scratch.at("sums"), rowStride: n * itemSize, termStride };
    for (const [k, { list, reach, ofSquares }] of this.#terms.entries()) {
      const from = around(view, radius, shape, reach);
      const pointer = sums && sums.pointer + k * termStride;
      const to = pointer === undefined ? out : { pointer, shape, strides: denseStrides(shape, float) };
      if (ofSquares) this.#passes(list, this.#squares(from), to, this.#ofSums);
      else this.#passes(list, from, to, this.#ofSamples);
    }
    if (!this.#finish || !sums) return;
    const centre = around(view, radius, shape, radius.map(() => 0));
    this.#finish(sums, rowsAt(out), rowsAt(centre), rows, n);
  }

  /** One product of a strip: from its samples with their halo to its sums. */
  #passes(list: readonly Pass[], from: PlacedSamples, to: PlacedSamples, first: Weigh): void {
    const between = (n: number) => this.#scratch.at(betweenPasses(n));
    let [source, weigh] = [from, first];
    for (const [n, { d, weights }] of list.entries()) {
      const next = list[n + 1];
      if (next && n === list.length - 2 && weigh.plane && isPlane(list[n]!, next, to.shape)) {
        return plane(weigh.plane, source, to, weights, next.weights, between(n));
      }
      const shape = source.shape.with(d, to.shape[d]!);
      const strides = denseStrides(shape, this.#what.float);
      const target = n === list.length - 1 ? to : { pointer: between(n), shape, strides };
      along(weigh.along, source, target, d, weights);
      [source, weigh] = [target, this.#ofSums];
    }
  }

  /** Squares of samples. */
  #squares(from: PlacedSamples): PlacedSamples {
    const { shape } = from;
    const to = {
      pointer: this.#scratch.at("squares"),
      shape,
      strides: denseStrides(shape, this.#what.float),
    };
    eachLine(from, to, (data, out, n) => this.#square(out, data, n));
    return to;
  }
}

/** The function that computes tiles; called once per worker. */
export function separableWork(
  what: Separable,
  kernels: Kernels,
  scratch: Places<SeparableScratch>,
  finish?: Finish,
): TileWork {
  const strips = new Strips(what, kernels, scratch, finish);
  return (view, out) => strips.tile(view, out);
}

/** The part of a view with a halo of `radius` that has a halo of `reach` around `shape` samples. */
function around(
  { pointer, strides }: PlacedSamples,
  radius: Shape,
  shape: Shape,
  reach: Shape,
): PlacedSamples {
  const skipped = strides.reduce((sum, stride, d) => sum + (radius[d]! - reach[d]!) * stride, 0);
  return { pointer: pointer + skipped, shape: shape.map((n, d) => n + 2 * reach[d]!), strides };
}

/** The kernels for samples of a type. */
function weighs(kernels: Kernels, dtype: DType, float: Float): Weigh {
  if (float === "float64") return { along: kernel(kernels, "weigh_f64", dtype), plane: undefined };
  return { along: kernel(kernels, "weigh_f32", dtype), plane: kernel(kernels, "weigh_plane", dtype) };
}

export function rowsAt({ pointer, strides }: PlacedSamples): RowsAt {
  return { pointer, rowStride: strides.at(-2) ?? 0 };
}

/** One pass: from lines with a halo along dimension `d` to lines without it. */
function along(
  weigh: Weigh["along"],
  from: PlacedSamples,
  to: PlacedSamples,
  d: number,
  weights: Placed,
): void {
  const { pointer, count, fold } = weights, step = from.strides[d]!;
  eachPlane(from, to, (data, rowStride, out, outStride, rows, n) => {
    weigh(out, outStride, data, rowStride, rows, n, step, pointer, count, fold);
  });
}

/** Whether two passes are one of `weigh_plane`: down columns, then across rows, with symmetric weights. */
function isPlane(down: Pass, across: Pass, shape: Shape): boolean {
  const { length } = shape;
  if (down.d !== length - 2 || across.d !== length - 1) return false;
  if (down.weights.fold !== 1 || across.weights.fold !== 1) return false;
  return shape[length - 2]! >= ROW_STEP && shape[length - 1]! >= ROW_STEP;
}

/** Two passes: down columns, then across rows; four rows of what is between them lie at `between`. */
function plane(
  weigh: KernelFamilies["weigh_plane"],
  from: PlacedSamples,
  to: PlacedSamples,
  down: Placed,
  across: Placed,
  between: number,
): void {
  eachPlane(from, to, (data, rowStride, out, outStride, rows, n) => {
    const weights = [down.pointer, down.count, across.pointer, across.count] as const;
    weigh(out, outStride, data, rowStride, rows, n, ...weights, between);
  });
}

/** A product, ready to be computed. */
interface PlacedTerm {
  readonly list: readonly Pass[];
  readonly reach: Shape;
  readonly ofSquares: boolean;
}

/** Writes all weights to memory. */
function placedTerms({ terms, float }: Separable, { memory }: Kernels, pointer: number): PlacedTerm[] {
  const { itemSize } = dtypeInfo(float);
  let next = pointer;
  return terms.map(({ product, ofSquares = false }) => {
    const list = passesFor(product).map((d): Pass => {
      const one = folded(product[d]!);
      const at = next;
      typedArray(float, memory.buffer, at, one.weights.length).set(one.weights);
      next += one.weights.length * itemSize;
      return { d, weights: { ...one, pointer: at } };
    });
    return { list, reach: product.map(reachOf), ofSquares };
  });
}
