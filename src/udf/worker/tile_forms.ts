/**
 * The forms of one tile on one worker: made when a UDF first reads them, then shared by all UDFs of the run.
 *
 * ```
 * dense data   raw ─▶ dense[T] ─▶ csr[T] ─▶ csc[T], coo[T]        T: the type that a UDF takes
 * sparse data  block ─▶ cut ─▶ csr[T] ─▶ csc[T], coo[T]           cut: the part of the frames, where tiles are parts
 *                  └──▶ raw ─▶ dense[T]
 * ```
 *
 * @module
 */

import type { CsrBlock } from "../../dataset/storage/sparse/csr_block.ts";
import { sizeType } from "../../dataset/storage/common/size_type.ts";
import { TilewiseError } from "../../errors.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Fences } from "../../memory/fences.ts";
import type { Slab } from "../../memory/slab.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../space/dtype.ts";
import { converter } from "./convert.ts";
import { formBuffers, type FormNeed, type FormSizes, ownName } from "../buffers/form_buffers.ts";
import type { CsrTile, SparseForm, SparseTiles } from "../interface/sparse_tile.ts";
import { type Convert, type RawSamples, Tile } from "../interface/tile.ts";

/** What a tile is made from: dense samples, or a part of a block of sparse frames, starting at pixel `first`. */
export type TileSource = RawSamples | { readonly block: CsrBlock; readonly first: number };

/** What a {@link TileForms} is made from. */
export interface TileFormsInit {
  /** The kernels. */
  readonly kernels: Kernels;
  /** The slab that has the buffers of {@link formBuffers}. */
  readonly slab: Slab;
  /** The largest sizes of a tile. */
  readonly sizes: FormSizes;
  /** The forms that UDFs need. */
  readonly needs: readonly FormNeed[];
}

/** A form that was made, its tile, and the frame of the tile (−1: all frames). */
interface Made<V> {
  readonly turn: number;
  readonly frame: number;
  readonly value: V;
}

/** Makes the forms of each tile. */
export class TileForms {
  readonly #kernels: Kernels;
  readonly #sizes: FormSizes;
  readonly #places: ReadonlyMap<string, number>;
  readonly #made = new Map<string, Made<unknown>>();
  readonly #converters = new Map<DType, Convert>();
  #source!: TileSource;
  #frames = 0;
  #pixels = 0;
  #turn = 0;
  readonly #needs: readonly FormNeed[];
  readonly #fences: Fences | undefined;

  /** Takes the buffers for all forms that are needed. */
  constructor({ kernels, slab, sizes, needs }: TileFormsInit) {
    this.#kernels = kernels;
    this.#sizes = sizes;
    this.#needs = needs;
    this.#fences = slab.fenced?.fences;
    const buffers = formBuffers(sizes, needs);
    this.#places = new Map([...buffers].map(([name, bytes]) => [name, slab.take(bytes, "tiles")]));
  }

  /** Starts the next tile: all forms of the previous one become invalid. */
  begin(source: TileSource, frames: number, pixels: number): void {
    this.#source = source;
    this.#frames = frames;
    this.#pixels = pixels;
    this.#turn++;
    if (this.#fences) this.#outline(this.#fences);
  }

  /** In tests with fences: makes buffers exactly as large as this tile needs, and clears the data of the last tile. */
  #outline(fences: Fences): void {
    const now = formBuffers({ ...this.#sizes, frames: this.#frames, pixels: this.#pixels }, this.#needs);
    for (const [name, most] of formBuffers(this.#sizes, this.#needs)) {
      const pointer = this.#place(name);
      fences.raise(pointer, pointer + most);
      fences.allow(pointer, now.get(name)!, name);
    }
  }

  /** The samples in the form that kernels take; samples of sparse data include zeros. */
  readonly raw = (): RawSamples => {
    const source = this.#source;
    return "block" in source ? this.#once("raw", -1, () => this.#filled(source)) : source;
  };

  /** Gives dense tiles of `dtype`. */
  convertTo(dtype: DType): Convert {
    return (tile) => this.#once(`dense ${dtype}`, -1, () => this.#converter(dtype)(tile));
  }

  /** Gives dense tiles of `dtype` that UDF `u` may change: copies. */
  ownOf(u: number, dtype: DType): Convert {
    const shared = this.convertTo(dtype);
    return (tile) =>
      this.#once(ownName(u), -1, () => this.#copy(shared(tile), dtype, this.#place(ownName(u))));
  }

  #copy(data: TypedArray, dtype: DType, place: number): TypedArray {
    const { buffer } = this.#kernels.memory;
    new Uint8Array(buffer).copyWithin(place, data.byteOffset, data.byteOffset + data.byteLength);
    return typedArray(dtype, buffer, place, this.#frames * this.#pixels);
  }

  /** Gives sparse tiles of `dtype`. */
  sparseOf(dtype: DType): SparseForm {
    return <F extends keyof SparseTiles>(form: F, frame = -1) =>
      this.#sparse(form, dtype, frame) as SparseTiles[F];
  }

  #sparse(form: keyof SparseTiles, dtype: DType, frame: number): SparseTiles[keyof SparseTiles] {
    const whole = this.#once(`csr ${dtype}`, -1, () => this.#csr(dtype));
    const { indptr, indices, data } = whole;
    const csr = frame < 0 ? whole : {
      indptr: indptr.subarray(frame, frame + 2),
      indices,
      data,
      shape: [1, this.#pixels] as const,
    };
    if (form === "csr") return csr;
    return this.#once(
      `${form} ${dtype}`,
      frame,
      () => form === "csc" ? this.#csc(csr, dtype) : this.#coo(csr, dtype),
    );
  }

  /** Returns what `make` returns, calling it at most once per tile (or per frame of it). */
  #once<V>(key: string, frame: number, make: () => V): V {
    const found = this.#made.get(key);
    if (found?.turn === this.#turn && found.frame === frame) return found.value as V;
    const value = make();
    this.#made.set(key, { turn: this.#turn, frame, value });
    return value;
  }

  #filled({ block, first }: { block: CsrBlock; first: number }): RawSamples {
    const dtype = this.#sizes.dtype;
    const frameStride = this.#pixels * dtypeInfo(dtype).itemSize;
    const pointer = this.#place("raw");
    const { indptr, indices, data, frames } = block;
    const fill = kernel(this.#kernels, "csr_dense", sizeType(dtype));
    fill(pointer, frameStride, indptr, indices, data, frames, first, this.#pixels);
    return { pointer, frameStride, dtype, byteOrder: "little" };
  }

  #csr(dtype: DType): CsrTile {
    const source = this.#source;
    if (!("block" in source)) return this.#gathered(dtype);
    const cut = this.#once("cut", -1, () => this.#cut(source));
    if (dtype === this.#sizes.dtype) return cut;
    const entries = cut.data.length;
    const box = { origin: [0], shape: [entries] };
    const raw = {
      pointer: cut.data.byteOffset,
      frameStride: cut.data.byteLength,
      dtype: this.#sizes.dtype,
      byteOrder: "little",
    } as const;
    const convert = converter(this.#kernels, dtype, this.#place(`csr data ${dtype}`));
    return { ...cut, data: new Tile({ raw, positions: [0], box, navShape: [1], convert }).data };
  }

  /** The entries of a sparse block that belong to this tile. */
  #cut({ block, first }: { block: CsrBlock; first: number }): CsrTile {
    const { dtype, parts } = this.#sizes;
    if (!parts) return this.#show(block.indptr, block.indices, block.data, dtype);
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) => this.#place(`cut ${name}`));
    const cut = kernel(this.#kernels, "csr_cut", sizeType(dtype));
    cut(indptr!, indices!, data!, block.indptr, block.indices, block.data, block.frames, first, this.#pixels);
    return this.#show(indptr!, indices!, data!, dtype);
  }

  /** The non-zero samples of a dense tile. */
  #gathered(dtype: DType): CsrTile {
    const tile = new Tile({
      raw: this.raw,
      positions: Array.from({ length: this.#frames }, () => 0),
      box: { origin: [0], shape: [this.#pixels] },
      navShape: [1],
      convert: this.convertTo(dtype),
    });
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) =>
      this.#place(`csr ${name} ${dtype}`)
    );
    const stride = this.#pixels * dtypeInfo(dtype).itemSize;
    const gather = kernel(this.#kernels, "dense_csr", sizeType(dtype));
    gather(indptr!, indices!, data!, tile.data.byteOffset, this.#frames, stride, this.#pixels);
    return this.#show(indptr!, indices!, data!, dtype);
  }

  #show(pointer: number, columns: number, samples: number, dtype: DType): CsrTile {
    const indptr = this.#ints(pointer, this.#frames + 1);
    const entries = indptr[this.#frames]!;
    const data = typedArray(dtype, this.#kernels.memory.buffer, samples, entries);
    return { indptr, indices: this.#ints(columns, entries), data, shape: [this.#frames, this.#pixels] };
  }

  #csc(csr: CsrTile, dtype: DType): SparseTiles["csc"] {
    const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) =>
      this.#place(`csc ${name} ${dtype}`)
    );
    const frames = csr.shape[0];
    const entries = csr.indptr[frames]! - csr.indptr[0]!;
    const transpose = kernel(this.#kernels, "csr_csc", sizeType(dtype));
    transpose(indptr!, indices!, data!, ...addresses(csr), frames, this.#pixels);
    return {
      indptr: this.#ints(indptr!, this.#pixels + 1),
      indices: this.#ints(indices!, entries),
      data: typedArray(dtype, this.#kernels.memory.buffer, data!, entries),
      shape: csr.shape,
    };
  }

  #coo({ indptr, indices, data, shape }: CsrTile, dtype: DType): SparseTiles["coo"] {
    const rows = this.#place(`coo rows ${dtype}`);
    const [from, to] = [indptr[0]!, indptr[shape[0]]!];
    this.#kernels.exports.csr_coo_i32(rows, indptr.byteOffset, shape[0]);
    const units = data.length === 0 ? 1 : data.length / indices.length;
    return {
      rows: this.#ints(rows, to - from),
      columns: indices.subarray(from, to),
      data: data.subarray(from * units, to * units),
      shape,
    };
  }

  #converter(dtype: DType): Convert {
    const found = this.#converters.get(dtype) ??
      converter(this.#kernels, dtype, this.#place(`dense ${dtype}`));
    this.#converters.set(dtype, found);
    return found;
  }

  #ints(pointer: number, length: number): Int32Array {
    return new Int32Array(this.#kernels.memory.buffer as ArrayBuffer, pointer, length);
  }

  #place(name: string): number {
    const place = this.#places.get(name);
    if (place !== undefined) return place;
    const text = `Tiles have no form "${name}" here: a UDF gets those of its back end, which are ${
      [...this.#places.keys()].join(", ") || "none"
    }`;
    throw new TilewiseError("udf", text, { expected: name });
  }
}

function addresses({ indptr, indices, data }: CsrTile): [number, number, number] {
  return [indptr.byteOffset, indices.byteOffset, data.byteOffset];
}
