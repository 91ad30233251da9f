/**
 * What is made of the samples of a result on their way, so that nothing is computed or read again for it:
 *
 * - its digest, SHA-256 of its samples in C order, little endian, as `stats --sha256` has it. It does not depend on tiles, workers,
 *   or the file that the result is in;
 * - the samples of its picture, which are means of n × n.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type Sha256, startSha256 } from "../../io/hash.ts";
import { reductionOf } from "../../pictures/plane.ts";
import { numberReader } from "../../sinks/arrays/numbers.ts";
import {
  type DType,
  dtypeInfo,
  floatOf,
  partType,
  type TypedArray,
  typedArray,
  unitsOf,
  zeros,
} from "../../space/dtype.ts";
import { haveMeans, type ValueFacts } from "../../space/axes.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** Bytes that are taken at a time, if rows are shorter. */
const PIECE = 2 ** 18;

/** What a result is like. */
interface SeenFacts {
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** What its samples mean. */
  readonly values: ValueFacts;
}

/** What is to be made of a result. */
interface Wanted {
  /** Most pixels of its picture; absent: there is none. */
  readonly most?: number | undefined;
  /** Whether its digest. */
  readonly hasDigest: boolean;
}

/** Takes all samples of a result, from the first to the last. */
export class Seen {
  readonly #hash: Sha256 | undefined;
  readonly #picture: PictureSamples | undefined;
  /** Whole rows, outside of shared memory, of which hashes take no bytes. */
  readonly #rows: Uint8Array<ArrayBuffer>;
  /** Bytes in them. */
  #filled = 0;
  #bytes = 0;

  /** Begins with nothing. */
  constructor(private readonly result: SeenFacts, { most, hasDigest }: Wanted) {
    const { shape, dtype } = result, { itemSize } = dtypeInfo(dtype);
    if (hasDigest) this.#hash = startSha256();
    if (most !== undefined) this.#picture = new PictureSamples(result, most);
    const row = this.#picture ? itemSize * shape.at(-1)! : itemSize;
    this.#rows = new Uint8Array(row * Math.max(1, Math.floor(PIECE / row)));
  }

  /** Whether all samples of the result have been taken, each once. */
  get isWhole(): boolean {
    const { shape, dtype } = this.result;
    return this.#bytes === sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  }

  /** Takes the next samples. */
  add({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.#bytes += byteLength;
    if (!this.#picture && buffer instanceof ArrayBuffer) {
      this.#take();
      this.#hash?.update(new Uint8Array(buffer, byteOffset, byteLength));
      return;
    }
    for (let at = 0; at < byteLength;) {
      const count = Math.min(byteLength - at, this.#rows.length - this.#filled);
      this.#rows.set(new Uint8Array(buffer, byteOffset + at, count), this.#filled);
      at += count;
      this.#filled += count;
      if (this.#filled === this.#rows.length) this.#take();
    }
  }

  /** What has been made, once all samples have been taken. */
  made(): Made {
    this.#take();
    const [small, sha256] = [this.#picture?.result, this.#hash?.digest("hex")];
    return defined({ small, sha256 });
  }

  /** Takes the rows. */
  #take(): void {
    const { dtype } = this.result, count = this.#filled / dtypeInfo(dtype).itemSize;
    this.#hash?.update(this.#rows.subarray(0, this.#filled));
    this.#picture?.add(typedArray(dtype, this.#rows.buffer, 0, count));
    this.#filled = 0;
  }
}

/** What has been made of a result. */
export interface Made {
  /** The samples of its picture. */
  readonly small?: SmallResult;
  /** Its digest. */
  readonly sha256?: string;
}

/** A result at a size for pictures. */
export interface SmallResult {
  /** Its samples. */
  readonly array: NDArray;
  /** A sample is the mean of n × n, or, of labels, the first of them. */
  readonly n: number;
}

/**
 * The samples of a picture, from those of a result. Means have the bits of `downSample`: sums of columns in float64, from the
 * first row to the last, then sums of these; of complex samples, those of magnitudes.
 */
class PictureSamples {
  readonly result: SmallResult;
  /** Of columns, where the picture has means. */
  readonly #sums: Float64Array | undefined;
  /** The rows that are added, as numbers. */
  #numbers = new Float64Array(0);
  /** The next row of the image. */
  #row = 0;
  /** Where the next samples of the picture go. */
  #to = 0;

  constructor(private readonly facts: SeenFacts, most: number) {
    const { shape, dtype, values } = facts;
    const n = reductionOf(shape, most);
    if (n > 1 && (haveMeans(values) || unitsOf(dtype) > 1)) this.#sums = new Float64Array(shape.at(-1)!);
    const small = shape.map((size, d) => d < shape.length - 2 ? size : Math.ceil(size / n));
    const type = this.#sums ? floatOf(partType(dtype)) : dtype;
    this.result = { array: ndarray(zeros(type, sizeOf(small)), small, type), n };
  }

  /** Takes the next rows. */
  add(rows: TypedArray): void {
    const { facts: { shape, dtype }, result: { array: { data }, n } } = this;
    const [height, width] = shape.slice(-2) as [number, number];
    if (n === 1) {
      data.set(rows as never, this.#to);
      this.#to += rows.length;
      return;
    }
    const count = rows.length / unitsOf(dtype);
    if (this.#sums && this.#numbers.length < count) this.#numbers = new Float64Array(count);
    const numbers = this.#numbers.subarray(0, count);
    if (this.#sums) numberReader(ndarray(rows, [count], dtype))(0, numbers);
    for (let at = 0; at < count; at += width) {
      if (this.#sums) this.#addRow(this.#sums, numbers, at, height);
      else if (this.#row % n === 0) {
        for (let x = 0; x < width; x += n) data[this.#to++] = rows[at + x] as never;
      }
      this.#row = (this.#row + 1) % height;
    }
  }

  /** Adds a row of `numbers`; the last of `n`, or of an image, ends a row of the picture. */
  #addRow(sums: Float64Array, numbers: Float64Array, at: number, height: number): void {
    const { array: { data }, n } = this.result, rows = this.#row % n + 1;
    for (let x = 0; x < sums.length; x++) sums[x]! += numbers[at + x]!;
    if (rows < n && this.#row < height - 1) return;
    for (let x = 0; x < sums.length; x += n) {
      const end = Math.min(sums.length, x + n);
      let sum = 0;
      for (let k = x; k < end; k++) sum += sums[k]!;
      data[this.#to++] = sum / ((end - x) * rows);
    }
    sums.fill(0);
  }
}

/** What makes the digest of samples. */
export function seenFor({ shape, dtype }: Pick<SeenFacts, "shape" | "dtype">): Seen {
  return new Seen({ shape, dtype, values: { kind: "amount" } }, { hasDigest: true }); // what they mean is that of pictures
}
