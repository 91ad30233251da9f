/** Every way to take a result, with options drawn at random: a new kind of file joins by its ending in the registry. */

import { open } from "../../../src/formats/open.ts";
import type { Context } from "../../../src/runner/context.ts";
import { copyBox } from "../../../src/memory/copy_box.ts";
import { viewOf } from "../../../src/memory/strided.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { type NDArray, zeroArray } from "../../../src/space/ndarray.ts";
import type { Shape } from "../../../src/space/shape.ts";
import type { MapBlock } from "../../../src/views/map/blocks.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import type { AnySink, BlockFunction, MapSink } from "../../../src/views/map/map_plan.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink, type FileSinkOptions } from "../../../src/views/sinks/registry.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";

/** Numbers from 0 to `below - 1`, the same for the same seed. */
export type Draw = (below: number) => number;

/** Makes such numbers. */
export function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A sink, and what it took, once the run has ended. */
export interface Taken<D extends DType = DType> {
  /** What it is, for messages. */
  readonly name: string;
  readonly sink: AnySink<D>;
  readonly result: (context: Context) => Promise<NDArray<D>>;
}

const pick = <T>(draw: Draw, ...all: readonly [T, ...T[]]): T => all[draw(all.length)]!;

function zarrOptions(draw: Draw, shape: Shape, isArchive: boolean): FileSinkOptions {
  const chunk = shape.map((n, d) => d < shape.length - 2 ? 1 + draw(3) : Math.min(2 * n, 16 * (1 + draw(4))));
  const format = pick(draw, 2, 3);
  const compression = pick(draw, "none", "zstd", "gzip", "blosc");
  const shard = pick(draw, undefined, chunk.map((n) => n * (1 + draw(3))));
  const hasShards = format === 3 && !isArchive && shard;
  return draw(4) === 0 ? {} : { chunk, format, compression, ...hasShards ? { shard } : {} };
}

function tiffOptions(draw: Draw): FileSinkOptions {
  const compression = pick(draw, "none", "deflate", "zstd", "lzw", "packbits");
  const [rows, columns] = [16 * (1 + draw(4)), 16 * (1 + draw(5))];
  const more = { compression, predictor: draw(2) === 0, big: draw(4) === 0 };
  return draw(4) === 0 ? {} : { tile: [rows, columns], ...more };
}

/** Options of a file with this ending. */
function optionsFor(ending: string, draw: Draw, shape: Shape): FileSinkOptions {
  if (!/zarr|zspy|tiff?$/.test(ending)) return {};
  if (ending === ".zspy") {
    const { chunk, compression } = zarrOptions(draw, shape, true);
    return chunk && compression ? { chunk, compression } : {};
  }
  const levels = shape.length < 2
    ? 1
    : ending.includes("ome")
    ? pick<"auto" | number>(draw, "auto", 1, 2)
    : pick(draw, 1, 2);
  const own = ending.includes("zarr") ? zarrOptions(draw, shape, ending.endsWith(".zip")) : tiffOptions(draw);
  return { ...own, levels };
}

/** Files of all kinds that take a result of this shape, in `folder`. */
export function fileSinks<D extends DType>(draw: Draw, shape: Shape, folder: string): Taken<D>[] {
  const takes = (ending: string) => {
    if (/tiff?$/.test(ending) && shape.length < 2) return false;
    return !ending.includes("ome") || (shape.length >= 2 && shape.length <= 5);
  };
  return endingsFor("results").filter(takes).map((ending) => {
    const path = `${folder}/${draw(2 ** 30)}${ending}`;
    const options = optionsFor(ending, draw, shape);
    const result = async (context: Context) =>
      await mapViews(await open(path), copySamples(), { context }) as NDArray<D>;
    return { name: `${ending} ${JSON.stringify(options)}`, sink: fileSink(path, options), result };
  });
}

/** A function of bands, and a sink of tiles in any order, which put a result of this shape together. */
export function blockSinks<D extends DType>(shape: Shape, dtype: D): Taken<D>[] {
  const [bands, tiles] = [zeroArray(shape, dtype), zeroArray(shape, dtype)];
  const into = (whole: NDArray<D>) => ({ data, shape: part, origin }: MapBlock<D>) => {
    const box = { origin: part.map(() => 0), shape: part };
    copyBox(viewOf(data, dtype, part), box, viewOf(whole.data, dtype, shape), origin);
  };
  const sink: MapSink<D> = {
    takes: "tiles",
    async write(_, blocks) {
      for await (const block of blocks) into(tiles)(block);
    },
  };
  const ofBands: BlockFunction<D> = into(bands);
  return [
    { name: "a function", sink: ofBands, result: () => Promise.resolve(bands) },
    { name: "tiles", sink, result: () => Promise.resolve(tiles) },
  ];
}

/** All of them. */
export function everySink<D extends DType>(
  draw: Draw,
  { shape, dtype }: { readonly shape: Shape; readonly dtype: D },
  folder: string,
): Taken<D>[] {
  return [...fileSinks<D>(draw, shape, folder), ...blockSinks(shape, dtype)];
}
