/**
 * The worker side of a tile cache: loads a tile to its slot. A tile that cannot be loaded is a result like any other,
 * so that it does not end the run.
 *
 * @module
 */

import { toWire, type WireError } from "../../../errors.ts";
import type { JobHandler, WorkerContext } from "../../../executor/task.ts";
import { instantiateKernels, type KernelCode } from "../../../kernels/bind.ts";
import { Slab } from "../../../memory/slab.ts";
import type { DType } from "../../../space/dtype.ts";
import type { Shape } from "../../../space/shape.ts";
import { openSlotLoader } from "./load_tile.ts";
import type { LoaderSpec } from "./loader_spec.ts";

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
