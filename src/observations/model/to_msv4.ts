/**
 * Sinks of predicted visibilities: a Measurement Set of version 4, or a `.npy` of rows, channels and correlations.
 *
 * @module
 */

import type { SinkContext, StartContext } from "../../hypercube/providers/context.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import { type OpenFiles, writing } from "../../hypercube/providers/sinks/under_way.ts";
import type { Beside } from "../../io/write/together.ts";
import { discard } from "../../portable.ts";
import { npyTiles } from "../../sinks/tiles/npy.ts";
import { TileFiles } from "../../sinks/tiles/tile_files.ts";
import { zarrTiles } from "../../sinks/tiles/zarr.ts";
import { mustBeStore } from "../../sinks/zarr/metadata.ts";
import { wholeBox } from "../../space/box.ts";
import { type ArrayOf, unitsOf } from "../../space/dtype.ts";
import { ndarray } from "../../space/ndarray.ts";
import { sizeOf } from "../../space/shape.ts";
import { isObserved, stored } from "./chunks.ts";
import { INTERVALS, MODEL, type ModelFacts, msv4Files, sampleArrays, TILED } from "./msv4_nodes.ts";

/** What is written besides the facts. */
export interface ToMsv4Options {
  /** Type of the visibilities. */
  readonly dtype: "complex64" | "complex128";
  /** Which of the predicted correlations are stored, in this order. */
  readonly select: readonly number[];
  /** u, v and w of rows; not finite where nothing was observed. */
  readonly uvw: (start: number, stop: number) => Promise<Float64Array>;
  /** Seconds of rows; not finite where nothing was observed. */
  readonly interval: (start: number, stop: number) => Promise<Float64Array>;
  /** What is added to a sample, by its number in the array: a pair. Default: nothing. */
  readonly added?: (index: number) => readonly [number, number];
  /** What lies beside it. */
  readonly beside?: Beside | undefined;
}

/**
 * A provider with a sink for `model_vis`, whose rows are `facts.grid` and whose tiles are times and channels. The store
 * appears when the run is complete, and replaces an older store; if the run fails, the older one is not changed.
 *
 * A name that ends with `.ps.zarr` is that of a processing set, with the Measurement Set in it.
 */
export function toMsv4(path: string, facts: ModelFacts, options: ToMsv4Options): Provider {
  return writing({
    name: `Measurement Set ${path}`,
    outputs: ["model_vis"],
    open: (context) => Msv4Files.open(path, facts, options, context),
  });
}

/** Where in the store `path` its Measurement Set is: empty, or a folder with a slash at its end. */
export function baseOf(path: string): string {
  const [, set] = /([^/\\]+)\.ps\.zarr$/i.exec(path) ?? [];
  return set === undefined ? "" : `${set}_0/`;
}

/** A Measurement Set that is being written. */
class Msv4Files implements OpenFiles {
  private constructor(
    private readonly facts: ModelFacts,
    private readonly options: ToMsv4Options,
    /** The arrays that are written tile by tile. */
    private readonly names: readonly string[],
    private readonly files: TileFiles,
  ) {}

  static async open(
    path: string,
    facts: ModelFacts,
    options: ToMsv4Options,
    { strides }: StartContext,
  ): Promise<Msv4Files> {
    const below = baseOf(path), base = below.slice(0, -1);
    const { observation: { frequencies }, grid } = facts;
    const extent = (dimension: string, size: number) => {
      const [, tile = size] = strides.find(([name]) => name === dimension) ?? [];
      return Math.max(1, Math.min(size, tile));
    };
    const chunk = [extent("ntime", grid.times), extent("nchan", frequencies.length)] as const;
    const arrays = sampleArrays(facts, { dtype: options.dtype, chunk });
    const documents = msv4Files(facts, arrays, base);
    const tiled = arrays.filter(([name]) => TILED.has(name) || name === (facts.name ?? MODEL));
    await mustBeStore(path);
    const files = await TileFiles.open(path, {
      kind: "folder",
      arrays: await Promise.all(tiled.map(([name, array]) => zarrTiles(`${below}${name}`, array))),
      documents: () => documents,
    }, { windows: tiled.map(([, { shape }]) => wholeBox(shape)) });
    return new Msv4Files(facts, options, tiled.map(([name]) => name), files);
  }

  /** Writes what belongs to the rows and channels of a tile. */
  async put(
    { data, extents: [[firstRow, lastRow] = [0, 0], [firstChannel] = [0, 0]] }: SinkContext,
  ): Promise<void> {
    const { facts: { name = MODEL }, options: { select, interval, added } } = this;
    const uvw = await this.options.uvw(firstRow, lastRow);
    const samples = stored({ data, select, uvw });
    const [, channels = 0, some = 0] = samples.shape;
    if (added) this.#add(samples.data, firstRow, firstChannel, channels);
    await this.#put(name, samples.dtype, samples.data, [firstRow, firstChannel], [channels, some]);
    const flags = new Uint8Array((lastRow - firstRow) * channels * some), each = channels * some;
    for (let row = 0; row < lastRow - firstRow; row++) {
      if (!isObserved(uvw, row)) flags.fill(1, row * each, (row + 1) * each);
    }
    discard(samples.data);
    await this.#put("FLAG", "bool", flags, [firstRow, firstChannel], [channels, some]);
    discard(flags);
    if (firstChannel > 0) return;
    await this.#put("UVW", "float64", uvw, [firstRow], [3]);
    await this.#put(INTERVALS, "float64", await interval(firstRow, lastRow), [firstRow], []);
  }

  /** Adds to the samples of a tile. */
  #add(samples: Float32Array | Float64Array, firstRow: number, firstChannel: number, channels: number): void {
    const some = this.options.select.length, all = this.facts.observation.frequencies.length;
    const each = channels * some;
    for (let at = 0; at < samples.length / 2; at++) {
      const row = firstRow + Math.floor(at / each);
      const [re, im] = this.options.added!((row * all + firstChannel) * some + at % each);
      samples[2 * at]! += re;
      samples[2 * at + 1]! += im;
    }
  }

  /** Writes rows, which are whole times, and what each of them has. */
  async #put<D extends "complex64" | "complex128" | "bool" | "float64">(
    name: string,
    dtype: D,
    data: ArrayOf<D>,
    [firstRow, firstChannel = 0]: readonly [row: number, channel?: number],
    each: readonly number[],
  ): Promise<void> {
    const baselines = this.facts.grid.antenna1.length;
    const times = data.length / unitsOf(dtype) / sizeOf([baselines, ...each]);
    const origin = [firstRow / baselines, 0, ...each.map((_, d) => d === 0 ? firstChannel : 0)];
    await this.files.put(this.names.indexOf(name), 0, {
      origin,
      data: ndarray(data, [times, baselines, ...each], dtype),
    });
  }

  async finish(): Promise<void> {
    await TileFiles.finish([this.files], this.options.beside);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.files[Symbol.asyncDispose]();
  }
}

/** What is written. */
interface ToRowsOptions extends Omit<ToMsv4Options, "interval"> {
  /** Rows and channels of the observation. */
  readonly shape: readonly [rows: number, channels: number];
}

/** A provider with a sink for `model_vis`, whose rows are those of the observation. The file appears when the run is complete. */
export function toRows(path: string, { shape: rows, dtype, select, uvw, beside }: ToRowsOptions): Provider {
  const shape = [...rows, select.length];
  return writing({
    name: `file ${path}`,
    outputs: ["model_vis"],
    async open() {
      const files = await TileFiles.open(path, npyTiles(dtype, shape), { windows: [wholeBox(shape)] });
      return {
        async put({ data, extents: [[firstRow, lastRow] = [0, 0], [firstChannel] = [0, 0]] }) {
          const samples = stored({ data, select, uvw: await uvw(firstRow, lastRow) });
          await files.put(0, 0, { origin: [firstRow, firstChannel, 0], data: samples });
          discard(samples.data);
        },
        finish: () => TileFiles.finish([files], beside),
        [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
      };
    },
  });
}
