/**
 * Loads tiles to their slots, on any thread.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { withoutExits } from "../../../executor/exits.ts";
import type { Kernels } from "../../../kernels/bind.ts";
import type { Slab } from "../../../memory/slab.ts";
import { reasonOf } from "../../../reason.ts";
import { type DType, typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { ViewLoader } from "../../loader.ts";
import type { SingleLayout } from "../../plan.ts";
import { type LoaderSpec, makeLoader } from "./loader_spec.ts";
import type { TileLoader } from "./tile_loader.ts";

/** Fills slots. */
export interface SlotLoader {
  /** Loads tile `index` of the level at `place` in the list of levels to address `pointer`. */
  load(place: number, index: Shape, pointer: number, signal: AbortSignal): Promise<void>;
  /** Closes files, and loaders that were made here. */
  close(): Promise<void>;
}

/** What a {@link SlotLoader} needs. */
export interface SlotLoaderOptions {
  /** Where the slots are. */
  readonly kernels: Kernels;
  /** Memory for readers; not needed where they take none. */
  readonly slab?: Slab;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples of a tile, per level. */
  readonly tiles: readonly Shape[];
  /** The memories with the samples of arrays, per level, where they lie in one of WebAssembly. */
  readonly samples?: readonly (WebAssembly.Memory | undefined)[];
  /** Cancels the opening of files. */
  readonly signal: AbortSignal;
}

/** A loader on this thread. */
export async function openSlotLoader(spec: LoaderSpec, options: SlotLoaderOptions): Promise<SlotLoader> {
  if (spec.kind === "arrays") return await openArrays(spec.levels, options);
  const { kind, levels } = spec;
  const loader = kind === "module" ? await makeLoader(spec.loader) : spec.loader;
  const close = async () => await loader.close?.();
  return { ...userLoader(loader, levels, options), close };
}

async function openArrays(
  levels: readonly SingleLayout[],
  { kernels, slab, samples: memories = [], signal }: SlotLoaderOptions,
): Promise<SlotLoader> {
  const loaders: ViewLoader[] = [];
  const close = async () => {
    for (const loader of loaders) await loader[Symbol.asyncDispose]();
  };
  try {
    for (const [place, level] of levels.entries()) {
      const samples = memories[place];
      const optional = { ...(slab ? { slab } : {}), ...(samples ? { samples } : {}) };
      loaders.push(await ViewLoader.open(level, { kernels, signal, ...optional }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    load: async (place, index, pointer, signal) => void await loaders[place]!.load(index, pointer, signal),
    close,
  };
}

/** The loader of a user, whose errors get a code. */
function userLoader(
  loader: TileLoader,
  levels: readonly number[],
  { kernels: { memory }, dtype, tiles }: SlotLoaderOptions,
): Pick<SlotLoader, "load"> {
  return {
    load: async (place, index, pointer, signal) => {
      const target = typedArray(dtype, memory.buffer, pointer, sizeOf(tiles[place]!));
      try {
        await withoutExits(() => loader.load(index, levels[place]!, target as never, signal));
      } catch (error) {
        if (isTilewiseError(error)) throw error;
        throw new TilewiseError("udf", reasonOf(error), {}, { cause: error });
      }
    },
  };
}
