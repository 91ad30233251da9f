/**
 * A tile as a UDF sees it: a stack of (parts of) frames, as a typed array or as an address for kernels.
 *
 * @module
 */

import type { Box } from "../space/box.ts";
import type { ByteOrder, DType, TypedArray } from "../space/dtype.ts";
import { type Shape, sizeOf, unravel } from "../space/shape.ts";

/** Samples as they lie in memory, for kernels. */
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

/** Gives the samples of a tile as dense native-endian numbers of the dtype that the UDF takes. */
export type Convert = (tile: Tile) => TypedArray;

/** What a {@link Tile} is made from. */
export interface TileInit {
  /** The samples. */
  readonly raw: RawSamples;
  /** Flat scan positions of its frames, ascending. */
  readonly positions: ArrayLike<number>;
  /** Which part of the frames it shows. */
  readonly box: Box;
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Makes {@link Tile.data}. */
  readonly convert: Convert;
}

/** A stack of (parts of) frames. Its memory is used again for the next tile: copy what you keep. */
export class Tile {
  /** The samples as they lie in memory, for kernels. */
  readonly raw: RawSamples;
  /** Flat scan positions of its frames, ascending. */
  readonly positions: ArrayLike<number>;
  /** Which part of the frames it shows. */
  readonly box: Box;
  /** Number of frames. */
  readonly frames: number;
  /** Samples a frame of this tile. */
  readonly pixels: number;
  readonly #navShape: Shape;
  readonly #convert: Convert;
  #data: TypedArray | undefined;

  /** The tile that `init` describes. */
  constructor({ raw, positions, box, navShape, convert }: TileInit) {
    this.raw = raw;
    this.positions = positions;
    this.box = box;
    this.frames = positions.length;
    this.pixels = sizeOf(box.shape);
    this.#navShape = navShape;
    this.#convert = convert;
  }

  /** The samples: `frames × pixels` numbers in row-major order, of the dtype that the UDF takes. */
  get data(): TypedArray {
    return this.#data ??= this.#convert(this);
  }

  /** Shape of {@link data}: frames, then the signal dimensions of the part. */
  get shape(): Shape {
    return [this.frames, ...this.box.shape];
  }

  /** Samples along the last signal dimension. */
  get rowLength(): number {
    return this.box.shape.at(-1) ?? 1;
  }

  /** Rows a frame of this tile: pixels / rowLength. */
  get rows(): number {
    return this.pixels / this.rowLength;
  }

  /** Scan coordinates of frame `i` of this tile. */
  coordinates(i: number): number[] {
    return unravel(this.positions[i]!, this.#navShape);
  }

  /** Frame `i` alone. */
  frame(i: number): Tile {
    const raw = { ...this.raw, pointer: this.raw.pointer + i * this.raw.frameStride };
    const convert = () => {
      const units = this.data.length / this.frames;
      return this.data.subarray(i * units, (i + 1) * units) as TypedArray;
    };
    return new Tile({
      raw,
      positions: [this.positions[i]!],
      box: this.box,
      navShape: this.#navShape,
      convert,
    });
  }
}
