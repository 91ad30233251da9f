/**
 * A sink of predicted visibilities that writes a Measurement Set of version 4.
 *
 * @module
 */

import type { SinkContext, StartContext } from "../../hypercube/providers/context.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import { StoreFiles } from "../../hypercube/providers/sinks/store_files.ts";
import { writing } from "../../hypercube/providers/sinks/under_way.ts";
import { isObserved, type Pairs, stored } from "./chunks.ts";
import { INTERVALS, MODEL, type ModelFacts, msv4Nodes } from "./msv4_nodes.ts";
import { documentFiles } from "./zarr_nodes.ts";

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
}

/**
 * A provider with a sink for `model_vis`, whose rows are `facts.grid` and whose tiles are times and channels. The store
 * appears when the run is complete, and replaces an older store; if the run fails, the older one is not changed.
 *
 * A name that ends with `.ps.zarr` is that of a processing set, with the Measurement Set in it.
 */
export function toMsv4(path: string, facts: ModelFacts, options: ToMsv4Options): Provider {
  const writer = new Msv4Writer(path, facts, options);
  return writing({
    name: `Measurement Set ${path}`,
    outputs: ["model_vis"],
    start: (context) => writer.start(context),
    put: (context) => writer.put(context),
    stop: ({ error }) => writer.stop(error === undefined),
  });
}

class Msv4Writer {
  readonly #base: string;
  #store: StoreFiles | undefined;
  #chunk: readonly [times: number, channels: number] = [1, 1];

  constructor(
    private readonly path: string,
    private readonly facts: ModelFacts,
    private readonly options: ToMsv4Options,
  ) {
    const [, name] = /([^/\\]+)\.ps\.zarr$/i.exec(path) ?? [];
    this.#base = name === undefined ? "" : `${name}_0`;
  }

  async start({ strides }: StartContext): Promise<void> {
    const { frequencies } = this.facts.observation;
    const extent = (dimension: string, size: number) => {
      const [, tile = size] = strides.find(([name]) => name === dimension) ?? [];
      return Math.max(1, Math.min(size, tile));
    };
    this.#chunk = [extent("ntime", this.facts.grid.times), extent("nchan", frequencies.length)];
    const store = this.#store = await StoreFiles.open(this.path);
    const arrays = { dtype: this.options.dtype, chunk: this.#chunk };
    const nodes = msv4Nodes(this.facts, arrays, this.#base);
    for (const [path, text] of documentFiles(nodes)) await store.write(path, text);
    for (const { path, chunk } of nodes) if (chunk) await store.write(`${path}/${chunk[0]}`, chunk[1]);
  }

  /** Writes the chunks of a tile. */
  async put(context: SinkContext): Promise<void> {
    const { data, extents: [[firstRow, lastRow] = [0, 0], [firstChannel] = [0]] } = context;
    const { grid } = this.facts;
    const baselines = grid.antenna1.length;
    const [times, channels] = this.#chunk;
    const uvw = await this.options.uvw(firstRow, lastRow);
    const rows = times * baselines;
    const at = [firstRow / Math.max(1, rows), 0];
    const key = [...at, firstChannel / channels, 0];
    const samples = stored({ data, select: this.options.select, uvw }, rows, channels);
    if (this.options.added) this.#add(samples, firstRow, firstChannel, data.shape);
    await this.#chunkOf(this.facts.name ?? MODEL, key, samples);
    await this.#putFlags(uvw, key, rows, channels);
    if (firstChannel > 0) return;
    await this.#putUvw(uvw, [...at, 0], rows);
    const intervals = new Float64Array(rows);
    intervals.set(await this.options.interval(firstRow, lastRow));
    await this.#chunkOf(INTERVALS, at, intervals);
  }

  /** Adds to the samples of a tile, which have the channels of a chunk. */
  #add(
    samples: Pairs,
    firstRow: number,
    firstChannel: number,
    [rows = 0, channels = 0]: readonly number[],
  ): void {
    const some = this.options.select.length, all = this.facts.observation.frequencies.length;
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < channels * some; i++) {
        const [re, im] = this.options.added!(((firstRow + row) * all + firstChannel) * some + i);
        const at = 2 * (row * this.#chunk[1] * some + i);
        samples[at]! += re;
        samples[at + 1]! += im;
      }
    }
  }

  /** Flags of rows without a baseline; a chunk without them is not stored. */
  async #putFlags(
    uvw: Float64Array,
    key: readonly number[],
    rows: number,
    channels: number,
  ): Promise<void> {
    const each = channels * this.options.select.length;
    const flags = new Uint8Array(rows * each);
    let some = false;
    for (let row = 0; row < uvw.length / 3; row++) {
      if (isObserved(uvw, row)) continue;
      flags.fill(1, row * each, (row + 1) * each);
      some = true;
    }
    if (some) await this.#chunkOf("FLAG", key, flags);
  }

  async #putUvw(uvw: Float64Array, key: readonly number[], rows: number): Promise<void> {
    const whole = new Float64Array(3 * rows);
    whole.set(uvw);
    await this.#chunkOf("UVW", key, whole);
  }

  async #chunkOf(name: string, key: readonly number[], data: ArrayBufferView<ArrayBuffer>): Promise<void> {
    const folder = this.#base === "" ? name : `${this.#base}/${name}`;
    await this.#store!.write([folder, "c", ...key].join("/"), new Uint8Array(data.buffer));
  }

  async stop(complete: boolean): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.end(complete);
  }
}
