/**
 * One call of a kernel in a test: its sizes and samples, placed in a memory with guards around everything.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { blockBytes } from "../../../memory/slab.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../../space/dtype.ts";
import type { CompiledKernel } from "../../../user_kernels/compile.ts";
import { instantiate, type KernelFunction, placeOf, shiftOf } from "../../../user_kernels/instance.ts";
import { startRuled } from "../../buffers/merge_partials.ts";
import { settled } from "../../interface/guard.ts";
import type { KernelSpec } from "../../kernel_udf/compiled.ts";
import type { KernelTwin, TwinCall } from "../../kernel_udf/options.ts";
import { toArray } from "../random.ts";

/** The sizes and samples with which a kernel is called. */
export interface KernelCase {
  /** Number of frames. */
  readonly frames: number;
  /** Rows per frame. */
  readonly rows: number;
  /** Samples per row. */
  readonly cols: number;
  /** Bytes between frames. */
  readonly gap: number;
  /** Offset of the first sample from an aligned address, in bytes. */
  readonly skew: number;
  /** The samples: frames × rows × cols. */
  readonly data: readonly number[];
}

/** Bytes of a pattern before and after every array. */
const GUARD = 64;
const PATTERN = 0xa5;

/** The places of the parts of a case. */
interface Layout {
  /** Address of the samples. */
  readonly data: number;
  /** Bytes from one frame to the next. */
  readonly stride: number;
  /** Addresses and lengths of buffers, arrays and scratch, by name. */
  readonly blocks: ReadonlyMap<string, Block>;
  /** The byte after the last guard. */
  readonly end: number;
}

/** One array of a case. */
export interface Block {
  /** What it is. */
  readonly role: "buffer" | "array" | "scratch";
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Its address. */
  readonly offset: number;
  /** Number of its entries. */
  readonly length: number;
  /** Numbers that belong to one frame; 0 if they belong to all frames. */
  readonly perFrame: number;
}

/** Places everything from address `base` on. */
function layOut(
  spec: KernelSpec,
  { frames, rows, cols, gap, skew }: KernelCase,
  base: number,
): Layout {
  const { itemSize } = dtypeInfo(spec.input as DType);
  const pixels = rows * cols;
  const stride = pixels * itemSize + gap;
  const data = base + GUARD + skew;
  let end = Math.ceil((data + frames * stride) / GUARD) * GUARD + GUARD;
  const blocks = new Map<string, Block>();
  const add = (name: string, role: Block["role"], dtype: DType, length: number, perFrame = 0) => {
    blocks.set(name, { role, dtype, offset: end, length, perFrame });
    end += blockBytes(dtype, length) + GUARD;
  };
  for (const [name, { kind, dtype = "float32", extraShape = [] }] of Object.entries(spec.buffers)) {
    const entry = extraShape.reduce((product, size) => product * size, 1);
    add(
      name,
      "buffer",
      dtype,
      entry * { nav: frames, sig: pixels, single: 1 }[kind],
      kind === "nav" ? entry : 0,
    );
  }
  for (const [name, array] of Object.entries(spec.arrays)) add(name, "array", "uint8", array.byteLength);
  for (const [name, { dtype, length = 0, perPixel = 0 }] of Object.entries(spec.scratch)) {
    add(name, "scratch", dtype, length + perPixel * pixels);
  }
  return { data, stride, blocks, end };
}

/** Fills the memory: guards, samples, start values, arrays; scratch with `dirt`, as its contents are undefined. */
function fillCase(
  memory: WebAssembly.Memory,
  spec: KernelSpec,
  layout: Layout,
  { frames, rows, cols, data }: KernelCase,
  base: number,
  dirt: number,
): void {
  new Uint8Array(memory.buffer, base, layout.end - base).fill(PATTERN);
  const pixels = rows * cols;
  for (let f = 0; f < frames; f++) {
    const frame = toArray(spec.input as DType, data.slice(f * pixels, (f + 1) * pixels));
    copyTo(memory, layout.data + f * layout.stride, frame);
  }
  for (const [name, { role, offset, dtype, length }] of layout.blocks) {
    if (role === "array") copyTo(memory, offset, spec.arrays[name]!);
    else {
      const bytes = length * dtypeInfo(dtype).itemSize;
      new Uint8Array(memory.buffer, offset, bytes).fill(role === "scratch" ? dirt : 0);
    }
  }
  const plans = Object.entries(spec.buffers).map(([name, { dtype = "float32", merge }]) => ({
    name,
    dtype,
    ...defined({ merge }),
  }));
  startRuled(plans, buffersOf(memory, layout));
}

/** The buffers of a case as typed arrays. */
function buffersOf(memory: WebAssembly.Memory, { blocks }: Layout): Record<string, TypedArray> {
  const open = [...blocks].filter(([, { role }]) => role === "buffer").map((
    [name, { dtype, offset, length }],
  ) => [name, typedArray(dtype, memory.buffer, offset, length)] as const);
  return Object.fromEntries(open);
}

/** The first byte that was written outside of buffers and scratch; -1 if there is none. */
function firstStray(before: Uint8Array, after: Uint8Array, { blocks }: Layout, base: number): number {
  const own = [...blocks.values()].filter(({ role }) => role !== "array");
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const at = base + i;
    const units = (block: Block) => block.length * dtypeInfo(block.dtype).itemSize;
    if (!own.some((block) => at >= block.offset && at < block.offset + units(block))) return at;
  }
  return -1;
}

function copyTo(memory: WebAssembly.Memory, at: number, array: TypedArray): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
}

// Runs a kernel, or its twin, on one case.

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
