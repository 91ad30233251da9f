/**
 * Writes PNG files: 8 and 16 bits, gray, gray with alpha, RGB and RGBA, with text in the header.
 *
 * @module
 */

import { arrayFromAsync } from "../../portable.ts";
import { TilewiseError } from "../../errors.ts";
import { hasFiles } from "../../io/open.ts";
import { joinedBytes } from "../../space/bytes.ts";
import { crc32 } from "../../space/crc32.ts";
import { checkedProduct } from "../../space/shape.ts";
import { Turns } from "../../turns.ts";
import { pixelBytes, type PixelRows, type Raster, rowsOf } from "./raster.ts";

/**
 * Options of {@link encodePng}.
 * @category Results
 */
export interface PngOptions {
  /** Keyword and text of `tEXt` entries (`iTXt` if the text is not Latin-1). */
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
  return joinedBytes(await arrayFromAsync(pngPieces(rowsOf(raster), options)));
}

/**
 * The bytes of {@link encodePng} piece by piece: rows are painted, filtered and compressed when the pieces are
 * requested, so that the whole picture is never in memory.
 */
export async function* pngPieces(rows: PixelRows, options: PngOptions = {}): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(SIGNATURE);
  yield chunk("IHDR", header(rows));
  for (const [keyword, text] of Object.entries(options.text ?? {})) yield textChunk(keyword, text);
  const size = Math.min(PIECE, rows.height * (1 + rows.width * pixelBytes(rows)));
  const deflated = deflaterOf(rows.width * rows.height);
  const packed = deflated(inPieces(filteredRows(rows), size));
  for await (const piece of inPieces(packed, size)) yield chunk("IDAT", piece);
  yield chunk("IEND", new Uint8Array(0));
}

function checkRaster({ width, height, channels, data }: Raster): void {
  const sides = [width, height].every((n) => Number.isInteger(n) && n > 0 && n <= MAX_SIDE);
  if (sides && data.length === checkedProduct([width, height, channels], "a picture")) return;
  const text =
    `Cannot write a PNG of ${width} × ${height} pixels, ${channels} channels, from ${data.length} numbers`;
  throw new TilewiseError("invalid", text, { found: data.length });
}

function header({ width, height, channels, bits }: PixelRows): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes[8] = bits;
  bytes[9] = COLOUR_TYPES[channels];
  return bytes; // compression, filter method and interlace stay 0
}

/**
 * Every row with its filter byte: no filter if pixels have few colours, as these repeat; otherwise the filter with the
 * smallest differences. One array holds each in turn: a row of its own for each would be garbage as large as the picture.
 */
async function* filteredRows(rows: PixelRows): AsyncGenerator<Uint8Array> {
  const step = pixelBytes(rows);
  const line = () => new Uint8Array(step + rows.width * step); // begins with the zeros left of the first pixel
  let [row, above] = [line(), line()];
  const out = new Uint8Array(1 + rows.width * step);
  const turns = new Turns();
  for (let y = 0; y < rows.height; y++) {
    if (turns.due) await turns.give();
    rows.row(y, row.subarray(step));
    const type = rows.fewColours ? NONE : bestFilter(row, above, step);
    yield filtered(type, row, above, step, out);
    [row, above] = [above, row];
  }
}

/** Writes the filter type, then the differences into `out`. */
function filtered(
  type: number,
  row: Uint8Array,
  above: Uint8Array,
  step: number,
  out: Uint8Array,
): Uint8Array {
  out[0] = type;
  if (type === LEFT) { for (let i = step; i < row.length; i++) out[i - step + 1] = row[i]! - row[i - step]!; }
  else if (type === UP) { for (let i = step; i < row.length; i++) out[i - step + 1] = row[i]! - above[i]!; }
  else out.set(row.subarray(step), 1);
  return out;
}

/** Filter types of the format: nothing, left neighbour, neighbour above. */
const [NONE, LEFT, UP] = [0, 1, 2];

/** Up to this number of bytes per row, all are compared; of longer rows, a thousand or more. */
const ALL_COMPARED = 24 * 1024;

function bestFilter(row: Uint8Array, above: Uint8Array, step: number): number {
  let [none, left, up] = [0, 0, 0]; // sums of the differences
  const stride = 1 + 24 * Math.floor(row.length / ALL_COMPARED); // visits every byte position of pixels, for any pixel size
  for (let i = step; i < row.length; i += stride) {
    const value = row[i]!;
    none += magnitude(value);
    left += magnitude((value - row[i - step]!) & 255);
    up += magnitude((value - above[i]!) & 255);
  }
  if (none <= left && none <= up) return NONE;
  return left <= up ? LEFT : UP;
}

function magnitude(byte: number): number {
  return byte < 128 ? byte : 256 - byte;
}

/** Largest number of bytes that are compressed in one step, and per chunk of the file. */
const PIECE = 2 ** 20;

/** Largest number of pixels of a picture that is compressed as small as possible. */
const MOST_SLOW = 2 ** 22;

/** Compresses pieces. */
type Deflater = (pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>) => AsyncIterable<Uint8Array>;

/** Gives the smallest files, unless that takes seconds and the platform can compress faster. */
function deflaterOf(pixels: number): Deflater {
  if (pixels <= MOST_SLOW || !hasFiles()) return deflated;
  return async function* (pieces) {
    const { quicklyDeflated } = await import("../../io/zlib.ts");
    yield* quicklyDeflated(pieces);
  };
}

function deflated(source: AsyncGenerator<Uint8Array<ArrayBuffer>>): AsyncIterable<Uint8Array> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await source.return(undefined),
  }, { highWaterMark: 0 });
  return stream.pipeThrough(new CompressionStream("deflate"));
}

/** The same bytes in pieces of one size; the last one may be shorter. */
async function* inPieces(
  parts: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [piece, length] = [new Uint8Array(size), 0];
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const taken = part.subarray(at, at + size - length);
      piece.set(taken, length);
      at += taken.length;
      length += taken.length;
      if (length < size) continue;
      yield piece;
      [piece, length] = [new Uint8Array(size), 0];
    }
  }
  if (length > 0) yield piece.subarray(0, length);
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
