/**
 * Reads all samples of a data set by following its layout byte by byte: an oracle that shares no code with the
 * reader. Also the figures that the expectations list.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { bitsReference, mibRawReference } from "../oracles/codecs.ts";
import type { FramesToDecode } from "../../src/codecs/codec.ts";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { type FrameLayout, isStoredAs } from "../../src/dataset/layout/layout.ts";
import { openSpec } from "../../src/io/open.ts";
import { readBytes } from "../../src/io/source/source.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { sizeOf } from "../../src/space/shape.ts";

/** All positions of the scan, as little-endian C-order bytes; blank positions are zero. */
export async function readAll(dataset: StoredDataset): Promise<Uint8Array> {
  const { layout, syncOffset, frames } = dataset;
  const images = await readImages(layout);
  const size = sizeOf(layout.sigShape) * dtypeInfo(layout.dtype).itemSize;
  const out = new Uint8Array(frames * size);
  for (let position = 0; position < frames; position++) {
    const image = position + syncOffset;
    if (image >= 0 && image < dataset.images) {
      out.set(images.subarray(image * size, (image + 1) * size), position * size);
    }
  }
  return out;
}

async function readImages(layout: FrameLayout): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const { source: spec, start, end, headerBytes } of layout.files) {
    await using source = await openSpec(spec);
    if (isStoredAs(layout, "scan-first")) {
      const bytes = await readBytes(source, headerBytes, (end - start) * layout.storedBytes);
      return toLittle(transposed(bytes, [...layout.storage.navShape, ...layout.sigShape], layout), layout);
    }
    const pitch = layout.frameHeaderBytes + layout.storedBytes + layout.frameFooterBytes;
    for (let image = 0; image < end - start; image++) {
      const at = headerBytes + image * pitch + layout.frameHeaderBytes;
      parts.push(decoded(await readBytes(source, at, layout.storedBytes), layout));
    }
  }
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function decoded(stored: Uint8Array, layout: FrameLayout): Uint8Array {
  const codec = isStoredAs(layout, "contiguous") && layout.storage.codec;
  if (!codec) return toLittle(stored, layout);
  const bytes = sizeOf(layout.sigShape) * dtypeInfo(layout.dtype).itemSize;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((stored.length + bytes) / 65536) });
  new Uint8Array(memory.buffer).set(stored);
  const { id, params } = codec;
  const { sigShape, storedBytes } = layout;
  const job = { memory, dst: stored.length, src: 0, frames: 1, srcStride: 0, sigShape, storedBytes, params };
  (id === "bits" ? bitsReference : mibRawReference).decode(job as unknown as FramesToDecode);
  return new Uint8Array(memory.buffer, stored.length, bytes).slice();
}

function toLittle(stored: Uint8Array, { dtype, byteOrder }: FrameLayout): Uint8Array {
  const unit = dtypeInfo(dtype).unitSize;
  if (byteOrder === "little" || unit === 1) return stored;
  return stored.map((_, i) => stored[i - i % unit + unit - 1 - i % unit]!);
}

function transposed(bytes: Uint8Array, shape: readonly number[], { dtype }: FrameLayout): Uint8Array {
  const { itemSize } = dtypeInfo(dtype);
  const out = new Uint8Array(bytes.length);
  for (let c = 0; c * itemSize < bytes.length; c++) {
    let rest = c, stored = 0;
    for (let d = shape.length - 1; d >= 0; d--) { // last dimension is the slowest one in the file
      stored += rest % shape[d]! * shape.slice(0, d).reduce((a, b) => a * b, 1);
      rest = Math.floor(rest / shape[d]!);
    }
    out.set(bytes.subarray(stored * itemSize, (stored + 1) * itemSize), c * itemSize);
  }
  return out;
}

/** SHA-256 in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The real samples as numbers (64-bit integers as bigint). */
export function numbers(bytes: Uint8Array, dtype: string): (number | bigint)[] {
  const buffer = bytes.slice().buffer;
  switch (dtype) {
    case "bool":
    case "uint8":
      return [...new Uint8Array(buffer)];
    case "int8":
      return [...new Int8Array(buffer)];
    case "uint16":
      return [...new Uint16Array(buffer)];
    case "int16":
      return [...new Int16Array(buffer)];
    case "uint32":
      return [...new Uint32Array(buffer)];
    case "int32":
      return [...new Int32Array(buffer)];
    case "uint64":
      return [...new BigUint64Array(buffer)];
    case "int64":
      return [...new BigInt64Array(buffer)];
    case "float32":
      return [...new Float32Array(buffer)];
    case "float64":
      return [...new Float64Array(buffer)];
  }
  throw new Error(`no figures for ${dtype}`);
}
