/**
 * The buffers of an expression: one per result, and private ones for reductions that formulas combine.
 *
 * @module
 */

import { isCounted } from "../../../expr/assembly/accumulators.ts";
import type { Program } from "../../../expr/program/program.ts";
import type { ValueRule } from "../../../space/axes.ts";
import type { BufferSpec, UdfMeta } from "../../interface/udf.ts";

/** Names of the buffers that kernels write to. */
export interface Slots {
  /** Per reduction: the buffer that it writes to. */
  readonly reductions: readonly string[];
  /** Per map: the buffer that it writes to. */
  readonly maps: readonly string[];
  /** The number of frames so far, if a result needs it. */
  readonly frames: string;
}

/** A reduction or map that is a result by itself writes directly to the buffer of that result. */
export function slotsOf({ reductions, maps, results }: Program): Slots {
  const sourceOf = (index: number, sample: boolean) =>
    results.find(({ source, shape }) => source === index && (shape === "sample") === sample)?.name;
  return {
    reductions: reductions.map((_, r) => sourceOf(r, false) ?? `$${r}`),
    maps: maps.map((_, m) => sourceOf(m, true)!),
    frames: "$frames",
  };
}

/** The declared buffers, whose numbers mean `values`. */
export function buffersOf(
  { program, slots }: { program: Program; slots: Slots },
  { sigShape }: UdfMeta,
  values: ValueRule,
): Record<string, BufferSpec> {
  const buffers: Record<string, BufferSpec> = {};
  for (const { name, shape } of program.results) {
    const extra = shape === "sample"
      ? { dtype: program.precision, extraShape: sigShape }
      : { dtype: "float64" as const };
    const computed = shape === "pixel" && !slots.reductions.includes(name);
    buffers[name] = {
      kind: shape === "pixel" ? "sig" : "nav",
      ...extra,
      values,
      ...(shape === "sample" ? { axes: "frame" as const } : {}),
      ...(computed ? { use: "result" } : {}),
    };
  }
  program.reductions.forEach(({ axis }, r) => {
    const name = slots.reductions[r]!;
    buffers[name] ??= { kind: axis === "frame" ? "nav" : "sig", dtype: "float64", use: "private" };
  });
  if (needsFrames(program)) buffers[slots.frames] = { kind: "single", dtype: "float64", use: "private" };
  return buffers;
}

/** Whether some result is a mean over frames. */
export function needsFrames({ results }: Program): boolean {
  return results.some(({ shape, formula }) =>
    shape === "pixel" && formula?.graph.values.some(({ name, index }) => name === "input" && index === -1)
  );
}

/** Whether sums over frames are rounded, so that the order of additions matters. */
export function isRounded({ reductions }: Program, { nativeDType }: UdfMeta): boolean {
  const sample = { dtype: nativeDType, byteOrder: "little" } as const;
  return reductions.some((reduction) =>
    reduction.axis === "frames" && reduction.how === "sum" && !isCounted(reduction, sample)
  );
}
