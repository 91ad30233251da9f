/**
 * A tile of predicted visibilities: its arrays, and the order in which they are computed.
 *
 *     for 64 channels at a time, for 32 sources at a time:
 *       their directions, shapes and weights
 *       for every time (or 32 rows): phasors; for every vector of channels: sums over the sources, added to the visibilities
 *
 * The sum of a visibility over 32 sources begins at 0; these sums are added in the order of the sources. So its bits depend
 * neither on tiles nor on workers, and memory does not grow with the number of sources.
 *
 * @module
 */

import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { CubeTask } from "../../hypercube/run/solve.ts";
import type { KernelFamilies, RimeFamilies } from "../../kernels/families/families.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { checkDirections } from "../geometry/directions.ts";
import { blocksOf, byTime, checkIndices, feedBlocksOf, pairsOf, type RowIndex } from "./blocks.ts";
import { type Sums, sumsFor } from "./correlations.ts";
import { type Group, groupsOf, placeSources, TAPERS } from "./groups.ts";
import { addOdd, placeShapelets, type ShapeletPairs, type SumPairs } from "./shapelets.ts";
import { CHUNK, GROUP, isDense, needsTimes, type PredictSettings, ROWS } from "./options.ts";

/** The kernels of a precision. */
export type RimeKernels = { readonly [F in keyof RimeFamilies]: KernelFamilies[F] };

/** What all tiles share. */
export interface Predictor {
  /** The options. */
  readonly settings: PredictSettings;
  /** The kernels. */
  readonly kernels: RimeKernels;
  /** The memory that they work on. */
  readonly memory: WebAssembly.Memory;
}

/** Rows that share phasors: those of one time, or a few rows that have their own. */
interface Batch {
  /** The time; 0 if none is needed. */
  readonly time: number;
  /** Address of the positions, and how many there are. */
  readonly uvw: number;
  readonly positions: number;
  /** Address of the visibilities of row 0. */
  readonly vis: number;
  /** Address and number of blocks or pairs. */
  readonly rows: number;
  readonly count: number;
}

/** One tile. */
export class Tile {
  readonly #arrays: Readonly<Record<string, CubeArray>>;
  readonly #sums: Sums;
  readonly #planes: number;
  readonly #size: number;
  readonly #lanes: number;
  readonly #rowStride: number;
  readonly #channelStride: number;
  readonly #speed: number;
  readonly #channels: number;
  /** The number of the first channel in the whole problem. */
  readonly #firstChannel: number;

  /** A tile whose arrays lie in memory. */
  constructor(private readonly on: Predictor, { arrays, extents }: CubeTask) {
    const { settings } = on;
    this.#arrays = arrays;
    const { combine, how } = sumsFor(
      settings.correlations,
      settings.jones || settings.polarised,
      "predictKernel()",
    );
    this.#sums = { combine, how: settings.jones ? 0 : how };
    this.#planes = this.#sums.combine.length;
    this.#size = settings.precision === "f64" ? 8 : 4;
    this.#lanes = 16 / this.#size;
    this.#channels = this.#of("frequency").shape[0]!;
    this.#channelStride = 2 * this.#size * settings.correlations.length;
    this.#rowStride = this.#channelStride * this.#channels;
    this.#speed = settings.convention === "fourier" ? -SPEED_OF_LIGHT : SPEED_OF_LIGHT;
    this.#firstChannel = extents.nchan?.[0] ?? 0;
  }

  /** Computes its visibilities. */
  predict(): void {
    const { memory, settings } = this.on;
    const { pointer, shape } = this.#of("model_vis");
    const numbers = shape.reduce((a, b) => a * b, 2);
    new Uint8Array(memory.buffer, pointer, numbers * this.#size).fill(0);
    checkDirections(this.#doubles("lm"), "predictKernel()");
    new Float64Array(memory.buffer, this.#of("work_combine").pointer, 16).set(this.#sums.combine.flat());
    const batches = settings.uvw === "antenna" ? this.#timeBatches() : this.#rowBatches();
    for (let c = 0; c < this.#channels; c += CHUNK) {
      for (const group of groupsOf(this.#arrays)) this.#addGroup(group, c, batches);
    }
    const count = numbers / 2 / settings.correlations.length;
    if (this.#sums.how !== 0) {
      this.on.kernels.rime_correlations(pointer, count, settings.correlations.length, this.#sums.how);
    }
  }

  /** Adds a group to all visibilities of up to 64 channels from `channel` on. */
  #addGroup(group: Group, channel: number, batches: readonly Batch[]): void {
    const channels = Math.min(CHUNK, this.#channels - channel);
    placeSources(group, this.#arrays, (name) => this.#doubles(name));
    const varies = this.on.settings.stokesAxes.includes("ntime");
    let time = -1;
    for (const batch of batches) {
      if (time < 0 || varies && batch.time !== time) this.#weigh(group, channel, channels, batch.time);
      time = batch.time;
      this.#phasors(group, channel, channels, batch);
      for (let c = 0; c < channels; c += this.#lanes) this.#addVector(group, channel, c, channels, batch);
    }
  }

  /** The weights of a group at a time. */
  #weigh({ from, size }: Group, channel: number, channels: number, time: number): void {
    const { settings, kernels } = this.on;
    const { pointer, shape } = this.#of("stokes");
    const axes = settings.stokesAxes;
    const stride = (axis: number) => 8 * shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    const channelStride = axes.includes("nchan") ? 32 : 0;
    const timeStride = axes.includes("ntime") ? stride(1) : 0;
    const terms = this.#arrays["spectral_terms"];
    const termCount = terms?.shape[1] ?? 0;
    for (let c = 0; c < channels; c += this.#lanes) {
      kernels.rime_brightness(
        this.#weightsAt(c, size),
        pointer + from * stride(0) + time * timeStride + (channel + c) * channelStride,
        stride(0),
        channelStride,
        this.#of("work_combine").pointer,
        this.#planes,
        this.#of("frequency").pointer + 8 * (channel + c),
        (this.#arrays["reference_frequency"]?.pointer ?? 0) + 8 * from,
        (terms?.pointer ?? 0) + 8 * from * termCount,
        termCount,
        ["none", "log", "linear"].indexOf(settings.spectrum),
        size,
        Math.min(this.#lanes, channels - c),
      );
    }
  }

  #weightsAt(c: number, size: number): number {
    return this.#of("work_weights").pointer + 16 * (c / this.#lanes) * size * this.#planes;
  }

  #phasors({ size }: Group, channel: number, channels: number, { uvw, positions }: Batch): void {
    const { kernels, settings: { channels: even } } = this.on;
    const out = this.#of("work_phasors").pointer, lmn = this.#of("work_sources").pointer;
    if (!even) {
      const frequency = this.#of("frequency").pointer + 8 * channel;
      kernels.rime_phasors(out, lmn, uvw, frequency, size, positions, channels, this.#speed);
      return;
    }
    const first = this.#firstChannel + channel;
    const tables = this.#of("work_tables").pointer;
    const { first: frequency, step } = even;
    kernels.rime_phasors_even(
      out,
      lmn,
      uvw,
      frequency,
      step,
      first,
      size,
      positions,
      channels,
      this.#speed,
      tables,
    );
  }

  /** Adds the sums of a group to the visibilities of a vector of channels. */
  #addVector(group: Group, channel: number, c: number, channels: number, batch: Batch): void {
    const { kernels } = this.on;
    const { size } = group;
    const valid = Math.min(this.#lanes, channels - c);
    const phasors = this.#of("work_phasors").pointer + 32 * (c / this.#lanes) * batch.positions * size;
    const weights = this.#weightsAt(c, size);
    const vis = batch.vis + (channel + c) * this.#channelStride;
    const strides = [this.#rowStride, this.#channelStride] as const;
    if (this.on.settings.jones) {
      this.#addMatrices(group, channel + c, valid, batch, [vis, phasors, weights]);
    } else if (this.#inBlocks) {
      const weighted = this.#of("work_weighted").pointer;
      kernels.rime_weigh(weighted, phasors, weights, size, batch.positions);
      kernels.rime_products(vis, weighted, phasors, batch.rows, batch.count, size, valid, ...strides);
    } else {
      this.#addPairs(group, channel + c, valid, batch, [vis, phasors, weights]);
    }
  }

  /** Products of matrices: each baseline is a block of two feeds on each side, whose four products are its correlations. */
  #addMatrices(
    { from, size }: Group,
    channel: number,
    valid: number,
    { rows, count, time, positions }: Batch,
    [vis, phasors, weights]: readonly [number, number, number],
  ): void {
    const { kernels } = this.on;
    const { pointer, shape } = this.#of("jones");
    const ofAntenna = 8 * this.#size * this.#channels, ofSource = ofAntenna * shape[1]! * positions;
    const jones = pointer + from * ofSource + time * positions * ofAntenna + 8 * this.#size * channel;
    const [left, right] = [this.#of("work_left").pointer, this.#of("work_right").pointer];
    kernels.rime_jones(left, right, jones, phasors, weights, size, positions, valid, ofSource, ofAntenna);
    kernels.rime_products(
      vis,
      left,
      right,
      rows,
      count,
      2 * size,
      valid,
      2 * this.#size,
      this.#channelStride,
    );
  }

  /** Sums pair by pair: those of several planes, of single rows, and of extended sources. */
  #addPairs(
    { size, shape, own }: Group,
    channel: number,
    valid: number,
    { rows, count, uvw }: Batch,
    [vis, phasors, weights]: readonly [number, number, number],
  ): void {
    const { kernels } = this.on;
    const planes = this.#planes;
    const strides = [this.#rowStride, this.#channelStride] as const;
    if (shape === 0) {
      kernels.rime_sums(vis, phasors, weights, 0, rows, count, size, planes, valid, ...strides);
      return;
    }
    if (shape === 3) {
      const [frequency, channels] = [this.#of("frequency").pointer + 8 * channel, valid];
      const some = { own, size, uvw, pairs: rows, count, frequency, channels };
      this.#addShapelets(some, vis, (to, tapers, pairs, count, stride) => {
        const rest = [size, planes, valid, stride, this.#channelStride] as const;
        kernels.rime_sums(to, phasors, weights, tapers, pairs, count, ...rest);
      });
      return;
    }
    const tapers = this.#of("work_tapers").pointer;
    const shapes = this.#of("work_sources").pointer + 24 * GROUP;
    const frequency = this.#of("frequency").pointer + 8 * channel;
    const factor = TAPERS[shape]! / SPEED_OF_LIGHT;
    for (let i = 0; i < count; i += ROWS) {
      const [pairs, some] = [rows + 12 * i, Math.min(ROWS, count - i)];
      kernels.rime_tapers(tapers, shape, shapes, uvw, pairs, some, frequency, size, valid, factor);
      kernels.rime_sums(vis, phasors, weights, tapers, pairs, some, size, planes, valid, ...strides);
    }
  }

  /** Sums of shapelets, a few pairs at a time. */
  #addShapelets(all: ShapeletPairs, vis: number, sum: SumPairs): void {
    const { kernels, memory } = this.on;
    const tile = { arrays: this.#arrays, memory, kernel: kernels.rime_shapelets, speed: this.#speed };
    const [rowStride, channelStride] = [this.#rowStride, this.#channelStride];
    const place = { vis, rowStride, channelStride, numberBytes: this.#size };
    for (let i = 0; i < all.count; i += ROWS) {
      const some = { ...all, pairs: all.pairs + 12 * i, count: Math.min(ROWS, all.count - i) };
      placeShapelets(tile, some);
      sum(vis, this.#of("work_tapers").pointer, some.pairs, some.count, rowStride);
      addOdd(tile, some, place, sum);
    }
  }

  /** Whether baselines are summed up in blocks of four: with one weight per source, if all are points. */
  get #inBlocks(): boolean {
    const { uvw, shapes } = this.on.settings;
    return this.#planes === 1 && uvw === "antenna" && shapes.length === 0;
  }

  /** All rows of a time at once: all baselines, or those that are there. */
  #timeBatches(): Batch[] {
    const antennas = this.#of("uvw").shape[1]!;
    const index = { antenna1: this.#integers("antenna1"), antenna2: this.#integers("antenna2") };
    checkIndices("antenna1", index.antenna1, antennas);
    checkIndices("antenna2", index.antenna2, antennas);
    return isDense(this.on.settings) ? this.#denseBatches(index) : this.#raggedBatches(index);
  }

  #denseBatches(index: RowIndex): Batch[] {
    const [times, positions] = this.#of("uvw").shape as [number, number];
    const baselines = index.antenna1.length;
    const { pointer: rows } = this.#of("work_rows");
    const all = Array.from({ length: baselines }, (_, row) => row);
    const [count] = this.#placeRows(rows, index, all, positions);
    const [uvw, vis] = [this.#of("uvw").pointer, this.#of("model_vis").pointer];
    return Array.from({ length: times }, (_, time): Batch => {
      const at = { uvw: uvw + 24 * positions * time, vis: vis + this.#rowStride * baselines * time };
      return { time, positions, rows, count, ...at };
    });
  }

  #raggedBatches(index: RowIndex): Batch[] {
    const [times, positions] = this.#of("uvw").shape as [number, number];
    const [uvw, vis] = [this.#of("uvw").pointer, this.#of("model_vis").pointer];
    const timeIndex = this.#integers("time_index");
    checkIndices("time_index", timeIndex, times);
    let rows = this.#of("work_rows").pointer;
    return [...byTime(timeIndex)].map(([time, some]): Batch => {
      const [count, bytes] = this.#placeRows(rows, index, some, positions);
      const batch = { time, uvw: uvw + 24 * positions * time, positions, vis, rows, count };
      rows += bytes;
      return batch;
    });
  }

  /** Writes blocks or pairs to memory: how many, and their bytes. */
  #placeRows(at: number, index: RowIndex, rows: readonly number[], antennas: number): [number, number] {
    const { memory } = this.on;
    if (this.on.settings.jones) {
      const blocks = new Int32Array(memory.buffer, at, 8 * rows.length);
      return [feedBlocksOf(blocks, index, rows, this.#channels), 32 * rows.length];
    }
    if (this.#inBlocks) {
      const count = blocksOf(new Int32Array(memory.buffer, at, 8 * rows.length), index, rows, antennas);
      return [count, 32 * count];
    }
    return [pairsOf(new Int32Array(memory.buffer, at, 3 * rows.length), index, rows), 12 * rows.length];
  }

  /** Up to 32 rows at once, each with a position of its own. */
  #rowBatches(): Batch[] {
    const rows = this.#of("model_vis").shape[0]!;
    const [uvw, vis] = [this.#of("uvw").pointer, this.#of("model_vis").pointer];
    const { pointer } = this.#of("work_rows");
    const pairs = new Int32Array(this.on.memory.buffer, pointer, 3 * ROWS);
    for (let i = 0; i < ROWS; i++) pairs.set([i, -1, i], 3 * i);
    const times = needsTimes(this.on.settings) ? this.#integers("time_index") : undefined;
    if (times) checkIndices("time_index", times, this.#of("stokes").shape[1]!);
    const batches: Batch[] = [];
    for (let row = 0, next; row < rows; row = next) {
      const time = times?.[row] ?? 0;
      next = row + 1;
      while (next < rows && next < row + ROWS && (times?.[next] ?? 0) === time) next++;
      const at = { uvw: uvw + 24 * row, vis: vis + this.#rowStride * row };
      batches.push({ time, positions: next - row, rows: pointer, count: next - row, ...at });
    }
    return batches;
  }

  #of(name: string): CubeArray {
    return this.#arrays[name]!;
  }

  #doubles(name: string): Float64Array {
    const { pointer, shape } = this.#of(name);
    return new Float64Array(this.on.memory.buffer, pointer, shape.reduce((a, b) => a * b, 1));
  }

  #integers(name: string): Int32Array {
    const { pointer, shape } = this.#of(name);
    return new Int32Array(this.on.memory.buffer, pointer, shape.reduce((a, b) => a * b, 1));
  }
}
