/**
 * Writes PNG files: 8 and 16 bits, gray, gray with alpha, RGB and RGBA, with text in the header.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { checkedProduct } from "../space/shape.ts";
import { Turns } from "../turns.ts";
import { crc32 } from "./crc32.ts";

/** Samples of a picture, row by row, the channels of one pixel beside each other. */
export interface Raster {
  /** Pixels of one row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Numbers per pixel: gray, gray + alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
  /** `height × width × channels` numbers; bytes make an 8-bit picture, 16-bit words a 16-bit one. */
  readonly data: Uint8Array | Uint16Array;
}

/** Options of {@link encodePng}. */
export interface PngOptions {
  /** Keyword and text of `tEXt` entries (`iTXt` where the text is not Latin-1). */
  readonly text?: Readonly<Record<string, string>>;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOUR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;
const MAX_SIDE = 2 ** 31 - 1;

/**
 * The bytes of a PNG file.
 *
 * @example One red pixel
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const png = await encodePng({ width: 1, height: 1, channels: 3, data: Uint8Array.of(255, 0, 0) });
 * assertEquals([...png.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));
 * ```
 */
export async function encodePng(raster: Raster, options: PngOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  checkRaster(raster);
  const parts = [Uint8Array.from(SIGNATURE), chunk("IHDR", header(raster))];
  for (const [keyword, text] of Object.entries(options.text ?? {})) parts.push(textChunk(keyword, text));
  parts.push(chunk("IDAT", await deflate(await filtered(raster))), chunk("IEND", new Uint8Array(0)));
  return concat(parts);
}

function checkRaster({ width, height, channels, data }: Raster): void {
  const sides = [width, height].every((n) => Number.isInteger(n) && n > 0 && n <= MAX_SIDE);
  if (sides && data.length === checkedProduct([width, height, channels], "a picture")) return;
  const text =
    `Cannot write a PNG of ${width} × ${height} pixels, ${channels} channels, from ${data.length} numbers`;
  throw new TilewiseError("invalid", text, { found: data.length });
}

function header({ width, height, channels, data }: Raster): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes[8] = data.BYTES_PER_ELEMENT * 8;
  bytes[9] = COLOUR_TYPES[channels];
  return bytes; // compression, filter method and interlace stay 0
}

/** All rows with their filter byte; per row the filter whose differences are smallest, which packs best. */
async function filtered(raster: Raster): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = bigEndian(raster.data);
  const step = raster.channels * raster.data.BYTES_PER_ELEMENT;
  const pitch = raster.width * step;
  const out = new Uint8Array((pitch + 1) * raster.height);
  const trial = new Uint8Array(pitch);
  const turns = new Turns();
  let above: Uint8Array = new Uint8Array(pitch);
  for (let y = 0; y < raster.height; y++) {
    if (turns.due) await turns.give();
    const row = bytes.subarray(y * pitch, (y + 1) * pitch);
    const line = out.subarray(y * (pitch + 1), (y + 1) * (pitch + 1));
    let best = Infinity;
    for (const [type, predict] of PREDICTORS.entries()) {
      const cost = applyFilter(trial, row, above, step, predict);
      if (cost >= best) continue;
      best = cost;
      line[0] = type;
      line.set(trial, 1);
    }
    above = row;
  }
  return out;
}

/** Filter types 0, 1 and 2 of the format: nothing, left neighbour, neighbour above. */
const PREDICTORS: readonly ((left: number, up: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
];

function applyFilter(
  out: Uint8Array,
  row: Uint8Array,
  above: Uint8Array,
  step: number,
  predict: (left: number, up: number) => number,
): number {
  let cost = 0;
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!;
    const difference = (row[i]! - predict(left, above[i]!)) & 255;
    out[i] = difference;
    cost += difference < 128 ? difference : 256 - difference;
  }
  return cost;
}

function bigEndian(data: Uint8Array | Uint16Array): Uint8Array {
  if (data instanceof Uint8Array) return data;
  const bytes = new Uint8Array(2 * data.length);
  data.forEach((value, i) => {
    bytes[2 * i] = value >> 8;
    bytes[2 * i + 1] = value & 255;
  });
  return bytes;
}

/** Bytes that are compressed between two looks at the clock. */
const PIECE = 2 ** 20;

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate");
  const packed = new Response(readable).arrayBuffer();
  const writer = writable.getWriter();
  const turns = new Turns();
  for (let at = 0; at < bytes.length; at += PIECE) {
    await writer.write(bytes.subarray(at, at + PIECE));
    if (turns.due) await turns.give();
  }
  await writer.close();
  return new Uint8Array(await packed);
}

function textChunk(keyword: string, text: string): Uint8Array<ArrayBuffer> {
  if (!/^[ -~\xa1-\xff]{1,79}$/.test(keyword)) {
    throw new TilewiseError("invalid", `Cannot use "${keyword}" as PNG keyword; write 1 to 79 Latin letters`);
  }
  const isLatin = [...text].every((c) => c.codePointAt(0)! <= 0xff && c !== "\0");
  const head = [...latin(keyword), 0];
  if (isLatin) return chunk("tEXt", Uint8Array.from([...head, ...latin(text)]));
  return chunk("iTXt", Uint8Array.from([...head, 0, 0, 0, 0, ...new TextEncoder().encode(text)]));
}

function latin(text: string): number[] {
  return [...text].map((c) => c.charCodeAt(0));
}

function chunk(type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(latin(type), 4);
  bytes.set(body, 8);
  view.setUint32(body.length + 8, crc32(bytes.subarray(4, body.length + 8)));
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
