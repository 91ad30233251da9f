/**
 * The UDF that multiplies frames with masks.
 *
 * @module
 */

import { arraysOf } from "../../../space/named_arrays.ts";
import { TilewiseError } from "../../../errors.ts";
import { ravel } from "../../../space/shape.ts";
import type { KernelFamily } from "../../../kernels/families/families.ts";
import { allAtOnce, MAKING, type MakingUdf, type Steps } from "../../interface/making.ts";
import type { Udf, UdfMeta } from "../../interface/udf.ts";
import { clipped, type MadeMasks, makeMasks, type MaskUdfInit, partWith } from "./made.ts";
import type { MaskDType, MaskOptions } from "./options.ts";
import { isSmall, multiply } from "./multiply.ts";
import { multiplyCsr, multiplySparse, SPARSE_SCRATCH, takesCsr } from "./sparse.ts";

/** The families for 16-bit samples with weights that are 0 or 1. */
const EXACT_KERNELS: readonly KernelFamily[] = ["dot_i16", "dot_sparse"];

/** The families for all samples and weights. */
const ALL_KERNELS: readonly KernelFamily[] = ["dot_i16", "dot_f32", "dot_f64", "dot_sparse"];

/** The dtypes of the buffers of a mask UDF; `sums` only if the result has another dtype. */
export type MaskTypes = {
  readonly intensity: MaskDType;
  readonly sums?: "float64" | "complex128";
};

/** The parts of a mask UDF besides its buffers. */
export interface MaskParts {
  readonly aux: { readonly shifts?: "int32" };
}

/** A UDF that multiplies frames with masks. */
export function maskUdf(init: MaskUdfInit): Udf<MaskTypes, MaskParts> & MakingUdf {
  const { name, masks, options: { shifts, dtype } = {}, single, makers } = init;
  const { shifting } = makers;
  const moving = shifts && shifting?.byFrame(shifts) ? shifts : undefined;
  let made: MadeMasks | undefined; // so that masks are made only once
  const make = function* (meta: UdfMeta): Steps<MadeMasks> {
    return made = yield* makeMasks(init, meta);
  };
  const madeFor = (meta: UdfMeta) => made?.meta === meta ? made : allAtOnce(make(meta));
  const factsFor = (meta: UdfMeta) => madeFor(meta).facts;
  const least = (meta: UdfMeta) => {
    if (made?.meta === meta) return made.facts.choice.bytes;
    const known = makers.least(masks(meta), meta.sigShape);
    return known.bytes + 4 * known.masks * meta.frames; // their buffers are known once they have been made
  };
  return {
    name,
    buffers: (meta) => {
      const { masks, complex } = factsFor(meta);
      const kept = complex ? "complex128" : "float64";
      const entry = {
        kind: "nav",
        extraShape: single ? [] : [masks],
        values: "sums",
        ...(single ? {} : { axes: [{ name: "mask" }] }),
      } as const;
      const result = resultDType(dtype, complex);
      if (result === kept) return { intensity: { ...entry, dtype: kept } };
      const sums = { ...entry, dtype: kept, use: "private" } as const;
      return { sums, intensity: { ...entry, dtype: result, use: "result" } };
    },
    inputDType: "native",
    raw: "kernels",
    kernels: ({ nativeDType }) => makers.binary && isSmall(nativeDType) ? EXACT_KERNELS : ALL_KERNELS,
    backends: (data) => moving || !takesCsr(data) ? ["dense"] : ["dense", "csr"],
    explain: (meta) => factsFor(meta).choice.why,
    scratch: () => SPARSE_SCRATCH,
    tiling: moving ? {} : { contiguous: true }, // moving masks need whole frames
    method: () => moving ? "frame" : "tile",
    pixels: (meta) => moving ? undefined : partWith(factsFor(meta).extent, meta),
    leastBytes: least,
    *[MAKING](meta) {
      yield* make(meta);
    },
    constants: (meta) => {
      const constants = madeFor(meta).constants ?? allAtOnce(make(meta)).constants!;
      made!.constants = undefined;
      return constants;
    },
    ...(moving ? { aux: (meta) => ({ shifts: shifting!.ofFrames(moving, meta) }) } : {}),
    processTile(tile, { intensity, sums }, context) {
      const out = (sums ?? intensity).byteOffset;
      if (context.meta.backend === "csr") return multiplyCsr(tile, out, context);
      if (context.constants.starts) return multiplySparse(tile, out, context);
      const first = ravel(tile.box.origin, context.meta.sigShape);
      const { frames, rows, rowLength } = tile;
      const { extent: [from = 0, end = 0] } = arraysOf(context.constants, { extent: "int32" });
      const whole = { pixel: 0, mask: first, frames, rows, rowLength };
      const part = clipped(whole, [from, end], context.meta);
      if (part) multiply(tile, out, part, context);
    },
    processFrame(frame, { intensity, sums }, context) {
      const { sigShape } = context.meta;
      for (const { frame: pixel, mask, length } of shifting!.overlap(sigShape, context.aux.shifts!)) {
        const part = { pixel, mask, frames: 1, rows: 1, rowLength: length };
        multiply(frame, (sums ?? intensity).byteOffset, part, context);
      }
    },
    results: ({ sums }) => sums ? { intensity: Float32Array.from(sums) } : {},
  };
}

function resultDType(wanted: MaskOptions["dtype"], complex: boolean) {
  if (!complex) return wanted ?? "float64";
  if (wanted !== "float32" && wanted !== "float64") return wanted ?? "complex128";
  const text =
    `Cannot give the products of complex masks or frames as ${wanted}; complex64 and complex128 can hold them`;
  throw new TilewiseError("invalid", text, { option: "dtype", expected: "complex128", found: wanted });
}
