/**
 * Runs a frame decoder on bytes, with guard bytes around its output, for the tests of the codecs.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { FrameDecoder } from "../../src/codecs/codec.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import type { DType, TypedArray } from "../../src/space/dtype.ts";
import { dtypeInfo, typedArray } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";

await loadKernels();

const GUARD = 64;
const FILL = 0xa5;
const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true });
const kernels = instantiateKernels(memory);

/** A decoder, what it is told, and the stored frames with `gap` bytes between them. */
export interface Decoding {
  readonly stored: Uint8Array;
  readonly frames: number;
  readonly storedBytes: number;
  readonly gap?: number;
  /** Bytes by which source and target miss alignment. */
  readonly skew?: number;
  readonly sigShape: Shape;
  readonly dtype: DType;
  readonly params: Readonly<Record<string, string | number | boolean>>;
}

/** What `decoder` makes of it; fails if anything but the output was written. */
export function decode(decoder: FrameDecoder, job: Decoding): TypedArray {
  const { stored, frames, storedBytes, gap = 0, skew = 0, sigShape, dtype, params } = job;
  const bytes = new Uint8Array(memory.buffer);
  const outBytes = frames * sizeOf(sigShape) * dtypeInfo(dtype).itemSize;
  const src = GUARD + skew;
  const dst = Math.ceil((src + stored.length + GUARD) / 64) * 64 + skew;
  const end = dst + outBytes + GUARD;
  bytes.fill(FILL, 0, end);
  bytes.set(stored, src);
  decoder.decode({
    kernels,
    memory,
    dst,
    src,
    frames,
    srcStride: storedBytes + gap,
    sigShape,
    storedBytes,
    params,
  });
  const out = bytes.slice(dst, dst + outBytes);
  bytes.fill(FILL, dst, dst + outBytes);
  assertEquals(bytes.slice(src, src + stored.length), stored, "the source was written to");
  bytes.fill(FILL, src, src + stored.length);
  assertEquals(bytes.slice(0, end).findIndex((byte) => byte !== FILL), -1, "a guard byte was written to");
  return typedArray(dtype, out.buffer, 0, frames * sizeOf(sigShape));
}
