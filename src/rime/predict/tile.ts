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

import { alive } from "../../activity.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { CubeTask } from "../../hypercube/run/run_cube.ts";
import type { KernelFamilies, RimeFamilies } from "../../kernels/families/families.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { checkDirections } from "../geometry/directions.ts";
import { type Batch, batchesOf } from "./batches.ts";
import { type Sums, sumsFor } from "./correlations.ts";
import { type Group, groupsOf, isUnpolarised, placeSources, placeWeights } from "./groups.ts";
import { CHUNK, type PredictSettings, VECTORS } from "./options.ts";
import type { SumPairs } from "./shapelets.ts";
import { addTapered, isTapered, type TaperTile } from "./tapers.ts";

/** The kernels of a precision. */
export type RimeKernels = { readonly [F in keyof RimeFamilies | "smear_tapers"]: KernelFamilies[F] };

/** What all tiles share. */
interface Predictor {
  /** The options. */
  readonly settings: PredictSettings;
  /** The kernels. */
  readonly kernels: RimeKernels;
  /** The memory that they work on. */
  readonly memory: WebAssembly.Memory;
}

/** One weight per source, whose sum is added to the first and the last of four correlations: see the kernel `rime_sums`. */
const EQUAL = 3;

/** A group with the number of its sums, or {@link EQUAL}. */
interface WeighedGroup extends Group {
  readonly planes: number;
}

/** Weights of each source. */
function weightsOf({ planes }: WeighedGroup): number {
  return planes === EQUAL ? 1 : planes;
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
      settings.brightness,
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
    new Float64Array(memory.buffer, pointer, numbers * this.#size / 8).fill(0); // wide, as shared memory is filled number by number
    checkDirections(this.#doubles("lm"), "predictKernel()");
    new Float64Array(memory.buffer, this.#of("work_combine").pointer, 16).set(this.#sums.combine.flat());
    const kind = settings.jones ? "feeds" : this.#inBlocks ? "blocks" : "pairs";
    const batches = batchesOf({ arrays: this.#arrays, memory, settings, kind, rowStride: this.#rowStride });
    for (let c = 0; c < this.#channels; c += CHUNK) {
      for (const group of groupsOf(this.#arrays)) this.#addGroup(group, c, batches);
    }
    const count = numbers / 2 / settings.correlations.length;
    if (this.#sums.how !== 0) {
      this.on.kernels.rime_correlations(pointer, count, settings.correlations.length, this.#sums.how);
    }
  }

  /** Adds a group to all visibilities of up to 64 channels from `channel` on. */
  #addGroup(sources: Group, channel: number, batches: readonly Batch[]): void {
    const group = { ...sources, planes: this.#planesOf(sources) };
    const channels = Math.min(CHUNK, this.#channels - channel);
    placeSources(group, this.#arrays, (name) => this.#doubles(name));
    const varies = this.on.settings.stokesAxes.includes("ntime");
    let time = -1;
    for (const batch of batches) {
      alive(); // with 100 000 sources a tile takes long
      if (time < 0 || varies && batch.time !== time) this.#weigh(group, channel, channels, batch.time);
      time = batch.time;
      this.#phasors(group, channel, channels, batch);
      const step = this.#lanes * this.#vectors(group);
      for (let c = 0; c < channels; c += step) this.#addVectors(group, channel, c, channels, batch);
    }
  }

  /** The weights of a group at a time. */
  #weigh(group: WeighedGroup, channel: number, channels: number, time: number): void {
    const { settings, kernels } = this.on;
    for (let c = 0; c < channels; c += this.#lanes) {
      placeWeights(kernels.rime_brightness, settings, this.#arrays, group, {
        out: this.#weightsAt(c, group),
        planes: weightsOf(group),
        time,
        channel: channel + c,
        channels: Math.min(this.#lanes, channels - c),
      });
    }
  }

  #weightsAt(c: number, group: WeighedGroup): number {
    return this.#of("work_weights").pointer + 16 * (c / this.#lanes) * group.size * weightsOf(group);
  }

  /** What `rime_sums` is told: the weights per source, or that unpolarised sources have one for both parallel hands. */
  #planesOf(group: Group): number {
    const one = this.#sums.how === 1 && group.shape !== 3 &&
      isUnpolarised(group, this.#arrays, (name) => this.#doubles(name));
    return one ? EQUAL : this.#planes;
  }

  #phasors({ size }: WeighedGroup, channel: number, channels: number, { uvw, positions }: Batch): void {
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

  /** How many vectors of channels are summed up at once: blocks, matrices and tapers have room for one. */
  #vectors(group: WeighedGroup): number {
    const { jones, smearing } = this.on.settings;
    return jones || this.#inBlocks || isTapered(group, smearing) ? 1 : VECTORS;
  }

  /** Adds the sums of a group to the visibilities of the next vectors of channels. */
  #addVectors(group: WeighedGroup, channel: number, c: number, channels: number, batch: Batch): void {
    const { kernels } = this.on;
    const { size } = group;
    const valid = Math.min(this.#lanes * this.#vectors(group), channels - c);
    const phasors = this.#of("work_phasors").pointer + 32 * (c / this.#lanes) * batch.positions * size;
    const weights = this.#weightsAt(c, group);
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
    { from, size }: WeighedGroup,
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

  /** Sums pair by pair: those of several planes, of single rows, of extended sources, and smeared ones. */
  #addPairs(
    group: WeighedGroup,
    channel: number,
    valid: number,
    { rows: pairs, count, uvw, first, positions }: Batch,
    [vis, phasors, weights]: readonly [number, number, number],
  ): void {
    const { kernels, settings: { smearing } } = this.on;
    const { size, planes } = group;
    const [rowStride, channelStride] = [this.#rowStride, this.#channelStride];
    const sum: SumPairs = (to, tapers, list, some, stride) =>
      kernels.rime_sums(
        to,
        phasors,
        weights,
        tapers,
        list,
        some,
        size,
        planes,
        valid,
        positions,
        stride,
        channelStride,
      );
    if (!isTapered(group, smearing)) return sum(vis, 0, pairs, count, rowStride);
    const frequency = this.#of("frequency").pointer + 8 * channel;
    const all = { size, uvw, pairs, count, frequency, channels: valid, channel, first };
    addTapered(this.#tapers, group, all, { vis, rowStride, channelStride }, sum);
  }

  get #tapers(): TaperTile {
    const { kernels, memory, settings: { smearing } } = this.on;
    return { arrays: this.#arrays, memory, kernels, speed: this.#speed, numberBytes: this.#size, smearing };
  }

  /** Whether baselines are summed up in blocks of four: with one weight per source, if all are points. */
  get #inBlocks(): boolean {
    const { uvw, shapes, smearing } = this.on.settings;
    return this.#planes === 1 && uvw === "antenna" && shapes.length === 0 && !smearing;
  }

  #of(name: string): CubeArray {
    return this.#arrays[name]!;
  }

  #doubles(name: string): Float64Array {
    const { pointer, shape } = this.#of(name);
    return new Float64Array(this.on.memory.buffer, pointer, shape.reduce((a, b) => a * b, 1));
  }
}
