/**
 * One call of a kernel in a test: its sizes and samples, placed in a memory with guards around everything.
 *
 * @module
 */

import { blockBytes } from "../../../memory/slab.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../../space/dtype.ts";
import { toArray } from "../random.ts";
import type { KernelSpec } from "../../kernel_udf/compiled.ts";
import { startRuled } from "../../buffers/merge_partials.ts";

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
export interface Layout {
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
export function layOut(
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
export function fillCase(
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
    ...(merge ? { merge } : {}),
  }));
  startRuled(plans, buffersOf(memory, layout));
}

/** The buffers of a case as typed arrays. */
export function buffersOf(memory: WebAssembly.Memory, { blocks }: Layout): Record<string, TypedArray> {
  const open = [...blocks].filter(([, { role }]) => role === "buffer").map((
    [name, { dtype, offset, length }],
  ) => [name, typedArray(dtype, memory.buffer, offset, length)] as const);
  return Object.fromEntries(open);
}

/** The first byte that was written outside of buffers and scratch; -1 if there is none. */
export function firstStray(before: Uint8Array, after: Uint8Array, { blocks }: Layout, base: number): number {
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
