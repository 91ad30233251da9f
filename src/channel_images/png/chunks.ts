/**
 * The chunks of a PNG file: header, palette, transparent colour, and the pieces of the packed rows.
 *
 * ```
 * signature  (length₃₂ type₃₂ body crc₃₂)…     IHDR, PLTE and tRNS where there are any, IDAT…, IEND
 * ```
 * Source: the PNG specification, third edition (W3C).
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { crc32 } from "../../space/crc32.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Kinds of pixels, as the format numbers them. */
export const KIND = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgba: 6 } as const;

/** Bits of a sample that each kind may have. */
const BITS: Readonly<Record<number, readonly number[]>> = {
  [KIND.gray]: [1, 2, 4, 8, 16],
  [KIND.rgb]: [8, 16],
  [KIND.palette]: [1, 2, 4, 8],
  [KIND.grayAlpha]: [8, 16],
  [KIND.rgba]: [8, 16],
};

/** The chunks that matter for pixels. */
export interface PngFile {
  /** Pixels in a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Bits of a stored sample. */
  readonly bits: number;
  /** A value of {@link KIND}. */
  readonly kind: number;
  /** Whether the rows come in seven passes. */
  readonly isInterlaced: boolean;
  /** Red, green and blue of each colour of a palette. */
  readonly palette?: Uint8Array;
  /** Alpha of the colours of a palette, or the colour that is transparent. */
  readonly transparent?: Uint8Array;
  /** The packed rows. */
  readonly packed: readonly Uint8Array<ArrayBuffer>[];
}

/** Whether these are the first bytes of a PNG file. */
export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

/** An error in a PNG file. */
export function pngError(problem: string, place?: number): TilewiseError {
  return new TilewiseError("malformed", `Cannot read the PNG file: ${problem}`, defined({ offset: place }));
}

/** Reads all chunks and checks them. Errors: `malformed`, `truncated`, `unsupported`. */
export function readPng(bytes: Uint8Array<ArrayBuffer>): PngFile {
  const packed: Uint8Array<ArrayBuffer>[] = [];
  const found = new Map<string, Uint8Array>();
  let header: Header | undefined;
  for (const { type, body, at } of chunksOf(bytes)) {
    if (!header && type !== "IHDR") throw pngError(`it begins with ${type}, not with its header`, at);
    if (type === "IHDR") header = headerOf(body, at);
    else if (type === "IDAT") packed.push(body);
    else if (type === "PLTE" || type === "tRNS") found.set(type, body);
    else if (type !== "IEND" && isCritical(type)) throw unknownChunk(type, at);
  }
  if (!header || packed.length === 0) throw pngError("it has no pixels");
  const palette = paletteOf(header, found.get("PLTE"));
  const transparent = transparentOf(header, found.get("tRNS"));
  return { ...header, packed, ...defined({ palette, transparent }) };
}

type Header = Pick<PngFile, "width" | "height" | "bits" | "kind" | "isInterlaced">;

interface Chunk {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly at: number;
}

function* chunksOf(bytes: Uint8Array<ArrayBuffer>): Generator<Chunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = view.getUint32(at), end = at + 12 + length;
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const sum = crc32(bytes.subarray(at + 4, end - 4));
    if (sum !== view.getUint32(end - 4)) throw pngError(`the checksum of its chunk ${type} is wrong`, at);
    yield { type, body: bytes.subarray(at + 8, end - 4), at };
    if (type === "IEND") return;
    at = end;
  }
  const text = `Cannot read the PNG file: its end is missing after ${bytes.length} bytes`;
  throw new TilewiseError("truncated", text, { offset: bytes.length });
}

/** Chunks with a capital letter in front change how pixels are read. */
function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & 32) === 0;
}

function unknownChunk(type: string, offset: number): TilewiseError {
  const text = `Cannot read the PNG file: pixels depend on its chunk ${type}, which is unknown`;
  return new TilewiseError("unsupported", text, { offset, found: type });
}

function headerOf(body: Uint8Array, at: number): Header {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length !== 13) throw pngError(`its header has ${body.length} bytes, not 13`, at);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [bits, kind, packing, filters, interlace] = body.subarray(8) as unknown as Fields;
  const isKnown = BITS[kind]?.includes(bits) && packing === 0 && filters === 0 && interlace <= 1;
  if (!isKnown || width < 1 || height < 1 || Math.max(width, height) > 2 ** 31 - 1) {
    throw pngError(`a header of ${width} × ${height}, ${bits} bits, kind ${kind} makes no sense`, at);
  }
  return { width, height, bits, kind, isInterlaced: interlace === 1 };
}

type Fields = readonly [bits: number, kind: number, packing: number, filters: number, interlace: number];

function paletteOf({ kind, bits }: Header, body: Uint8Array | undefined): Uint8Array | undefined {
  if (kind !== KIND.palette) return undefined; // of other kinds it is a suggestion
  if (!body || body.length % 3 !== 0 || body.length === 0 || body.length > 3 * 2 ** bits) {
    throw pngError(`its palette has ${body?.length ?? 0} bytes`);
  }
  return body;
}

function transparentOf({ kind }: Header, body: Uint8Array | undefined): Uint8Array | undefined {
  const wanted = { [KIND.gray]: 2, [KIND.rgb]: 6 }[kind];
  if (!body || (wanted === undefined && kind !== KIND.palette)) return undefined;
  if (wanted !== undefined && body.length !== wanted) {
    throw pngError(`its transparent colour has ${body.length} bytes`);
  }
  return body;
}

// The packed rows of a PNG file: unpacked by the platform, piece by piece, and put together from differences to their neighbours.
//
// ```
// type 0  x          a b     x: a byte of this row, d: the byte of the pixel to its left,
// type 1  x + d      d x     b: the byte above it, a: above and to the left
// type 2  x + b
// type 3  x + ⌊(d + b) / 2⌋
// type 4  x + the one of d, b, a that is nearest to d + b − a
// ```

/** Reads rows of bytes from packed pieces. */
export class PackedRows implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #piece: Uint8Array = new Uint8Array(0);

  /** Of the pieces of one stream in the zlib format. */
  constructor(pieces: readonly Uint8Array<ArrayBuffer>[]) {
    let next = 0;
    const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = pieces[next++];
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    this.#reader = packed.pipeThrough(new DecompressionStream("deflate")).getReader();
  }

  /** Fills `bytes`. Errors: `malformed`, `truncated`. */
  async read(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#piece.length === 0 && !await this.#next()) {
        const text = "Cannot read the PNG file: its packed rows end early";
        throw new TilewiseError("truncated", text, { expected: bytes.length, found: at });
      }
      const part = this.#piece.subarray(0, bytes.length - at);
      bytes.set(part, at);
      this.#piece = this.#piece.subarray(part.length);
      at += part.length;
    }
  }

  /** Reads on to the checksum behind the last row; what else follows the rows is left out. */
  async end(): Promise<void> {
    if (this.#piece.length === 0) await this.#next();
  }

  async #next(): Promise<boolean> {
    try {
      const { value, done } = await this.#reader.read();
      this.#piece = value ?? new Uint8Array(0);
      return !done;
    } catch (error) {
      throw pngError(`its rows cannot be unpacked: ${reasonOf(error)}`);
    }
  }

  /** Stops unpacking. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel().catch(() => {}); // it has failed, and that was reported
  }
}

/**
 * Undoes the filter `type` of a row in place; `above` is the row above it, or zeros, `step` the bytes of a pixel, at least 1.
 *
 * @example Differences to the left
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const row = Uint8Array.of(10, 1, 1);
 * unfilter(1, row, new Uint8Array(3), 1);
 * assertEquals([...row], [10, 11, 12]);
 * ```
 */
export function unfilter(type: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const undo = UNDO[type];
  if (!undo) throw pngError(`a row has the filter ${type}, which does not exist`);
  undo(row, above, step);
}

type Undo = (row: Uint8Array, above: Uint8Array, step: number) => void;

const UNDO: readonly Undo[] = [
  () => {},
  (row, _above, step) => {
    for (let i = step; i < row.length; i++) row[i] = row[i]! + row[i - step]!;
  },
  (row, above) => {
    for (let i = 0; i < row.length; i++) row[i] = row[i]! + above[i]!;
  },
  (row, above, step) => {
    for (let i = 0; i < row.length; i++) {
      row[i] = row[i]! + ((i < step ? 0 : row[i - step]!) + above[i]! >> 1);
    }
  },
  (row, above, step) => {
    for (let i = 0; i < step && i < row.length; i++) row[i] = row[i]! + above[i]!;
    for (let i = step; i < row.length; i++) {
      row[i] = row[i]! + nearest(row[i - step]!, above[i]!, above[i - step]!);
    }
  },
];

/** The one of `left`, `up` and `corner` that is nearest to `left + up − corner`; the first of equally near ones. */
function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner), toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
