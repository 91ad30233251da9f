/**
 * One call of a kernel in a test: its sizes and samples, laid out in a memory with guards around everything.
 *
 * @module
 */

import { blockBytes } from "../../../memory/slab.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../../space/dtype.ts";
import { toArray } from "../random.ts";
import type { KernelSpec } from "../../kernel_udf/compiled.ts";
import { startRuled } from "../../buffers/merge_partials.ts";

/** What a kernel is called with. */
export interface KernelCase {
  /** Frames. */
  readonly frames: number;
  /** Rows of a frame. */
  readonly rows: number;
  /** Samples of a row. */
  readonly cols: number;
  /** Bytes between frames. */
  readonly gap: number;
  /** Bytes that the first sample is off an aligned address. */
  readonly skew: number;
  /** The samples: frames × rows × cols. */
  readonly data: readonly number[];
}

/** Bytes of a pattern on either side of everything. */
const GUARD = 64;
const PATTERN = 0xa5;

/** Where the parts of a case lie. */
export interface Layout {
  /** Address of the samples. */
  readonly data: number;
  /** Bytes from frame to frame. */
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
  /** How many numbers. */
  readonly length: number;
  /** Numbers that belong to one frame; 0 where they belong to all. */
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

/** Fills the memory: guards, samples, start values, arrays; scratch with `dirt`, as nothing is promised of it. */
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

/** The first byte that was written although it is no buffer and no scratch; -1 where all is well. */
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
