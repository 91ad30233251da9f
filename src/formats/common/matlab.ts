/**
 * MATLAB's MAT files of version 5: one matrix of real numbers, found by its name. (Version 7.3 is HDF5.)
 *
 * ```
 * head    text₁₁₆ offset₆₄ version₁₆ "IM"₁₆ (as a number: the byte order)
 * element type₃₂ bytes₃₂ data, padded to 8 bytes; or, up to 4 bytes: type₁₆ bytes₁₆ data
 * matrix  flags, sizes, name, real part: four elements
 * ```
 * A compressed element (type 15) holds one element as a zlib stream, without padding. Source: MathWorks' description of
 * the format, "MAT-File Format".
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { READ_NUMBER } from "../../memory/sample_reader.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { Fields } from "./fields.ts";

const HEAD_BYTES = 128;
const [COMPRESSED, MATRIX] = [15, 14];
/** Flag of matrices with an imaginary part. */
const COMPLEX = 0x0800;
/** Classes that hold numbers: double, single, and integers of 8 to 64 bits. */
const NUMERIC = { first: 6, last: 15 };
/** Most samples of a matrix, and most bytes that the elements of a file may unpack to. */
const MOST_SAMPLES = 2 ** 24;
const MOST_UNPACKED = 2 ** 28;
/** Most variables that are looked at. */
const MOST_VARIABLES = 1024;

/** A matrix, row by row. */
export interface Matrix {
  /** Rows. */
  readonly rows: number;
  /** Columns. */
  readonly columns: number;
  /** Its values, row by row. */
  readonly data: Float64Array<ArrayBuffer>;
}

/** Whether a file begins as MAT files of version 5 do. */
export function isMat5(head: Uint8Array): boolean {
  const mark = String.fromCharCode(head[126] ?? 0, head[127] ?? 0);
  return head.length >= HEAD_BYTES && (mark === "IM" || mark === "MI");
}

/** The matrix `name` in the bytes of a file. Errors: `malformed`, `truncated`, `not-found`, `unsupported`. */
export async function matrixOf(bytes: Uint8Array, name: string, file: string): Promise<Matrix> {
  const byteOrder = bytes[126] === 0x49 ? "little" : "big"; // "IM": the two letters were written as a number
  const names: string[] = [];
  let at = HEAD_BYTES;
  let unpacked = 0;
  while (at + 8 <= bytes.length && names.length < MOST_VARIABLES) {
    let { type, start, end, next } = elementAt(new Fields(bytes, file, byteOrder), at);
    let fields = new Fields(bytes, file, byteOrder);
    if (type === COMPRESSED) {
      fields = new Fields(
        await inflated(bytes.subarray(start, end), MOST_UNPACKED - unpacked, file),
        file,
        byteOrder,
      );
      unpacked += fields.bytes.length;
      next = end; // these are not padded
      ({ type, start } = elementAt(fields, 0));
    }
    if (type === MATRIX) {
      const found = matrixAt(fields, start);
      if (found.name === name) return found.read();
      names.push(found.name);
    }
    at = next;
  }
  const known = names.length > 0 ? `it has ${names.join(", ")}` : "it has no matrix";
  throw new TilewiseError("not-found", `There is no variable ${name} in ${file}; ${known}`, { file });
}

interface Element {
  readonly type: number;
  /** Its data. */
  readonly start: number;
  readonly end: number;
  /** The element behind it. */
  readonly next: number;
}

function elementAt(fields: Fields, at: number): Element {
  const word = fields.u32(at);
  const small = word >>> 16; // bytes of a small element; they lie in the tag itself
  if (small > 4) throw fields.error("malformed", `a small element of ${small} bytes makes no sense`, at);
  if (small > 0) return { type: word & 0xffff, start: at + 4, end: at + 4 + small, next: at + 8 };
  const [start, length] = [at + 8, fields.u32(at + 4)];
  fields.need(start, length);
  return { type: word, start, end: start + length, next: start + Math.ceil(length / 8) * 8 };
}

/** Name of a matrix, and how to get its values. */
function matrixAt(fields: Fields, at: number): { name: string; read: () => Matrix } {
  const flags = elementAt(fields, at);
  const sizes = elementAt(fields, flags.next);
  const label = elementAt(fields, sizes.next);
  const name = fields.text(label.start, Math.min(256, label.end - label.start));
  return { name, read: () => readMatrix(fields, name, fields.u32(flags.start), sizes, label.next) };
}

function readMatrix(fields: Fields, name: string, flags: number, sizes: Element, at: number): Matrix {
  const kind = flags & 0xff;
  if (kind < NUMERIC.first || kind > NUMERIC.last || flags & COMPLEX) {
    const what = flags & COMPLEX ? "complex" : `of class ${kind}`;
    throw fields.error("unsupported", `${name} is ${what}; a full matrix of real numbers is needed`, at);
  }
  const rank = (sizes.end - sizes.start) / 4;
  const [rows, columns] = [fields.u32(sizes.start), rank === 2 ? fields.u32(sizes.start + 4) : 0];
  const values = elementAt(fields, at);
  const type = TYPES[values.type], bytes = type && dtypeInfo(type).itemSize;
  const count = rows * columns;
  const isSound = rank === 2 && type && bytes && count > 0 && count <= MOST_SAMPLES &&
    values.end - values.start === count * bytes;
  if (!isSound) {
    const text = `${name} has ${rank} dimensions, ${rows} × ${columns}, and ${values.end - values.start} ` +
      `bytes of type ${values.type}; a matrix of 1 to ${MOST_SAMPLES} numbers is needed`;
    throw fields.error("malformed", text, at);
  }
  const view = new DataView(fields.bytes.buffer, fields.bytes.byteOffset, fields.bytes.length);
  const data = new Float64Array(count);
  for (let i = 0; i < count; i++) { // columns follow each other
    const place = (i % rows) * columns + Math.floor(i / rows);
    data[place] = READ_NUMBER[type](view, values.start + i * bytes, fields.byteOrder === "little");
  }
  return { rows, columns, data };
}

/** Numbers by the type of their element: values may be stored in a smaller type than that of the matrix. */
const TYPES: Readonly<Record<number, keyof typeof READ_NUMBER>> = {
  1: "int8",
  2: "uint8",
  3: "int16",
  4: "uint16",
  5: "int32",
  6: "uint32",
  7: "float32",
  9: "float64",
  12: "int64",
  13: "uint64",
};

/** What a zlib stream unpacks to. */
async function inflated(bytes: Uint8Array, most: number, file: string): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    const stream = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("deflate"));
    for await (const part of stream) {
      length += part.length;
      if (length > most) break;
      parts.push(part);
    }
  } catch (cause) {
    throw new TilewiseError("malformed", `Cannot read ${file}: a compressed variable is damaged`, { file }, {
      cause,
    });
  }
  if (length <= most) return new Uint8Array(await new Blob(parts).arrayBuffer());
  const text = `its variables unpack to more than ${MOST_UNPACKED} bytes`;
  throw cannot("read", file, "unsupported", text, { expected: MOST_UNPACKED });
}
