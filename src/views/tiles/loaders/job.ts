/**
 * The worker side of a tile cache: loads a tile to its slot. A tile that cannot be loaded is a result like any other,
 * so that it does not end the run.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { isTilewiseError, TilewiseError, toWire, type WireError } from "../../../errors.ts";
import { withoutExits } from "../../../executor/exits.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { instantiateKernels, type KernelCode, type Kernels } from "../../../kernels/bind.ts";
import { Slab } from "../../../memory/slab.ts";
import { reasonOf } from "../../../reason.ts";
import { type DType, typedArray } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { ViewLoader } from "../../loader.ts";
import type { SingleLayout } from "../../plan.ts";
import { type LoaderSpec, makeLoader, type TileLoader } from "./tile_loader.ts";

// Loads tiles to their slots, on any thread.

/** Fills slots. */
export interface SlotLoader {
  /** Loads tile `index` of the level at `place` in the list of levels to address `pointer`. */
  load(place: number, index: Shape, pointer: number, signal: AbortSignal): Promise<void>;
  /** Closes files, and loaders that were made here. */
  close(): Promise<void>;
}

/** What a {@link SlotLoader} needs. */
interface SlotLoaderOptions {
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
      const optional = defined({ slab, samples });
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

/** What all tiles of a run share. */
export interface TileShared {
  /** How to get a loader. */
  readonly spec: LoaderSpec;
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples of a tile, per level. */
  readonly tiles: readonly Shape[];
  /** The kernels that reading needs. */
  readonly code: KernelCode;
  /** The memory of each worker. */
  readonly slabs: readonly { readonly offset: number; readonly byteLength: number }[];
  /** The memories with the samples of arrays, per level, if workers can reach them. */
  readonly samples?: readonly (WebAssembly.Memory | undefined)[];
}

/** One tile to load. */
export interface TileTask {
  /** Place of its level in the list of levels. */
  readonly place: number;
  /** Its index. */
  readonly index: Shape;
  /** Address of its slot. */
  readonly pointer: number;
  /** Bytes of a tile of its level. */
  readonly bytes: number;
  /** Which tile it is. */
  readonly key: number;
}

/** A tile that has been loaded, or has failed. */
export interface TileDone {
  /** Which tile. */
  readonly key: number;
  /** Milliseconds that it took. */
  readonly took: number;
  /** Why it failed. */
  readonly error?: WireError;
}

/** Milliseconds between signs of life: a loader may wait for a server as long as it likes. */
const BEAT = 2000;

/** Makes the handler of tiles on one worker. */
export async function tileJob(
  { spec, dtype, tiles, code, slabs, samples = [] }: TileShared,
  worker: WorkerContext,
): Promise<JobHandler<TileTask, TileDone>> {
  const kernels = instantiateKernels(worker.memory, code);
  const place = slabs[worker.index];
  const slab = place ? { slab: new Slab(worker.memory, place.offset, place.byteLength) } : {};
  const { signal } = worker;
  const loader = await openSlotLoader(spec, { kernels, dtype, tiles, samples, signal, ...slab });
  return {
    async run({ place, index, pointer, key }) {
      const started = performance.now();
      const beat = setInterval(() => worker.advance(0), BEAT);
      try {
        await loader.load(place, index, pointer, worker.signal);
        worker.advance(1);
        return { key, took: performance.now() - started };
      } catch (error) {
        return { key, took: performance.now() - started, error: toWire(error) };
      } finally {
        clearInterval(beat);
      }
    },
    close: () => loader.close(),
  };
}
