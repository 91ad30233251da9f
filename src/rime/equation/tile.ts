/**
 * A tile of the sum over sources with Jones matrices.
 *
 *     for every time, for 32 sources at a time: the matrices of the terms, for all channels
 *       for 64 channels at a time: weights and phasors
 *         for every vector of channels: matrices times phasors, per antenna; sums over the sources, added to the visibilities
 *
 * Sums of 32 sources begin at 0 and are added in the order of the sources, so that bits depend neither on tiles nor on
 * workers, and memory does not grow with the number of sources.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { CubeTask } from "../../hypercube/run/run_cube.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamilies, KernelFamily } from "../../kernels/families/families.ts";
import { kernel } from "../../kernels/registry.ts";
import { sizeOf } from "../../space/shape.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { checkDirections } from "../geometry/directions.ts";
import { type Batch, batchesOf } from "../predict/batches.ts";
import { sumsFor } from "../predict/correlations.ts";
import { type Group, groupsOf, placeSources, placeWeights } from "../predict/groups.ts";
import { CHUNK } from "../predict/options.ts";
import type { SumPairs } from "../predict/shapelets.ts";
import { addTapered, isTapered, type TaperTile } from "../predict/tapers.ts";
import { arrayOf, numbersIn, realOf, type StartTile } from "../terms/term.ts";
import type { EquationSettings } from "./settings.ts";

/** What all tiles of a thread share. */
interface EquationThread {
  /** The settings. */
  readonly settings: EquationSettings;
  /** The kernels, and the memory. */
  readonly kernels: Kernels;
  /** The terms, started. */
  readonly start: StartTile;
  /** Names of the arrays of terms whose first dimension is time. */
  readonly timed: ReadonlySet<string>;
}

/** One tile. */
export class MatrixTile {
  readonly #size: number;
  readonly #lanes: number;
  readonly #channels: number;
  readonly #antennas: number;
  readonly #speed: number;
  /** The number of the first channel in the whole problem. */
  readonly #firstChannel: number;
  readonly arrays: Readonly<Record<string, CubeArray>>;

  /** A tile whose arrays lie in memory. */
  constructor(
    private readonly thread: EquationThread,
    { arrays, extents }: CubeTask,
  ) {
    this.arrays = arrays;
    this.#firstChannel = extents["nchan"]?.[0] ?? 0;
    const { precision, convention } = thread.settings.predict;
    this.#size = precision === "f64" ? 8 : 4;
    this.#lanes = 16 / this.#size;
    this.#channels = this.#of("frequency").shape[0]!;
    this.#antennas = this.#of("uvw").shape[1]!;
    this.#speed = convention === "fourier" ? -SPEED_OF_LIGHT : SPEED_OF_LIGHT;
  }

  /** Computes the sum for all visibilities. */
  predict(): void {
    const { predict } = this.thread.settings;
    const { pointer, shape, dtype } = this.#of("model_vis");
    new Float64Array(this.#buffer, pointer, sizeOf(shape) * dtypeInfo(dtype).itemSize / 8).fill(0);
    checkDirections(this.#doubles("lm"), "simulate()");
    const { combine } = sumsFor(predict.correlations, true, "simulate()", predict.brightness);
    new Float64Array(this.#buffer, this.#at("work_combine"), 16).set(combine.flat());
    const { memory } = this.thread.kernels;
    const rowStride = 8 * this.#size * this.#channels;
    const rows = { arrays: this.arrays, memory, settings: predict, kind: "pairs", rowStride } as const;
    for (const batch of batchesOf(rows)) this.#addTime(batch);
  }

  #addTime(batch: Batch): void {
    const sizes = { times: 1, antennas: this.#antennas, channels: this.#channels };
    const multiply = this.thread.start({ ...sizes, arrays: this.#arraysAt(batch.time) });
    for (const group of groupsOf(this.arrays)) {
      const { from: first, size: sources } = group;
      const own = this.arrays["work_own_numbers"];
      const numbers = own && new Int32Array(this.#buffer, own.pointer + 4 * first, sources);
      const some = { jones: this.#at("work_jones"), lm: this.#at("lm") + 16 * first, sources, first };
      multiply({ ...some, ...defined({ numbers }) });
      placeSources(group, this.arrays, (name) => this.#doubles(name));
      for (let channel = 0; channel < this.#channels; channel += CHUNK) this.#addChunk(group, batch, channel);
    }
  }

  /** The arrays as terms see them at one time. */
  #arraysAt(time: number): Record<string, CubeArray> {
    const found: Record<string, CubeArray> = { ...this.arrays };
    for (const name of this.thread.timed) {
      const { pointer, shape: [, ...rest], dtype } = this.#of(name);
      found[name] = {
        pointer: pointer + time * sizeOf(rest) * dtypeInfo(dtype).itemSize,
        shape: [1, ...rest],
        dtype,
      };
    }
    return found;
  }

  #addChunk(group: Group, batch: Batch, channel: number): void {
    const channels = Math.min(CHUNK, this.#channels - channel);
    const { size } = group;
    const phasors = this.#at("work_phasors");
    this.#placePhasors(size, batch.uvw, channel, channels);
    for (let c = 0; c < channels; c += this.#lanes) {
      const valid = Math.min(this.#lanes, channels - c);
      this.#weigh(group, batch.time, channel + c, valid);
      const of = phasors + 32 * (c / this.#lanes) * this.#antennas * size;
      this.#placePlanes(size, of, channel + c, valid);
      this.#addSums(group, batch, channel + c, valid);
    }
  }

  #placePhasors(size: number, uvw: number, channel: number, channels: number): void {
    const { channels: even } = this.thread.settings.predict;
    const [out, sources] = [this.#at("work_phasors"), this.#at("work_sources")];
    const counts = [size, this.#antennas, channels, this.#speed] as const;
    if (!even) {
      return this.#kernel("rime_phasors")(out, sources, uvw, this.#at("frequency") + 8 * channel, ...counts);
    }
    const first = this.#firstChannel + channel, { step } = even;
    const tables = this.#at("work_tables");
    this.#kernel("rime_phasors_even")(out, sources, uvw, even.first, step, first, ...counts, tables);
  }

  /** The brightness of a group in a vector of channels. */
  #weigh(group: Group, time: number, channel: number, channels: number): void {
    const out = this.#at("work_matrix_weights");
    const of = { out, planes: 4, time, channel, channels };
    placeWeights(this.#kernel("rime_brightness"), this.thread.settings.predict, this.arrays, group, of);
  }

  /** Matrices times phasors of all antennas, for a vector of channels. */
  #placePlanes(size: number, phasors: number, channel: number, channels: number): void {
    const antenna = 8 * this.#size * this.#channels;
    this.#kernel("jones_phasors")(
      this.#at("work_left"),
      this.#at("work_right"),
      phasors,
      this.#at("work_matrix_weights"),
      this.#at("work_jones") + 8 * this.#size * channel,
      antenna * this.#antennas,
      antenna,
      size,
      this.#antennas,
      channels,
    );
  }

  /** Adds the sums of a group to a vector of channels of all rows of a time. */
  #addSums(
    group: Group,
    { uvw, vis, rows: pairs, count, first }: Batch,
    channel: number,
    channels: number,
  ): void {
    const { smearing } = this.thread.settings.predict;
    const { size } = group;
    const channelStride = 8 * this.#size, rowStride = channelStride * this.#channels;
    const [left, right, sums] = [this.#at("work_left"), this.#at("work_right"), this.#kernel("jones_sums")];
    const sum: SumPairs = (place, tapers, list, some, stride) =>
      sums(place, left, right, tapers, list, some, size, channels, stride, channelStride);
    const to = vis + channel * channelStride;
    if (!isTapered(group, smearing)) return sum(to, 0, pairs, count, rowStride);
    const frequency = this.#at("frequency") + 8 * channel;
    const all = { size, uvw, pairs, count, frequency, channels, channel, first };
    addTapered(this.#tapers, group, all, { vis: to, rowStride, channelStride }, sum);
  }

  get #tapers(): TaperTile {
    const { kernels: { memory }, settings: { predict: { smearing } } } = this.thread;
    const kernels = {
      rime_tapers: this.#kernel("rime_tapers"),
      rime_shapelets: this.#kernel("rime_shapelets"),
      smear_tapers: this.#kernel("smear_tapers"),
    };
    return { arrays: this.arrays, memory, kernels, speed: this.#speed, numberBytes: this.#size, smearing };
  }

  #kernel<F extends KernelFamily>(family: F): KernelFamilies[F] {
    return kernel(this.thread.kernels, family, realOf(this.thread.settings.predict.precision));
  }

  get #buffer(): ArrayBufferLike {
    return this.thread.kernels.memory.buffer;
  }

  #of(name: string): CubeArray {
    return arrayOf(this, name);
  }

  #at(name: string): number {
    return this.#of(name).pointer;
  }

  #doubles(name: string): Float64Array {
    return numbersIn(this.thread.kernels.memory, this.#of(name));
  }

  #integers(name: string): Int32Array {
    const { pointer, shape } = this.#of(name);
    return new Int32Array(this.#buffer, pointer, sizeOf(shape));
  }
}
