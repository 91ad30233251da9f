/**
 * Runs the kernel of an expression on tiles.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { isCounted } from "../../../expr/assembly/segments.ts";
import { compileAnalysis } from "../../../expr/compile.ts";
import type { Analysis } from "../../../expr/language/analysis.ts";
import {
  type ExpressionCall,
  type ExpressionKernel,
  isLaned,
  lanesBytes,
} from "../../../expr/program/call.ts";
import { FLOATS } from "../../../expr/program/precision.ts";
import type { Program } from "../../../expr/program/program.ts";
import type { ValueRule } from "../../../space/axes.ts";
import { ravel } from "../../../space/shape.ts";
import type { Buffers, BufferTypes } from "../../interface/buffer_types.ts";
import type { RawSamples, Tile } from "../../interface/tile.ts";
import type { BufferSpec, ScratchSpecs, UdfContext, UdfMeta } from "../../interface/udf.ts";

/** The parts of the UDF of an expression besides its buffers. */
export interface ExpressionParts {
  /** The lanes of sums. */
  readonly scratch: { readonly lanes: "float64" };
  /** The lanes of frames whose rows come in parts, by position. */
  readonly taskData: Map<number, Float64Array>;
}

/** Room for the lanes of sums. */
export function laneScratch(program: Program): ScratchSpecs<ExpressionParts> {
  return { lanes: { dtype: "float64", length: Math.max(8, lanesBytes(program) / 8) } };
}

/** The kernels of one UDF, compiled when a tile needs them. */
export class ExpressionTiles {
  readonly #kernels = new WeakMap<WebAssembly.Memory, Map<string, ExpressionKernel>>();
  readonly #params: Readonly<Record<string, number>>;

  /** Kernels for checked expressions and these parameters. */
  constructor(private readonly analysis: Analysis, params: Readonly<Record<string, number>>) {
    const wrong = Object.keys(params).find((name) => typeof params[name] !== "number");
    if (wrong !== undefined) {
      throw new TilewiseError(
        "invalid",
        `Cannot use the parameter "${wrong}" of an expression: it is not a number`,
        { option: `params.${wrong}` },
      );
    }
    this.#params = params;
  }

  /** Reduces or maps the samples of a tile. */
  process(
    tile: Tile,
    buffers: Buffers,
    context: UdfContext<BufferTypes, ExpressionParts>,
    { program, slots }: { program: Program; slots: Slots },
  ): void {
    const { meta, constants, scratch } = context;
    const { raw, box } = tile;
    const start = ravel(box.origin, meta.sigShape);
    const width = meta.sigShape.at(-1) ?? 1;
    const { bytes } = FLOATS[program.precision];
    const counter = buffers[slots.frames];
    if (counter && start === 0) counter[0] = Number(counter[0]) + tile.frames;
    const call: ExpressionCall = {
      data: raw.pointer,
      frames: tile.frames,
      frameStride: raw.frameStride,
      start,
      count: tile.pixels,
      width,
      frame: tile.positions[0]!,
      lanes: scratch.lanes.byteOffset,
      arrays: program.arrays.map((name) => constants[name]!.byteOffset),
      params: program.params.map((name) => this.#params[name]!),
      outputs: [
        ...slots.reductions.map((name, r) => ({
          pointer: buffers[name]!.byteOffset,
          stride: program.reductions[r]!.axis === "frame" ? 8 : 0,
        })),
        ...slots.maps.map((name) => ({
          pointer: buffers[name]!.byteOffset + start * bytes,
          stride: meta.pixels * bytes,
        })),
      ],
    };
    const kernel = this.#kernel(raw, program, context);
    const sample = { dtype: raw.dtype, byteOrder: raw.byteOrder };
    const cutsRows = (start % width !== 0 || tile.pixels % width !== 0) &&
      program.reductions.some((reduction) => isLaned(reduction, sample));
    if (cutsRows) this.#partsOfRows(call, tile, kernel, context);
    else if (program.graph.values.some(({ name }) => name === "frame")) {
      for (let f = 0; f < tile.frames; f++) kernel(frameOf(call, f, tile));
    } else kernel(call);
  }

  /** Rows come in parts: the lanes of every frame are kept until its next part. */
  #partsOfRows(
    call: ExpressionCall,
    tile: Tile,
    kernel: ExpressionKernel,
    { scratch, taskData: unfinished }: UdfContext<BufferTypes, ExpressionParts>,
  ): void {
    const { lanes } = scratch;
    for (let f = 0; f < tile.frames; f++) {
      const position = tile.positions[f]!;
      const before = unfinished.get(position);
      if (before) lanes.set(before);
      else lanes.fill(0);
      kernel(frameOf(call, f, tile));
      if ((call.start + call.count) % call.width === 0) unfinished.delete(position);
      else unfinished.set(position, lanes.slice());
    }
    lanes.fill(0);
  }

  #kernel(
    { dtype, byteOrder }: RawSamples,
    { precision }: Program,
    { kernels }: UdfContext,
  ): ExpressionKernel {
    const known = this.#kernels.get(kernels.memory) ?? new Map<string, ExpressionKernel>();
    this.#kernels.set(kernels.memory, known);
    const key = `${dtype} ${byteOrder}`;
    let found = known.get(key);
    if (!found) {
      found = compileAnalysis(this.analysis, { dtype, byteOrder, precision }).bind(kernels.memory);
      known.set(key, found);
    }
    return found;
  }
}

/** The call for frame `f` only. */
function frameOf(call: ExpressionCall, f: number, { positions }: Tile): ExpressionCall {
  return {
    ...call,
    data: call.data + f * call.frameStride,
    frames: 1,
    frame: positions[f]!,
    outputs: call.outputs.map(({ pointer, stride }) => ({ pointer: pointer + f * stride, stride })),
  };
}

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
  program.reductions.forEach(({ axis, how }, r) => {
    const name = slots.reductions[r]!;
    const reduced = buffers[name] ??
      { kind: axis === "frame" ? "nav" : "sig", dtype: "float64", use: "private" };
    buffers[name] = how === "min" || how === "max" ? { ...reduced, merge: how } : reduced;
  });
  if (needsFrames(program)) buffers[slots.frames] = { kind: "single", dtype: "float64", use: "private" };
  return buffers;
}

/** Whether some result is a mean over frames. */
function needsFrames({ results }: Program): boolean {
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
