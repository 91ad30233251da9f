/**
 * From the stored bytes of a tile or strip to samples: the sample type, and the filters that lead there.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { FILTER_NAMES } from "../../../codecs/filters/registry.ts";
import type { TilewiseError } from "../../../errors.ts";
import type { ChunkFilterSpec } from "../../../dataset/layout/chunks.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../../space/dtype.ts";
import { type Directory, TAG } from "../container/directory.ts";
import { compressionOf, type ImageFacts, isPredicted, readNames, STOPPING } from "./facts.ts";

/** How samples of an image are stored. */
export interface Coding {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples per pixel that come out: three where colours are converted. */
  readonly samples: number;
  /** Byte order of the samples that come out. */
  readonly byteOrder: ByteOrder;
  /** The filters, in the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
  /** Bytes of a row of a tile or strip before compression, at least; absent where rows cannot be told apart. */
  readonly rowBytes?: number;
  /** How many rows `rowBytes` are of, which are stored together; present: strips cannot be cut again. Default 1. */
  readonly rowsTogether?: number;
  /** Most bytes that decompression gives per stored byte; absent if there is no useful bound. */
  readonly most?: number;
}

/** A sample beside the colours that says how transparent a pixel is, with colours that do not depend on it. */
const UNASSOCIATED = 2;
/** Samples beside the colours that are looked at. */
const MOST_EXTRA = 2 ** 16;

/** Kinds of samples, as the format numbers them. */
const [UNSIGNED, SIGNED, FLOAT, UNDEFINED, COMPLEX_WHOLE, COMPLEX] = [1, 2, 3, 4, 5, 6];
/** Meanings of samples. */
const YCBCR = 6;
const JPEG = 7;

const WHOLE: Readonly<Record<number, Readonly<Record<number, DType>>>> = {
  [UNSIGNED!]: { 8: "uint8", 16: "uint16", 32: "uint32", 64: "uint64" },
  [SIGNED!]: { 8: "int8", 16: "int16", 32: "int32", 64: "int64" },
  [FLOAT!]: { 16: "float32", 24: "float32", 32: "float32", 64: "float64" },
  [COMPLEX_WHOLE!]: { 16: "complex64", 32: "complex64", 64: "complex128" },
  [COMPLEX!]: { 32: "complex64", 64: "complex64", 128: "complex128" },
};

/** The coding of an image. Errors: `unsupported`. */
export async function codingOf(
  directory: Directory,
  facts: ImageFacts,
  byteOrder: ByteOrder,
  sizeOfChunk: readonly [height: number, width: number],
): Promise<Coding> {
  const { compression, samples, planar } = facts;
  const { name, filter, most } = compressionOf(compression);
  if (compression !== 1 && (filter === undefined || !FILTER_NAMES.includes(filter))) {
    const offset = directory.entry(TAG.compression)!.at;
    const problem = `the compression is ${name} (${compression}), which is not supported; ` +
      `read are ${readNames(FILTER_NAMES).join(", ")}`;
    throw directory.file.error("unsupported", problem, { offset, found: compression });
  }
  const perRow = sizeOfChunk[1] * (planar === 1 ? samples : 1);
  const coder = new Coder(directory, facts, byteOrder, sizeOfChunk, perRow);
  const coding = await coder.coding();
  const unknown = coding.filters.find((one) => !FILTER_NAMES.includes(one.name));
  if (unknown) throw coder.unsupported(`samples behind the filter ${unknown.name}`);
  return { ...coding, ...defined({ most }) };
}

/** Makes the filters of one image. */
class Coder {
  readonly #big: number;

  constructor(
    private readonly directory: Directory,
    private readonly facts: ImageFacts,
    private readonly byteOrder: ByteOrder,
    private readonly chunk: readonly [height: number, width: number],
    private readonly perRow: number,
  ) {
    this.#big = byteOrder === "big" ? 1 : 0;
  }

  async coding(): Promise<Coding> {
    const { compression, photometric } = this.facts;
    if (compression === JPEG) return this.#named("jpeg", await this.#jpeg(), 16);
    const { filter } = compressionOf(compression);
    if (filter === "webp") return this.#named("webp", [this.facts.samples]);
    if (filter === "lerc") return await this.#lerc();
    if (photometric === YCBCR) return await this.#yCbCr();
    const numbers = this.#numbers();
    const rowBytes = Math.ceil(this.perRow * this.facts.bits / 8);
    const filters = [...numbers.filters, ...await this.#compression(rowBytes * this.chunk[0])];
    return { ...numbers, samples: this.facts.samples, filters, rowBytes };
  }

  /** Samples of plain rows: their type, and what happens to them before compression. */
  #numbers(): Pick<Coding, "dtype" | "byteOrder" | "filters"> {
    const { bits, sampleFormat } = this.facts;
    const kind = sampleFormat === UNDEFINED ? UNSIGNED! : sampleFormat;
    const dtype = WHOLE[kind]?.[bits] ?? widened(bits, kind);
    if (dtype === undefined) throw this.unsupported(`samples of kind ${sampleFormat} with ${bits} bits`);
    const wider = widening(kind, bits);
    if (isPredicted(this.facts)) {
      return { dtype, byteOrder: "little", filters: [...wider, this.#predictor(dtype)] };
    }
    if (wider.length > 0) {
      const size = kind === FLOAT ? bits / 8 : bits / 16; // of a part of a complex number
      const swap = this.#big && size > 1 ? [{ name: "swap", values: [size] }] : [];
      return { dtype, byteOrder: "little", filters: [...wider, ...swap] };
    }
    if (WHOLE[kind]?.[bits] !== undefined) return { dtype, byteOrder: this.byteOrder, filters: [] };
    const values = [
      bits,
      dtypeInfo(dtype).itemSize,
      this.perRow,
      this.#isLowFirst() ? 0 : 1,
      kind === SIGNED ? 1 : 0,
    ];
    return { dtype, byteOrder: "little", filters: [{ name: "unpack-bits", values }] };
  }

  /**
   * Whether the lowest of the three bytes of samples of 24 bits comes first. Programs differ: GDAL, whose way this is where a
   * file does not say who wrote it, stores the highest first in little-endian files, and the lowest first in big-endian ones.
   */
  #isLowFirst(): boolean {
    return this.facts.bits === 24 && (this.#big === 1) !== this.facts.isOfMagick;
  }

  #predictor(dtype: DType): ChunkFilterSpec {
    const { bits, predictor, sampleFormat, samples, planar } = this.facts;
    const isFloat = dtype === "float32" || dtype === "float64";
    const fits = predictor === 2
      ? [8, 16, 32, 64].includes(bits)
      : predictor === 3 && isFloat && sampleFormat === FLOAT;
    if (!fits) throw this.unsupported(`predictor ${predictor} of samples with ${bits} bits`);
    const each = planar === 1 ? samples : 1;
    return { name: `predictor-${predictor}`, values: [bits / 8, this.#big, this.chunk[1], each] };
  }

  /** The filters from plain rows of `bytes` bytes in all to stored bytes. */
  async #compression(bytes: number): Promise<ChunkFilterSpec[]> {
    const { compression, tileDepth } = this.facts;
    const { filter } = compressionOf(compression);
    if (filter === "ccitt") return [{ name: "ccitt", values: await this.#ccitt() }];
    const values = STOPPING.has(compression) ? [bytes * tileDepth] : filter === "Zstandard" ? [0, 1] : [];
    return [...(filter === undefined ? [] : [{ name: filter, values }]), ...this.#reversed()];
  }

  /** What undoes the fill order of the file, where the compression does not see to it. */
  #reversed(): ChunkFilterSpec[] {
    const { compression, fillOrder } = this.facts;
    return fillOrder === 2 && !compressionOf(compression).hasOrder
      ? [{ name: "bit-reverse", values: [] }]
      : [];
  }

  async #ccitt(): Promise<number[]> {
    const { compression, fillOrder, bits, samples, planar } = this.facts;
    if (bits !== 1 || (samples !== 1 && planar === 1)) {
      throw this.unsupported(`CCITT of ${samples} samples with ${bits} bits`);
    }
    const tag = compression === 4 ? TAG.fax4Options : TAG.faxOptions;
    const options = await this.directory.number(tag) ?? 0;
    return [compression, this.chunk[1], this.chunk[0], options, fillOrder];
  }

  async #jpeg(): Promise<number[]> {
    const { samples, photometric, planar } = this.facts;
    if (photometric === YCBCR && planar === 2) throw this.unsupported("JPEG of colour differences in planes");
    const tables = await this.directory.bytes(TAG.jpegTables, MOST_TABLES);
    const each = planar === 1 ? samples : 1;
    return [this.chunk[1], this.chunk[0], each, photometric === YCBCR ? 1 : 0, ...tables];
  }

  /** Samples that come out of a filter as they are: of up to 8 bits, or `mostBits`, in a byte or two. */
  #named(name: string, values: readonly number[], mostBits: number = 8): Coding {
    const { bits, samples, sampleFormat } = this.facts;
    const isWhole = sampleFormat === UNSIGNED || sampleFormat === UNDEFINED;
    const dtype = isWhole && bits <= mostBits
      ? widened(bits)
      : bits === 8
      ? WHOLE[sampleFormat]?.[8]
      : undefined;
    if (dtype === undefined) throw this.unsupported(`${name} of samples with ${bits} bits`);
    const filters = [{ name, values }, ...this.#reversed()];
    return { dtype, samples, byteOrder: "little", filters, rowBytes: this.perRow };
  }

  /** libtiff packs samples in the order of the file: those of a pixel together, or a blob for each where some are NaN. */
  async #lerc(): Promise<Coding> {
    const { bits, samples, sampleFormat, planar } = this.facts;
    const dtype = WHOLE[sampleFormat === UNDEFINED ? UNSIGNED! : sampleFormat]?.[bits];
    if (
      dtype === undefined || bits > 64 || dtype.startsWith("complex") || (sampleFormat === FLOAT && bits < 32)
    ) {
      throw this.unsupported(`LERC of samples with ${bits} bits`);
    }
    const [, added = 0] = await this.directory.numbers(TAG.lercParameters, 2);
    const extra = await this.directory.numbers(TAG.extraSamples, MOST_EXTRA);
    const count = planar === 1 ? samples : 1;
    const isAlpha = count > 1 && dtype === "uint8" && extra.at(-1) === UNASSOCIATED;
    const values = [added, count, this.#big, isAlpha ? 1 : 0];
    const filters = [{ name: "lerc", values }, ...this.#reversed()];
    return { dtype, samples, byteOrder: this.byteOrder, filters };
  }

  /** Luminance and, for blocks of pixels, two differences of colour: they become red, green and blue. */
  async #yCbCr(): Promise<Coding> {
    const { bits, samples, planar, predictor } = this.facts;
    if (bits !== 8 || samples !== 3 || planar !== 1 || predictor !== 1) {
      const text = `YCbCr of ${samples} samples with ${bits} bits, planar configuration ${planar}, ` +
        `predictor ${predictor}`;
      throw this.unsupported(text);
    }
    const [subX = 2, subY = 2] = await this.directory.numbers(TAG.yCbCrSubsampling, 2);
    if (![1, 2, 4].includes(subX) || ![1, 2, 4].includes(subY)) {
      throw this.unsupported(`YCbCr with one colour per ${subX} × ${subY} pixels`);
    }
    const coefficients = await this.directory.numbers(TAG.yCbCrCoefficients, 3);
    const reference = await this.directory.numbers(TAG.referenceBlackWhite, 6);
    const luma = coefficients.length === 3 ? coefficients : [0.299, 0.587, 0.114];
    const range = reference.length === 6 ? reference : [0, 255, 128, 255, 128, 255];
    const [height, width] = this.chunk;
    const rowBytes = Math.ceil(width / subX) * (subX * subY + 2);
    const convert = {
      name: "ycbcr",
      values: [subX, subY, width, height, ...luma, ...range],
    };
    return {
      dtype: "uint8",
      samples: 3,
      byteOrder: "little",
      filters: [convert, ...await this.#compression(rowBytes * Math.ceil(height / subY))],
      rowBytes,
      rowsTogether: subY,
    };
  }

  /** The error for what an image has. */
  unsupported(what: string): TilewiseError {
    const { file, offset } = this.directory;
    return file.error("unsupported", `an image has ${what}, which is not supported`, { offset, found: what });
  }
}

/** Most bytes of the tables of JPEG. */
const MOST_TABLES = 2 ** 16;

/** The smallest type for integers of other sizes. */
function widened(bits: number, kind: number = UNSIGNED!): DType | undefined {
  const size = ([8, 16, 32, 64] as const).find((size) => bits <= size);
  if (size === undefined || (kind !== UNSIGNED && kind !== SIGNED)) return undefined;
  return kind === SIGNED ? `int${size}` : `uint${size}`;
}

/** What makes the type of floats of fewer bits, and of the parts of complex numbers. */
function widening(kind: number, bits: number): ChunkFilterSpec[] {
  if (kind === FLOAT && bits < 32) return [{ name: "widen-float", values: [bits / 8] }];
  if (kind === COMPLEX && bits === 32) return [{ name: "widen-float", values: [2] }];
  return kind === COMPLEX_WHOLE ? [{ name: "widen-float", values: [bits / 16, 1] }] : [];
}
