/**
 * Runs a kernel, or its twin, on one case.
 *
 * @module
 */

import { type DType, dtypeInfo, type TypedArray } from "../../../space/dtype.ts";
import { toArray } from "../random.ts";
import { buffersOf, fillCase, firstStray, type KernelCase, type Layout, layOut } from "./case.ts";
import type { KernelSpec } from "../../kernel_udf/compiled.ts";
import type { CompiledKernel } from "../../../user_kernels/compile.ts";
import { instantiate, type KernelFunction, shiftOf } from "../../../user_kernels/instance.ts";
import { settled } from "../../interface/guard.ts";
import type { KernelTwin, TwinCall } from "../../kernel_udf/options.ts";
import { placeOf } from "../../../user_kernels/trap.ts";

/** The outcome of a case: the buffers, or the reason why there are none. */
export interface Outcome {
  /** The buffers afterwards. */
  readonly buffers: Readonly<Record<string, TypedArray>>;
  /** How it failed, if it did. */
  readonly failure?: string;
}

/** Something that computes a case. */
export type CaseRunner = (one: KernelCase) => Outcome;

/** Statics lie before everything else. */
const STATICS_AT = 1024;

/** A runner that calls the export `name` of a module. */
export function kernelRunner(
  spec: KernelSpec,
  kernel: CompiledKernel,
  name: string,
  dirt: number,
): CaseRunner {
  const base = Math.ceil((STATICS_AT + kernel.statics) / 64) * 64;
  let memory = new WebAssembly.Memory({ initial: Math.ceil(base / 65536) + 4 });
  let call: KernelFunction | undefined;
  return (one) => {
    const layout = layOut(spec, one, base);
    if (layout.end > memory.buffer.byteLength) {
      memory = new WebAssembly.Memory({ initial: Math.ceil(layout.end / 65536) });
      call = undefined;
    }
    call ??= instantiate(kernel, name, memory, { name: spec.name, statics: STATICS_AT });
    fillCase(memory, spec, layout, one, base, dirt);
    const before = new Uint8Array(memory.buffer, base, layout.end - base).slice();
    try {
      for (const args of callsOf(spec, layout, one)) call(...args);
    } catch (error) {
      const place = placeOf(error, kernel, shiftOf(kernel, memory));
      const where = place ? ` at ${place.file}:${place.line}:${place.column}` : "";
      return { buffers: {}, failure: `it traps${where}: ${error instanceof Error ? error.message : error}` };
    }
    const after = new Uint8Array(memory.buffer, base, layout.end - base);
    const stray = firstStray(before, after, layout, base);
    if (stray < 0) return { buffers: copies(buffersOf(memory, layout)) };
    return { buffers: {}, failure: `it writes where it may not: ${placeIn(stray, layout)}` };
  };
}

/** A runner that calls a function in TypeScript. */
export function twinRunner(
  spec: KernelSpec,
  params: Readonly<Record<string, number>>,
  twin: KernelTwin,
): CaseRunner {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const call = (given: TwinCall) => settled(spec.name, "twin()", twin(given));
  return (one) => {
    const layout = layOut(spec, one, 0);
    const missing = Math.ceil((layout.end - memory.buffer.byteLength) / 65536);
    if (missing > 0) memory.grow(missing);
    fillCase(memory, spec, layout, one, 0, 0);
    const buffers = buffersOf(memory, layout);
    const { frames, rows, cols, data } = one;
    const base = { rows, cols, arrays: spec.arrays, params };
    const samples = (from: number, to: number) => toArray(spec.input as DType, data.slice(from, to));
    if (spec.call === "tile") call({ ...base, data: samples(0, data.length), frames, buffers });
    else {
      const pixels = rows * cols;
      for (let f = 0; f < frames; f++) {
        const own = Object.entries(buffers).map(([name, buffer]) => {
          const { perFrame } = layout.blocks.get(name)!;
          const part = perFrame === 0 ? buffer : buffer.subarray(f * perFrame, (f + 1) * perFrame);
          return [name, part] as const;
        });
        call({
          ...base,
          data: samples(f * pixels, (f + 1) * pixels),
          frames: 1,
          buffers: Object.fromEntries(own),
        });
      }
    }
    return { buffers: copies(buffers) };
  };
}

/** The arguments: one call for a tile kernel, one call per frame for a frame kernel. */
function callsOf(
  spec: KernelSpec,
  { data, stride, blocks }: Layout,
  { frames, rows, cols }: KernelCase,
): number[][] {
  const pointers = (f: number) =>
    [...blocks.values()].map(({ offset, perFrame, dtype }) =>
      offset + f * perFrame * dtypeInfo(dtype).itemSize
    );
  if (spec.call === "tile") return [[data, frames, stride, rows, cols, ...pointers(0), ...spec.params]];
  return Array.from(
    { length: frames },
    (_, f) => [data + f * stride, rows, cols, ...pointers(f), ...spec.params],
  );
}

function copies(buffers: Readonly<Record<string, TypedArray>>): Record<string, TypedArray> {
  return Object.fromEntries(
    Object.entries(buffers).map(([name, buffer]) => [name, buffer.slice()]),
  );
}

function placeIn(address: number, { data, blocks }: Layout): string {
  const near = [...blocks].filter(([, { offset }]) => offset <= address).at(-1);
  return near
    ? `${address - near[1].offset} bytes after the start of "${near[0]}"`
    : `${address - data} bytes into the samples`;
}
