/**
 * Stored numbers that stand for `offset + scale · stored`, as FITS keeps unsigned integers and physical values.
 *
 * @module
 */

import { numberReader } from "../memory/sample_reader.ts";
import { type DType, dtypeInfo } from "../space/dtype.ts";
import { sizeOf } from "../space/shape.ts";
import { TilewiseError } from "../errors.ts";
import { checkStored, type FrameDecoder, type FramesToDecode, numberParam } from "./codec.ts";

/** How decoded numbers are written; both types of 64 bits are handled as big integers. */
const WRITE: Readonly<Record<string, (view: DataView, at: number, value: number) => void>> = {
  int8: (view, at, n) => view.setInt8(at, n),
  uint8: (view, at, n) => view.setUint8(at, n),
  uint16: (view, at, n) => view.setUint16(at, n, true),
  uint32: (view, at, n) => view.setUint32(at, n, true),
  float32: (view, at, n) => view.setFloat32(at, n, true),
  float64: (view, at, n) => view.setFloat64(at, n, true),
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
  const get = numberReader(stored) ?? never(), set = WRITE[dtype] ?? never();
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
