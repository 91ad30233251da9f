/**
 * Shows tiles to a UDF: in its dtype, in the forms that it takes, as copies, or guarded.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sizeOf } from "../../space/shape.ts";
import type { SparseForm } from "../interface/sparse_tile.ts";
import { type Convert, Tile, type TileInit } from "../interface/tile.ts";
import type { Udf, UdfMeta } from "../interface/udf.ts";
import type { TileForms } from "./tile_forms.ts";
import type { TileGuard } from "./tile_guard.ts";
import { convertedSamples, widerDType } from "./widen.ts";

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
