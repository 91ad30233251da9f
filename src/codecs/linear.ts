/**
 * Stored numbers that stand for `offset + scale · stored`, as FITS keeps unsigned integers and physical values.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../space/dtype.ts";
import { sizeOf } from "../space/shape.ts";
import { TilewiseError } from "../errors.ts";
import { checkStored, type FrameDecoder, type FramesToDecode, numberParam } from "./codec.ts";

/** Types of which a decoder exists; both of 64 bits are handled as big integers, the others as doubles. */
const ACCESS = {
  int8: {
    get: (v: DataView, at: number) => v.getInt8(at),
    set: (v: DataView, at: number, n: number) => v.setInt8(at, n),
  },
  uint8: {
    get: (v: DataView, at: number) => v.getUint8(at),
    set: (v: DataView, at: number, n: number) => v.setUint8(at, n),
  },
  int16: { get: (v: DataView, at: number) => v.getInt16(at), set: never },
  uint16: { get: never, set: (v: DataView, at: number, n: number) => v.setUint16(at, n, true) },
  int32: { get: (v: DataView, at: number) => v.getInt32(at), set: never },
  uint32: { get: never, set: (v: DataView, at: number, n: number) => v.setUint32(at, n, true) },
  int64: { get: (v: DataView, at: number) => Number(v.getBigInt64(at)), set: never },
  float32: {
    get: (v: DataView, at: number) => v.getFloat32(at),
    set: (v: DataView, at: number, n: number) => v.setFloat32(at, n, true),
  },
  float64: {
    get: (v: DataView, at: number) => v.getFloat64(at),
    set: (v: DataView, at: number, n: number) => v.setFloat64(at, n, true),
  },
};

function never(): never {
  throw new TilewiseError("corrupt", "A layout gives the codec linear a type that it does not have");
}

/**
 * Decoder of the codec `linear`; parameters: `stored`, the type of stored samples, which are big endian; `dtype`, that of
 * decoded ones; `scale` and `offset`; `blank`, a stored integer that becomes NaN, if there is one. From `int64` to `uint64`
 * the offset is 2^63 and the scale 1: exact.
 */
export const linearDecoder: FrameDecoder = {
  decode(job) {
    const [stored, dtype] = [String(job.params["stored"]), String(job.params["dtype"])];
    const samples = sizeOf(job.sigShape);
    checkStored(job, samples * dtypeInfo(stored as DType).itemSize);
    if (dtype === "uint64") return flipSign(job, samples);
    decodeNumbers(job, samples, stored, dtype);
  },
};

function decodeNumbers(job: FramesToDecode, samples: number, stored: string, dtype: string): void {
  const { memory, dst, src, frames, srcStride, params } = job;
  const { get } = accessOf(stored), { set } = accessOf(dtype);
  const [scale, offset, blank] = [numberParam(job, "scale"), numberParam(job, "offset"), params["blank"]];
  const [from, to] = [dtypeInfo(stored as DType).itemSize, dtypeInfo(dtype as DType).itemSize];
  const view = new DataView(memory.buffer);
  for (let f = 0; f < frames; f++) {
    for (let i = 0; i < samples; i++) {
      const value = get(view, src + f * srcStride + i * from);
      set(view, dst + (f * samples + i) * to, value === blank ? NaN : offset + scale * value);
    }
  }
}

function flipSign({ memory, dst, src, frames, srcStride }: FramesToDecode, samples: number): void {
  const view = new DataView(memory.buffer);
  for (let f = 0; f < frames; f++) {
    for (let i = 0; i < samples; i++) {
      const value = view.getBigInt64(src + f * srcStride + 8 * i) + 2n ** 63n;
      view.setBigUint64(dst + 8 * (f * samples + i), value, true);
    }
  }
}

function accessOf(name: string): {
  get: (view: DataView, at: number) => number;
  set: (view: DataView, at: number, value: number) => void;
} {
  return Object.hasOwn(ACCESS, name) ? ACCESS[name as keyof typeof ACCESS] : never();
}
