/**
 * The places of the result buffers of a run: one set per partition in flight, cut from one range of memory.
 *
 * @module
 */

import { type FencedRange, fencing } from "../../memory/fencing.ts";
import { blockBytes } from "../../memory/slab.ts";
import { type DType, type TypedArray, typedArray, unitsOf } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { sizeOf } from "../../space/shape.ts";
import type { NumberRule } from "../../space/numbers.ts";
import type { BufferPlan, ObjectPlan, SetPlan, Window } from "../interface/buffer_plan.ts";
import type { Buffers } from "../interface/buffer_types.ts";
import { declaredEntries } from "./declarations.ts";
import { guarded, userRules } from "../interface/guard.ts";
import type { BufferSpec, Udf, UdfMeta } from "../interface/udf.ts";

/** The declared buffers of a UDF, checked. */
export function declaredBuffers(udf: Udf, meta: UdfMeta): [string, BufferSpec][] {
  const { buffers } = udf;
  const declared = typeof buffers === "function"
    ? guarded(udf.name, "buffers()", () => buffers(meta))
    : buffers;
  const entries = declaredEntries(udf, "buffers", declared);
  for (const [name, spec] of entries) userRules()?.checkBuffer(udf, name, spec);
  return entries;
}

/** Places the buffers of all UDFs one after another. */
export function planBuffers(
  udfs: readonly { udf: Udf; meta: UdfMeta }[],
  frames: number,
  pixels: number,
): SetPlan {
  let bytes = 0;
  const place = (name: string, spec: BufferSpec, dtype: DType): BufferPlan => {
    const plan = {
      ...shapeOf(name, spec),
      dtype,
      ...(spec.merge ? { merge: spec.merge as NumberRule } : {}),
    };
    if (spec.use === "result") return plan;
    const offset = bytes;
    bytes += blockBytes(dtype, plan.entry * { nav: frames, sig: pixels, single: 1 }[plan.kind]) +
      (fencing()?.bytes() ?? 0);
    return { ...plan, offset };
  };
  const plans: BufferPlan[][] = [];
  const objects: ObjectPlan[][] = [];
  for (const { udf, meta } of udfs) {
    const numbers: BufferPlan[] = [];
    const values: ObjectPlan[] = [];
    for (const [name, spec] of declaredBuffers(udf, meta)) {
      const { dtype = "float32" } = spec;
      if (dtype !== "object") numbers.push(place(name, spec, dtype));
      else {
        const concat = spec.merge ? { merge: "concat" as const } : {};
        values.push({ ...shapeOf(name, spec), resultOnly: spec.use === "result", ...concat });
      }
    }
    plans.push(numbers);
    objects.push(values);
  }
  return { udfs: plans, objects, frames, pixels, bytes };
}

/** Declared results that have no buffers, as they are derived from other results. */
export function resultPlans(
  declared: readonly (readonly [string, BufferSpec])[],
): { numbers: BufferPlan[]; objects: ObjectPlan[] } {
  const [numbers, objects]: [BufferPlan[], ObjectPlan[]] = [[], []];
  for (const [name, spec] of declared) {
    const { dtype = "float32" } = spec;
    if (dtype === "object") objects.push({ ...shapeOf(name, spec), resultOnly: true });
    else numbers.push({ ...shapeOf(name, spec), dtype });
  }
  return { numbers, objects };
}

/**
 * Bytes per partition of the buffers whose size does not depend on its frames: they are cleared and merged for each
 * partition.
 */
export function resultBytesOf(udfs: readonly { udf: Udf; meta: UdfMeta }[], pixels: number): number {
  return planBuffers(udfs, 0, pixels).bytes;
}

function shapeOf(name: string, { kind, extraShape = [], use, compressed = false }: BufferSpec) {
  return { name, kind, entry: sizeOf(extraShape), extraShape, visible: use !== "private", compressed };
}

/** The buffers of the set at address `base`, with nav buffers of `frames` rows. */
export function openSet(plan: SetPlan, memory: WebAssembly.Memory, base: number, frames: number): Buffers[] {
  const rows = { nav: frames, sig: plan.pixels, single: 1 };
  const sets = plan.udfs.map((buffers) => {
    const open: Record<string, TypedArray> = {};
    for (const { name, kind, dtype, entry, offset } of buffers) {
      if (offset === undefined) continue;
      open[name] = typedArray(dtype, memory.buffer, base + offset, entry * rows[kind]);
    }
    return open;
  });
  fencing()?.of(memory)?.outline(base, base + plan.bytes, sets.flatMap(fencedRangesOf));
  return sets;
}

function fencedRangesOf(buffers: Buffers): FencedRange[] {
  return Object.entries(buffers).map(([label, { byteOffset: pointer, byteLength: bytes }]) => {
    return { pointer, bytes, label };
  });
}

/** The parts of `buffers` inside `window`. */
export function viewBuffers(plans: readonly BufferPlan[], buffers: Buffers, window: Window): Buffers {
  const views: Record<string, TypedArray> = {};
  for (const { name, kind, entry, dtype } of plans) {
    const whole = buffers[name];
    if (!whole) continue;
    const unit = entry * unitsOf(dtype);
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
  return whole.subarray(start * entry, (start + count) * entry);
}

/** Copies the entries of `from` to `rows` of `to`; rows ascend. */
export function copyRows(
  { entry, dtype }: Pick<BufferPlan, "entry" | "dtype">,
  to: TypedArray,
  from: TypedArray,
  rows: Uint32Array,
): void {
  const unit = entry * unitsOf(dtype);
  const contiguous = rows.length > 0 && rows.at(-1)! - rows[0]! === rows.length - 1;
  if (contiguous) copyNumbers(to, from, rows[0]! * unit);
  else rows.forEach((row, i) => copyNumbers(to, from.subarray(i * unit, (i + 1) * unit), row * unit));
}

/** The same for values of object buffers. */
export function copyValues<T>(entry: number, to: T[], from: readonly T[], rows: Uint32Array): void {
  rows.forEach((row, i) => {
    for (let e = 0; e < entry; e++) to[row * entry + e] = from[i * entry + e]!;
  });
}
