/**
 * The sparse forms of a tile, and the samples of sparse tiles; loaded for runs that have such tiles.
 *
 * @module
 */

import { sizeType } from "../../dataset/storage/common/size_type.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import type { FormSizes } from "./form_needs.ts";
import { type Convert, type CsrTile, type RawSamples, type SparseTiles, Tile } from "../interface/tile.ts";
import { converter } from "./convert.ts";
import type { SparseSource, TileSource } from "./tile_reader.ts";

/** What all forms of a tile have in common. */
export interface FormTools {
  /** The kernels. */
  readonly kernels: Kernels;
  /** The largest sizes of a tile. */
  readonly sizes: FormSizes;
  /** What the tile is made from. */
  readonly source: TileSource;
  /** Its frames. */
  readonly frames: number;
  /** Its pixels per frame. */
  readonly pixels: number;
  /** Its samples in the form that kernels take. */
  readonly raw: () => RawSamples;
  /** Gives dense tiles of `dtype`. */
  convertTo(dtype: DType): Convert;
  /** The address of a buffer. */
  place(name: string): number;
  /** Returns what `make` returns, calling it at most once per tile (or per frame of it; −1: all frames). */
  once<V>(key: string, frame: number, make: () => V): V;
}

/** Makes the sparse forms of each tile. */
export class SparseForms {
  /** `tools` belong to the tile that is processed. */
  constructor(private readonly tools: FormTools) {}

  /** The tile in a sparse form, or one frame of it; −1: all frames. */
  of(form: keyof SparseTiles, dtype: DType, frame: number): SparseTiles[keyof SparseTiles] {
    const whole = this.tools.once(`csr ${dtype}`, -1, () => this.#csr(dtype));
    const { indptr, indices, data } = whole;
    const csr = frame < 0 ? whole : {
      indptr: indptr.subarray(frame, frame + 2),
      indices,
      data,
      shape: [1, this.tools.pixels] as const,
    };
    if (form === "csr") return csr;
    return this.tools.once(
      `${form} ${dtype}`,
      frame,
      () => form === "csc" ? this.#csc(csr, dtype) : this.#coo(csr, dtype),
    );
  }

  /** The samples of a sparse block, zeros included. */
  filled({ block, first }: SparseSource): RawSamples {
    const dtype = this.tools.sizes.dtype;
    const frameStride = this.tools.pixels * dtypeInfo(dtype).itemSize;
    const pointer = this.tools.place("raw");
    const { indptr, indices, data, frames } = block;
    const fill = kernel(this.tools.kernels, "csr_dense", sizeType(dtype));
    fill(pointer, frameStride, indptr, indices, data, frames, first, this.tools.pixels);
    return { pointer, frameStride, dtype, byteOrder: "little" };
  }

  #csr(dtype: DType): CsrTile {
    const source = this.tools.source;
    if (!("block" in source)) return this.#gathered(dtype);
    const cut = this.tools.once("cut", -1, () => this.#cut(source));
    if (dtype === this.tools.sizes.dtype) return cut;
    const entries = cut.data.length;
    const box = { origin: [0], shape: [entries] };
    const raw = {
      pointer: cut.data.byteOffset,
      frameStride: cut.data.byteLength,
      dtype: this.tools.sizes.dtype,
      byteOrder: "little",
    } as const;
    const convert = converter(this.tools.kernels, dtype, this.tools.place(`csr data ${dtype}`));
    return { ...cut, data: new Tile({ raw, positions: [0], box, navShape: [1], convert }).data };
  }

  /** The entries of a sparse block that belong to this tile. */
  #cut({ block, first }: SparseSource): CsrTile {
    const { dtype, parts } = this.tools.sizes;
    if (!parts) return this.#show(block.indptr, block.indices, block.data, dtype);
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) =>
      this.tools.place(`cut ${name}`)
    );
    const cut = kernel(this.tools.kernels, "csr_cut", sizeType(dtype));
    cut(
      indptr!,
      indices!,
      data!,
      block.indptr,
      block.indices,
      block.data,
      block.frames,
      first,
      this.tools.pixels,
    );
    return this.#show(indptr!, indices!, data!, dtype);
  }

  /** The non-zero samples of a dense tile. */
  #gathered(dtype: DType): CsrTile {
    const tile = new Tile({
      raw: this.tools.raw,
      positions: Array.from({ length: this.tools.frames }, () => 0),
      box: { origin: [0], shape: [this.tools.pixels] },
      navShape: [1],
      convert: this.tools.convertTo(dtype),
    });
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) =>
      this.tools.place(`csr ${name} ${dtype}`)
    );
    const stride = this.tools.pixels * dtypeInfo(dtype).itemSize;
    const gather = kernel(this.tools.kernels, "dense_csr", sizeType(dtype));
    gather(indptr!, indices!, data!, tile.data.byteOffset, this.tools.frames, stride, this.tools.pixels);
    return this.#show(indptr!, indices!, data!, dtype);
  }

  #show(pointer: number, columns: number, samples: number, dtype: DType): CsrTile {
    const indptr = this.#ints(pointer, this.tools.frames + 1);
    const entries = indptr[this.tools.frames]!;
    const data = typedArray(dtype, this.tools.kernels.memory.buffer, samples, entries);
    return {
      indptr,
      indices: this.#ints(columns, entries),
      data,
      shape: [this.tools.frames, this.tools.pixels],
    };
  }

  #csc(csr: CsrTile, dtype: DType): SparseTiles["csc"] {
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) =>
      this.tools.place(`csc ${name} ${dtype}`)
    );
    const frames = csr.shape[0];
    const entries = csr.indptr[frames]! - csr.indptr[0]!;
    const transpose = kernel(this.tools.kernels, "csr_csc", sizeType(dtype));
    transpose(indptr!, indices!, data!, ...addresses(csr), frames, this.tools.pixels);
    return {
      indptr: this.#ints(indptr!, this.tools.pixels + 1),
      indices: this.#ints(indices!, entries),
      data: typedArray(dtype, this.tools.kernels.memory.buffer, data!, entries),
      shape: csr.shape,
    };
  }

  #coo({ indptr, indices, data, shape }: CsrTile, dtype: DType): SparseTiles["coo"] {
    const rows = this.tools.place(`coo rows ${dtype}`);
    const [from, to] = [indptr[0]!, indptr[shape[0]]!];
    this.tools.kernels.exports.csr_coo_i32(rows, indptr.byteOffset, shape[0]);
    const units = data.length === 0 ? 1 : data.length / indices.length;
    return {
      rows: this.#ints(rows, to - from),
      columns: indices.subarray(from, to),
      data: data.subarray(from * units, to * units),
      shape,
    };
  }

  #ints(pointer: number, length: number): Int32Array {
    return new Int32Array(this.tools.kernels.memory.buffer as ArrayBuffer, pointer, length);
  }
}

function addresses({ indptr, indices, data }: CsrTile): [number, number, number] {
  return [indptr.byteOffset, indices.byteOffset, data.byteOffset];
}
