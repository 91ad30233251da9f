/**
 * Fourier coefficients along rings: the symmetry around the beam (how many-fold it is), and its orientation.
 *
 * If the centre allows it, frames are folded first (`radial/orbits.ts`), so that each mask is multiplied with a quarter
 * of the pixels; a ring uses only its own pixels. For each piece: fold it for some frames, then multiply with the
 * weights of all orders while both are in the caches. The order of additions depends only on the bins.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { mustBeReal } from "./runs.ts";
import { hasKernel } from "../../kernels/exists.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { GEOMETRY } from "../../masks/geometry.ts";
import { type RadialLayout, radialLayout } from "../../masks/radial_bins.ts";
import { checkOrder } from "../../masks/radial_fourier.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { truth } from "../../options/rules.ts";
import type { ValueRule } from "../../space/axes.ts";
import { type Box, box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { ravel, type Shape, showShape } from "../../space/shape.ts";
import {
  coefficientsOf,
  GAP,
  leastRadialBytes,
  PIECE,
  PIECE_FIELDS,
  radialChannels,
  type RadialTables,
  radialTables,
} from "./radial/pieces.ts";
import { allAtOnce, MAKING, type MakingUdf, type Steps } from "../interface/making.ts";
import type { Tile } from "../interface/tile.ts";
import type { BufferSpecs, Udf, UdfContext, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Parameters of {@link radialFourier}; lengths in pixels.
 * @category Analyses
 */
export interface RadialFourierOptions {
  /** Row of the centre. Default: half the height. */
  readonly cy?: number;
  /** Column of the centre. Default: half the width. Centres on pixels or half-way between them are four times as fast. */
  readonly cx?: number;
  /** Inner radius. Default 0. */
  readonly ri?: number;
  /** Outer radius. Default: one that covers the frame. */
  readonly ro?: number;
  /** Number of rings. Default 1. */
  readonly bins?: number;
  /** Highest order. Default 24. */
  readonly maxOrder?: number;
  /** Whether the results include `absolute`, `phase` and `normalised`. Default true. */
  readonly channels?: boolean;
}

/** The names of the options. */
// deno-fmt-ignore: written by `deno task build`
const RADIAL_OPTIONS: OptionNames<RadialFourierOptions> = {
  cy: GEOMETRY.cy, cx: GEOMETRY.cx, ri: GEOMETRY.ri, ro: GEOMETRY.ro, bins: GEOMETRY.bins,
  maxOrder: GEOMETRY.maxOrder, channels: truth,
};

/**
 * Fourier coefficients of every frame along rings, `Σ weight · I · exp(i·o·φ)`, for the orders 0 … `maxOrder`. The
 * rings are those of `masks.radialBins`, φ is the angle of `masks.polarMap`. Results over the scan: `intensity` (…scan,
 * bins, orders) complex128; of the same shape, float32: `absolute`, `phase` in radians and `normalised` (absolute
 * divided by that of order 0, or by 1 if that is less); `dominant` (…scan, bins) uint16, the strongest order from 1 on,
 * or 0 if all are below a fifth of the strongest one of the ring anywhere in the scan.
 *
 * @param options centre, radii, number of bins, and the largest order
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example A cross has fourfold order
 * ```ts
 * import { open, plan, radialFourier, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const cross = Uint8Array.of(0, 9, 0, 9, 0, 9, 0, 9, 0);
 * const scan = await open(cross, { format: "raw", dtype: "uint8", nav: [1], sig: [3, 3] });
 * const { order } = await run(await plan(scan, { order: radialFourier({ cy: 1, cx: 1, maxOrder: 5 }) }));
 * assertEquals([...order.dominant.data], [4]);
 * ```
 * @category Analyses
 */
export function radialFourier(options: RadialFourierOptions = {}): UdfRef<RadialTypes> {
  checkOptionNames("radialFourier()", options, RADIAL_OPTIONS);
  return builtin("radial_fourier", { ...options });
}

/**
 * The dtypes of the results of {@link radialFourier}; the channels only if they are wanted.
 * @category Analyses
 */
export type RadialTypes = {
  /** The coefficients of each frame, per ring and order. */
  readonly intensity: "complex128";
  /** Their magnitudes. */
  readonly absolute?: "float32";
  /** Their phases. */
  readonly phase?: "float32";
  /** Their magnitudes divided by that of order 0. */
  readonly normalised?: "float32";
  /** The order from 1 on with the greatest magnitude, per ring. */
  readonly dominant: "uint16";
};

type Types = RadialTypes & { readonly sums: "float64" };

/** The parts besides its buffers. */
interface Parts {
  readonly constants: {
    readonly runs: Int32Array;
    readonly pieces: Int32Array;
    readonly weights: Float32Array | Float64Array;
  };
  readonly scratch: { readonly planes: "float32" | "float64" };
}

/**
 * Number of frames that are folded before their products are computed: the planes of a piece of all of them fit the
 * cache.
 */
const GROUP = 32;

/** The UDF behind `radialFourier`. */
export function radialFourierUdf(options: RadialFourierOptions = {}): Udf<Types, Parts> & MakingUdf {
  checkOptionNames("radialFourier()", options, RADIAL_OPTIONS);
  const maxOrder = checkOrder(options.maxOrder ?? 24);
  const orders = maxOrder + 1;
  let made: { readonly meta: UdfMeta; readonly tables: RadialTables } | undefined;
  const make = function* (meta: UdfMeta): Steps<RadialTables> {
    const { sigShape, nativeDType } = meta;
    mustBeReal(nativeDType, "take the radial Fourier series of", "radial_fourier");
    const tables = yield* radialTables(
      sigShape,
      layoutFor(options, sigShape),
      maxOrder,
      isSingle(nativeDType),
    );
    made = { meta, tables };
    return tables;
  };
  return {
    name: "radial_fourier",
    buffers: ({ sigShape }) =>
      buffersFor(layoutFor(options, sigShape).bins, orders, options.channels ?? true),
    inputDType: "native",
    raw: "kernels",
    kernels: ["fold_f32", "fold_f64", "dot_f32", "dot_f64"],
    tiling: { contiguous: true, wholeFrames: true },
    pixels: ({ sigShape }) =>
      options.ro === undefined ? undefined : rowsWithin(layoutFor(options, sigShape), sigShape),
    leastBytes: ({ sigShape, nativeDType }) =>
      leastRadialBytes(sigShape, layoutFor(options, sigShape), maxOrder, isSingle(nativeDType)),
    *[MAKING](meta) {
      yield* make(meta);
    },
    constants: (meta) => {
      const tables = made?.meta === meta ? made.tables : allAtOnce(make(meta));
      made = undefined;
      return { ...tables };
    },
    scratch: ({ nativeDType }) => ({
      planes: { dtype: isSingle(nativeDType) ? "float32" : "float64", length: GROUP * 4 * (PIECE + GAP) },
    }),
    processTile(tile, { sums }, context) {
      const layout = layoutFor(options, context.meta.sigShape);
      const planes = coefficientsOf(layout, maxOrder).map(({ length }) => length);
      for (let first = 0; first < tile.frames; first += GROUP) {
        const stride = sums.byteLength / tile.frames;
        multiplyGroup(tile, first, sums.byteOffset + first * stride, stride, planes, context);
      }
    },
    results({ sums }, { sigShape }) {
      const layout = layoutFor(options, sigShape);
      const order = coefficientsOf(layout, maxOrder).flat();
      const intensity = new Float64Array(2 * sums.length / order.length * orders);
      const groups = sums.length / order.length;
      for (let group = 0; group < groups; group++) {
        order.forEach((coefficient, i) => {
          const at = 2 * (group * orders + coefficient.order) + coefficient.part;
          intensity[at] = sums[group * order.length + i]!;
        });
      }
      const { dominant, ...channels } = radialChannels(intensity, layout.bins, orders);
      return { intensity, dominant, ...(options.channels ?? true ? channels : {}) };
    },
  };
}

function layoutFor(options: RadialFourierOptions, sigShape: Shape): RadialLayout {
  if (sigShape.length !== 2) {
    const text = `Radial Fourier analysis needs frames of 2 dimensions; these are ${showShape(sigShape)}`;
    throw new TilewiseError("invalid", text, { udf: "radial_fourier" });
  }
  const { cy = sigShape[0]! / 2, cx = sigShape[1]! / 2, bins = 1 } = options;
  return radialLayout(sigShape, { ...options, cy, cx, bins });
}

function buffersFor(bins: number, orders: number, channels: boolean): BufferSpecs<Types> {
  const axes = [{ name: "ring" }, { name: "order" }];
  const result = <D extends DType>(dtype: D, values: ValueRule) =>
    ({ kind: "nav", dtype, extraShape: [bins, orders], use: "result", values, axes }) as const;
  const real = (values: ValueRule) => result("float32", values);
  return {
    sums: { kind: "nav", dtype: "float64", extraShape: [bins, 2 * orders - 1], use: "private" },
    intensity: result("complex128", "sums"),
    ...(channels
      ? { absolute: real("sums"), phase: real({ kind: "phase", unit: "rad" }), normalised: real("unknown") }
      : {}),
    dominant: {
      kind: "nav",
      dtype: "uint16",
      extraShape: [bins],
      use: "result",
      values: "unknown",
      axes: axes.slice(0, 1),
    },
  };
}

/** The rows that a ring reaches. */
function rowsWithin({ cy, ro }: RadialLayout, [height, width]: Shape): Box {
  const first = Math.min(height! - 1, Math.max(0, Math.floor(cy - ro - 0.5)));
  const last = Math.max(first, Math.min(height! - 1, Math.ceil(cy + ro + 0.5)));
  return box([first, 0], [last + 1 - first, width!]);
}

function isSingle(dtype: DType): boolean {
  return hasKernel("fold_f32", dtype);
}

/** The products of up to `GROUP` frames, starting at number `first`; `planes`: coefficients of each plane. */
function multiplyGroup(
  { raw, frames, box }: Tile,
  first: number,
  out: number,
  outStride: number,
  planes: readonly number[],
  { kernels, constants, scratch, meta }: UdfContext<Types, Parts>,
): void {
  const single = isSingle(raw.dtype);
  const [fold, dot]: [KernelFamily & `fold_${string}`, KernelFamily & `dot_f${string}`] = single
    ? ["fold_f32", "dot_f32"]
    : ["fold_f64", "dot_f64"];
  const foldFrames = kernel(kernels, fold, raw.dtype, raw.byteOrder);
  const multiply = kernel(kernels, dot, single ? "float32" : "float64");
  const count = Math.min(GROUP, frames - first);
  const size = single ? 4 : 8;
  const masks = planes.reduce((sum, n) => sum + n, 0);
  const data = raw.pointer + first * raw.frameStride - originOf(box, meta, raw.dtype);
  const { runs, pieces, weights } = constants;
  const folded = scratch.planes.byteOffset;
  for (let p = 0; p < pieces.length; p += PIECE_FIELDS) {
    const [bin = 0, run = 0, runCount = 0, n = 0, weight = 0] = pieces.subarray(p, p + PIECE_FIELDS);
    const pitch = size * (n + GAP);
    const stride = planes.length * pitch;
    const from = runs.byteOffset + 20 * run;
    foldFrames(folded, stride, pitch, planes.length, data, count, raw.frameStride, from, runCount);
    let to = out + 8 * bin * masks;
    let mask = weights.byteOffset + size * weight;
    planes.forEach((coefficients, plane) => {
      multiply(to, outStride, folded + plane * pitch, count, stride, mask, coefficients, pitch, 1, n);
      to += 8 * coefficients;
      mask += coefficients * pitch;
    });
  }
}

/** Bytes of a frame before the part that a tile shows. */
function originOf({ origin }: Box, { sigShape }: UdfMeta, dtype: DType): number {
  return ravel(origin, sigShape) * dtypeInfo(dtype).itemSize;
}
