/**
 * Where the result buffers of a run lie: one set a partition in flight, cut from one piece of memory.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { blockBytes } from "../memory/slab.ts";
import { type DType, type TypedArray, typedArray } from "../space/dtype.ts";
import { sizeOf } from "../space/shape.ts";
import type { Buffers, BufferSpec, Udf, UdfMeta } from "./udf.ts";

/** One buffer of one UDF, as plain data. */
export interface BufferPlan {
  /** Its name. */
  readonly name: string;
  /** What one entry belongs to. */
  readonly kind: "nav" | "sig" | "single";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Numbers an entry. */
  readonly entry: number;
  /** Shape of one entry; empty for a number. */
  readonly extraShape: readonly number[];
  /** Whether it belongs to the results. */
  readonly visible: boolean;
  /** One row a selected frame in the result. */
  readonly compressed: boolean;
  /** Bytes from the start of the set; undefined for buffers that only `results` fills. */
  readonly offset?: number;
}

/** The buffers of all UDFs of a run. */
export interface SetPlan {
  /** Per UDF. */
  readonly udfs: readonly (readonly BufferPlan[])[];
  /** Frames that the nav buffers of a set have room for. */
  readonly frames: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
  /** Bytes of one set. */
  readonly bytes: number;
}

/** The declared buffers of a UDF, checked. */
export function declaredBuffers(udf: Udf, meta: UdfMeta): [string, BufferSpec][] {
  const declared = typeof udf.buffers === "function" ? udf.buffers(meta) : udf.buffers;
  const entries = Object.entries(declared);
  for (const [name, spec] of entries) checkBuffer(udf, name, spec);
  return entries;
}

function checkBuffer(udf: Udf, name: string, spec: BufferSpec): void {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) {
    throw new TilewiseError("udf", `UDF "${udf.name}": buffer name "${name}" is no identifier`, {
      udf: udf.name,
    });
  }
  if (!["nav", "sig", "single"].includes(spec.kind)) {
    const text = `UDF "${udf.name}": buffer "${name}" has kind "${spec.kind}"; it can be nav, sig or single`;
    throw new TilewiseError("udf", text, { udf: udf.name });
  }
  if (spec.use === "result" && !udf.results) {
    const text = `UDF "${udf.name}": buffer "${name}" is for results only, but the UDF has no results()`;
    throw new TilewiseError("udf", text, { udf: udf.name });
  }
  if (spec.kind !== "nav" && spec.use !== "result" && !udf.merge) {
    const text = `UDF "${udf.name}": buffer "${name}" is a ${spec.kind} buffer; only nav buffers merge by ` +
      `themselves, so implement merge()`;
    throw new TilewiseError("udf", text, { udf: udf.name });
  }
}

/** Places the buffers of all UDFs one after another. */
export function planBuffers(
  udfs: readonly { udf: Udf; meta: UdfMeta }[],
  frames: number,
  pixels: number,
): SetPlan {
  let bytes = 0;
  const place = ([name, spec]: [string, BufferSpec]): BufferPlan => {
    const { kind, dtype = "float32", extraShape = [], use } = spec;
    const entry = sizeOf(extraShape);
    const plan = {
      name,
      kind,
      dtype,
      entry,
      extraShape,
      visible: use !== "private",
      compressed: !!spec.compressed,
    };
    if (use === "result") return plan;
    const offset = bytes;
    bytes += blockBytes(dtype, entry * { nav: frames, sig: pixels, single: 1 }[kind]);
    return { ...plan, offset };
  };
  const plans = udfs.map(({ udf, meta }) => declaredBuffers(udf, meta).map(place));
  return { udfs: plans, frames, pixels, bytes };
}

/** The buffers of the set at address `base`, with nav buffers of `frames` rows. */
export function openSet(plan: SetPlan, memory: WebAssembly.Memory, base: number, frames: number): Buffers[] {
  const rows = { nav: frames, sig: plan.pixels, single: 1 };
  return plan.udfs.map((buffers) => {
    const open: Record<string, TypedArray> = {};
    for (const { name, kind, dtype, entry, offset } of buffers) {
      if (offset === undefined) continue;
      open[name] = typedArray(dtype, memory.buffer, base + offset, entry * rows[kind]);
    }
    return open;
  });
}

/** What one call of a UDF may see: rows of nav buffers and pixels of sig buffers. */
export interface Window {
  /** First row of the nav buffers. */
  readonly frame: number;
  /** Rows of the nav buffers. */
  readonly frames: number;
  /** First pixel of the sig buffers. */
  readonly pixel: number;
  /** Pixels of the sig buffers. */
  readonly pixels: number;
}

/** The parts of `buffers` inside `window`. */
export function viewBuffers(plans: readonly BufferPlan[], buffers: Buffers, window: Window): Buffers {
  const views: Record<string, TypedArray> = {};
  for (const { name, kind, entry, dtype } of plans) {
    const whole = buffers[name];
    if (!whole) continue;
    const unit = dtype.startsWith("complex") ? 2 * entry : entry;
    views[name] = kind === "single" ? whole : part(
      whole,
      unit,
      kind === "nav" ? window.frame : window.pixel,
      kind === "nav" ? window.frames : window.pixels,
    );
  }
  return views;
}

function part(whole: TypedArray, entry: number, start: number, count: number): TypedArray {
  return whole.subarray(start * entry, (start + count) * entry) as TypedArray;
}
