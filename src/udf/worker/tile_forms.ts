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

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Fences } from "../../memory/fencing.ts";
import type { Slab } from "../../memory/slab.ts";
import { type DType, type TypedArray, typedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { formBuffers, type FormNeed, type FormSizes, ownName } from "./form_needs.ts";
import {
  type Convert,
  type RawSamples,
  type SparseForm,
  type SparseTiles,
  Tile,
  type TileInit,
} from "../interface/tile.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import type { converter } from "./convert.ts";
import type { FormTools, SparseForms } from "./sparse_forms.ts";
import type { TileGuard } from "./tile_guard.ts";
import type { TileSource } from "./tile_reader.ts";
import { convertedSamples, widerDType } from "./widen.ts";

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
  /** Makes sparse forms, if there are any. */
  readonly Sparse: typeof SparseForms | undefined;
  /** Gives samples another type, if a UDF needs that. */
  readonly converter: typeof converter | undefined;
}

/** A form that was made, its tile, and the frame of the tile (−1: all frames). */
interface Made<V> {
  readonly turn: number;
  readonly frame: number;
  readonly value: V;
}

/** Makes the forms of each tile. */
export class TileForms implements FormTools {
  /** The kernels. */
  readonly kernels: Kernels;
  /** The largest sizes of a tile. */
  readonly sizes: FormSizes;
  /** What the tile is made from. */
  source!: TileSource;
  /** Its frames. */
  frames = 0;
  /** Its pixels per frame. */
  pixels = 0;
  readonly #places: ReadonlyMap<string, number>;
  readonly #made = new Map<string, Made<unknown>>();
  readonly #converters = new Map<DType, Convert>();
  #turn = 0;
  readonly #sparse: SparseForms | undefined;
  readonly #converting: typeof converter | undefined;
  readonly #needs: readonly FormNeed[];
  readonly #fences: Fences | undefined;

  /** Takes the buffers for all forms that are needed. */
  constructor({ kernels, slab, sizes, needs, Sparse, converter }: TileFormsInit) {
    this.kernels = kernels;
    this.sizes = sizes;
    this.#sparse = Sparse && new Sparse(this);
    this.#converting = converter;
    this.#needs = needs;
    this.#fences = slab.fenced?.fences;
    const buffers = formBuffers(sizes, needs);
    this.#places = new Map([...buffers].map(([name, bytes]) => [name, slab.take(bytes, "tiles")]));
  }

  /** Starts the next tile: all forms of the previous one become invalid. */
  begin(source: TileSource, frames: number, pixels: number): void {
    this.source = source;
    this.frames = frames;
    this.pixels = pixels;
    this.#turn++;
    if (this.#fences) this.#outline(this.#fences);
  }

  /** In tests with fences: makes buffers exactly as large as this tile needs, and clears the data of the last tile. */
  #outline(fences: Fences): void {
    const now = formBuffers({ ...this.sizes, frames: this.frames, pixels: this.pixels }, this.#needs);
    for (const [name, most] of formBuffers(this.sizes, this.#needs)) {
      const pointer = this.place(name);
      fences.raise(pointer, pointer + most);
      fences.allow(pointer, now.get(name)!, name);
    }
  }

  /** The samples in the form that kernels take; samples of sparse data include zeros. */
  readonly raw = (): RawSamples => {
    const source = this.source;
    return "block" in source ? this.once("raw", -1, () => this.#sparsely("raw").filled(source)) : source;
  };

  /** Gives dense tiles of `dtype`. */
  convertTo(dtype: DType): Convert {
    return (tile) => this.once(`dense ${dtype}`, -1, () => this.#converter(dtype)(tile));
  }

  /** Gives dense tiles of `dtype` that UDF `u` may change: copies. */
  ownOf(u: number, dtype: DType): Convert {
    const shared = this.convertTo(dtype);
    return (tile) => this.once(ownName(u), -1, () => this.#copy(shared(tile), dtype, this.place(ownName(u))));
  }

  #copy(data: TypedArray, dtype: DType, place: number): TypedArray {
    const { buffer } = this.kernels.memory;
    new Uint8Array(buffer).copyWithin(place, data.byteOffset, data.byteOffset + data.byteLength);
    return typedArray(dtype, buffer, place, this.frames * this.pixels);
  }

  /** Gives sparse tiles of `dtype`. */
  sparseOf(dtype: DType): SparseForm {
    return <F extends keyof SparseTiles>(form: F, frame = -1) =>
      this.#sparsely(form).of(form, dtype, frame) as SparseTiles[F];
  }

  #sparsely(form: string): SparseForms {
    return this.#sparse ?? this.#fail(form);
  }

  /** Returns what `make` returns, calling it at most once per tile (or per frame of it; −1: all frames). */
  once<V>(key: string, frame: number, make: () => V): V {
    const found = this.#made.get(key);
    if (found?.turn === this.#turn && found.frame === frame) return found.value as V;
    const value = make();
    this.#made.set(key, { turn: this.#turn, frame, value });
    return value;
  }

  #converter(dtype: DType): Convert {
    const name = `dense ${dtype}`;
    const place = this.place(name);
    const convert = this.#converting ?? this.#fail(name);
    const found = this.#converters.get(dtype) ?? convert(this.kernels, dtype, place);
    this.#converters.set(dtype, found);
    return found;
  }

  /** The address of a buffer. */
  place(name: string): number {
    return this.#places.get(name) ?? this.#fail(name);
  }

  #fail(name: string): never {
    const text = `Tiles have no form "${name}" here: a UDF gets those of its back end, which are ${
      [...this.#places.keys()].join(", ") || "none"
    }`;
    throw new TilewiseError("udf", text, { expected: name });
  }
}

// Shows tiles to a UDF: in its dtype, in the forms that it takes, as copies, or guarded.

/** How a UDF sees its tiles. */
export interface Seeing {
  /** Whether it may change its tiles: they are copies. */
  readonly own: boolean;
  /** Detects whether the UDF changes shared data. */
  readonly guard?: TileGuard;
}

/** A tile as it was read, with the positions of its frames. */
export type ReadTile = Omit<TileInit, "convert" | "sparse"> & { readonly positions: Uint32Array };

/** Makes the tiles of one UDF. */
export class TileView {
  readonly #convert: Convert;
  readonly #sparse: SparseForm;
  readonly #widen: Convert | undefined;
  readonly #memory: WebAssembly.Memory;

  /** The view of UDF number `number`; its samples lie in `memory`. */
  constructor(
    private readonly udf: Udf,
    number: number,
    private readonly meta: UdfMeta,
    forms: TileForms,
    memory: WebAssembly.Memory,
    private readonly seeing: Seeing,
  ) {
    const { inputDType, backend } = meta;
    const { own, guard } = seeing;
    this.#memory = memory;
    const wider = widerDType(udf, meta);
    this.#widen = wider && forms.convertTo(wider);
    const convert = own ? forms.ownOf(number, inputDType) : forms.convertTo(inputDType);
    this.#convert = udf.raw ? failRaw(udf) : own ? convert : guard?.dense(convert) ?? convert;
    const sparse = backend === "dense" ? failDense(udf) : forms.sparseOf(inputDType);
    this.#sparse = guard?.sparse(sparse) ?? sparse;
  }

  /** `tile` as the UDF sees it. */
  of(tile: ReadTile): Tile {
    const init = this.#guarded(tile);
    const [widen, convert, sparse] = [this.#widen, this.#convert, this.#sparse];
    if (!widen) return new Tile({ ...init, convert, sparse });
    const stored = new Tile({ ...init, convert: widen });
    return new Tile({
      ...init,
      raw: () => convertedSamples(stored, this.meta.inputDType),
      convert,
      sparse,
    });
  }

  /** Guards the data that the UDF must not change, if that is to be checked. */
  #guarded(init: ReadTile): ReadTile {
    const { guard } = this.seeing;
    if (!guard) return init;
    const { raw, positions, box } = init;
    guard.see("tile.positions", positions);
    if (!this.udf.raw) return init;
    const look = typeof raw === "function" ? raw : () => raw;
    return { ...init, raw: guard.raw(look, this.#memory, positions.length, sizeOf(box.shape)) };
  }
}

function failDense(udf: Udf): SparseForm {
  return (form) => {
    throw new TilewiseError(
      "udf",
      `UDF "${udf.name}" gets dense tiles in this run: they have no tile.${form}`,
    );
  };
}

function failRaw(udf: Udf): Convert {
  return () => {
    throw new TilewiseError("udf", `UDF "${udf.name}" is declared raw: it has tile.raw, but no tile.data`);
  };
}
