/**
 * A tile as a UDF sees it: a stack of (parts of) frames, as a typed array or as an address for kernels.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Box, box as makeBox } from "../../space/box.ts";
import type { ByteOrder, DType, TypedArray } from "../../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";

/**
 * Samples as they lie in memory, for kernels.
 * @category Tiles
 */
export interface RawSamples {
  /** Address of the first sample of the first frame. */
  readonly pointer: number;
  /** Bytes from one frame to the next. */
  readonly frameStride: number;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Byte order of the samples. */
  readonly byteOrder: ByteOrder;
}

/**
 * Gives the samples of a tile as dense native-endian numbers of the dtype that the UDF takes.
 * @category Tiles
 */
export type Convert<A extends TypedArray = TypedArray> = (tile: Tile) => A;

/**
 * What a {@link Tile} is made from.
 * @category Tiles
 */
export interface TileInit<A extends TypedArray = TypedArray> {
  /** The samples, or a function that gives them when they are needed. */
  readonly raw: RawSamples | (() => RawSamples);
  /** Flat scan positions of its frames, ascending. */
  readonly positions: ArrayLike<number>;
  /** Which part of the frames it shows. */
  readonly box: Box;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Makes {@link Tile.data}. */
  readonly convert: Convert<A>;
  /** Makes its sparse forms. Default: the tile has no sparse forms. */
  readonly sparse?: SparseForm;
  /** Number of `box` in the tiling scheme. Default 0. */
  readonly index?: number;
  /** Number of its first frame among the selected positions. Default: its position. */
  readonly row?: number;
}

/**
 * A stack of (parts of) frames. Its memory is reused for the next tile: copy what you keep.
 * @category Tiles
 */
export class Tile<A extends TypedArray = TypedArray> {
  /** Flat scan positions of its frames, ascending. */
  readonly positions: ArrayLike<number>;
  /** Which part of the frames it shows. */
  readonly box: Box;
  /** Number of frames. */
  readonly frames: number;
  /** Samples per frame of this tile. */
  readonly pixels: number;
  /** Number of {@link box} in the tiling scheme. */
  readonly index: number;
  readonly #row: number;
  readonly #navShape: Shape;
  readonly #convert: Convert<A>;
  readonly #sparse: SparseForm;
  readonly #raw: RawSamples | (() => RawSamples);
  #data: A | undefined;

  /** The tile that `init` describes. */
  constructor(
    { raw, positions, box, navShape, convert, sparse = noSparse, index = 0, row }: TileInit<A>,
  ) {
    this.#raw = raw;
    this.positions = positions;
    this.box = box;
    this.frames = positions.length;
    this.pixels = sizeOf(box.shape);
    this.index = index;
    this.#row = row ?? positions[0] ?? 0;
    this.#navShape = navShape;
    this.#convert = convert;
    this.#sparse = sparse;
  }

  /** The samples as they lie in memory, for kernels. */
  get raw(): RawSamples {
    return typeof this.#raw === "function" ? this.#raw() : this.#raw;
  }

  /** The samples: `frames × pixels` numbers in row-major order, of the dtype that the UDF takes. */
  get data(): A {
    return this.#data ??= this.#convert(this);
  }

  /** The samples that are not zero, frame by frame; for UDFs with the back end `csr`. */
  get csr(): CsrTile {
    return this.#sparse("csr");
  }

  /** The samples that are not zero, pixel by pixel; for UDFs with the back end `csc`. */
  get csc(): CscTile {
    return this.#sparse("csc");
  }

  /** The samples that are not zero, one by one; for UDFs with the back end `coo`. */
  get coo(): CooTile {
    return this.#sparse("coo");
  }

  /** Shape of {@link data}: frames, then the signal dimensions of the part. */
  get shape(): Shape {
    return [this.frames, ...this.box.shape];
  }

  /** Samples along the last signal dimension. */
  get rowLength(): number {
    return this.box.shape.at(-1) ?? 1;
  }

  /** Rows per frame of this tile: pixels / rowLength. */
  get rows(): number {
    return this.pixels / this.rowLength;
  }

  /** Scan coordinates of frame `i` of this tile. */
  coordinates(i: number): number[] {
    return unravel(this.positions[i]!, this.#navShape);
  }

  /** Scan coordinates of all frames of this tile: `frames × navShape.length` numbers in row-major order. */
  get allCoordinates(): Int32Array {
    const dims = this.#navShape.length;
    const table = new Int32Array(this.frames * dims);
    for (let i = 0; i < this.frames; i++) table.set(this.coordinates(i), i * dims);
    return table;
  }

  /** Its place: number of its first frame among the selected positions, then the origin of {@link box}. */
  get slice(): Box {
    return makeBox([this.#row, ...this.box.origin], this.shape);
  }

  /** Frame `i` of this tile, as a tile of one frame. */
  frame(i: number): Tile<A> {
    const raw = () => ({ ...this.raw, pointer: this.raw.pointer + i * this.raw.frameStride });
    const convert = () => {
      const units = this.data.length / this.frames;
      return this.data.subarray(i * units, (i + 1) * units) as A;
    };
    return new Tile({
      raw,
      positions: [this.positions[i]!],
      box: this.box,
      navShape: this.#navShape,
      convert,
      sparse: (form) => this.#sparse(form, i),
      index: this.index,
      row: this.#row + i,
    });
  }
}

const noSparse: SparseForm = (form) => {
  const text = `This tile has no form "${form}": tiles have it for UDFs that get the back end ${form}`;
  throw new TilewiseError("udf", text, { expected: form });
};

// Sparse forms of a tile: a matrix of frames × pixels (of the part of the frame that the tile shows), without zeros.
//
// The arrays lie in the memory of the kernels: `array.byteOffset` is the address that a kernel takes. The memory is
// reused for the next tile.

/**
 * Frame by frame: frame `f` has the entries `indptr[f]` to `indptr[f + 1] − 1`.
 * @category Tiles
 */
export interface CsrTile {
  /** `frames + 1` entry numbers; the first need not be 0. */
  readonly indptr: Int32Array;
  /** The pixel of each entry; pixels ascend within a frame, without duplicates. */
  readonly indices: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * Pixel by pixel: pixel `p` has the entries `indptr[p]` to `indptr[p + 1] − 1`.
 * @category Tiles
 */
export interface CscTile {
  /** `pixels + 1` entry numbers, from 0. */
  readonly indptr: Int32Array;
  /** The frame of each entry; frames ascend within a pixel, without duplicates. */
  readonly indices: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * Entry by entry: frames ascend, and pixels ascend within a frame.
 * @category Tiles
 */
export interface CooTile {
  /** The frame of each entry, counted from the first of the tile. */
  readonly rows: Int32Array;
  /** The pixel of each entry. */
  readonly columns: Int32Array;
  /** The sample of each entry, of the dtype that the UDF takes. */
  readonly data: TypedArray;
  /** Frames, pixels. */
  readonly shape: readonly [frames: number, pixels: number];
}

/**
 * The sparse forms by the name of their back end.
 * @category Tiles
 */
export interface SparseTiles {
  /** Frame by frame. */
  readonly csr: CsrTile;
  /** Pixel by pixel. */
  readonly csc: CscTile;
  /** Entry by entry. */
  readonly coo: CooTile;
}

/**
 * Gives a sparse form of a tile, or of its frame number `frame`.
 * @category Tiles
 */
export type SparseForm = <F extends keyof SparseTiles>(form: F, frame?: number) => SparseTiles[F];
