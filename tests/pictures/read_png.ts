/**
 * A small PNG reader for tests: every check of the format that matters here, over node's zlib.
 *
 * @module
 */

import { crc32, inflateSync } from "node:zlib";

/** What {@link readPng} found. */
export interface ReadPng {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly colourType: number;
  /** All samples, big-endian pairs joined to 16-bit numbers. */
  readonly samples: number[];
  /** Raw bodies of text chunks. */
  readonly texts: { readonly type: string; readonly body: Uint8Array }[];
  /** Filter types that occur. */
  readonly filters: Set<number>;
}

/** Reads a PNG without interlacing and without a palette; throws where the bytes break the format. */
export function readPng(bytes: Uint8Array): ReadPng {
  if (String.fromCharCode(...bytes.subarray(0, 8)) !== "\x89PNG\r\n\x1a\n") {
    throw new Error("no PNG signature");
  }
  const chunks = [...chunksOf(bytes)];
  const ihdr = chunks[0]!;
  if (ihdr.type !== "IHDR" || chunks.at(-1)!.type !== "IEND") throw new Error("wrong order of chunks");
  const view = new DataView(ihdr.body.buffer, ihdr.body.byteOffset);
  const [width, height, bits, colourType] = [
    view.getUint32(0),
    view.getUint32(4),
    view.getUint8(8),
    view.getUint8(9),
  ];
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colourType];
  if (!channels) throw new Error(`colour type ${colourType}`);
  const packed = Uint8Array.from(chunks.filter((c) => c.type === "IDAT").flatMap((c) => [...c.body]));
  const filters = new Set<number>();
  const plain = unfilter(
    inflateSync(packed),
    width * channels * bits / 8,
    channels * bits / 8,
    height,
    filters,
  );
  const samples = bits === 8 ? [...plain] : pairs(plain);
  const texts = chunks.filter(({ type }) => type.endsWith("Xt"));
  return { width, height, bits, colourType, samples, texts, filters };
}

function* chunksOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at < bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      throw new Error(`bad CRC of ${type}`);
    }
    yield { type, body: bytes.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

function unfilter(bytes: Uint8Array, pitch: number, step: number, height: number, filters: Set<number>) {
  if (bytes.length !== (pitch + 1) * height) throw new Error(`${bytes.length} bytes of pixels`);
  const out = new Uint8Array(pitch * height);
  for (let y = 0; y < height; y++) {
    const type = bytes[y * (pitch + 1)]!;
    filters.add(type);
    for (let i = 0; i < pitch; i++) {
      const left = i < step ? 0 : out[y * pitch + i - step]!;
      const up = y === 0 ? 0 : out[(y - 1) * pitch + i]!;
      out[y * pitch + i] = bytes[y * (pitch + 1) + 1 + i]! + [0, left, up][type]!;
    }
  }
  return out;
}

function pairs(bytes: Uint8Array): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) => bytes[2 * i]! * 256 + bytes[2 * i + 1]!);
}
