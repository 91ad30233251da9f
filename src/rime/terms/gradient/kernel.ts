/**
 * The gradient of χ² over a tile of rows: the code that runs on workers.
 *
 * A tile gives its part of the gradient, source by source: the phases of its rows, what they see of a shape, ten sums for
 * each channel by the kernel `misfit_gradient`, and from these the derivatives by the parameters of the source.
 *
 * @module
 */

import { registerJobs } from "../../../executor/handler.ts";
import type { JobHandler } from "../../../executor/task.ts";
import type { CubeArray } from "../../../hypercube/providers/provider.ts";
import type { CubeKernel, CubeTask } from "../../../hypercube/run/run_cube.ts";
import { kernel } from "../../../kernels/registry.ts";
import { instantiateKernels, type Kernels } from "../../../kernels/wasm.ts";
import { loadRime } from "../../geometry/packs.ts";
import { SPEED_OF_LIGHT } from "../../geometry/constants.ts";
import { checkDirections } from "../../geometry/directions.ts";
import { arrayOf, type MultiplyTerm, numbersIn, type StartTile } from "../term.ts";
import { startTerms } from "../terms.ts";
import { type GradientSettings, RESULTS } from "./problem.ts";
import {
  brightnessOf,
  byDirection,
  byShape,
  byStokes,
  byTerms,
  formOf,
  type SourceShape,
  type Spectrum,
  spectrumAt,
  squareOfScale,
  taperOf,
} from "./rules.ts";

/** Makes the handler that computes tiles: {@link gradientKernel} refers to this export. */
export async function gradientTiles(
  settings: GradientSettings,
  { memory }: { readonly memory: WebAssembly.Memory },
): Promise<JobHandler<CubeTask, void>> {
  await loadRime();
  const kernels = instantiateKernels(memory);
  const { terms } = settings;
  const start = terms.length > 0 ? await startTerms(terms, { kernels, precision: "f64" }) : undefined;
  return { run: (task) => new GradientTile(kernels, settings, task.arrays, start).compute() };
}

/** The module of the kernel; bundles know it by its name. */
const KERNEL = { name: "tilewise:gradient", module: import.meta.url };
registerJobs({ [KERNEL.name]: () => Promise.resolve({ gradientTiles }) });

/** The kernel for a cube with the arrays for the same settings. */
export function gradientKernel(settings: GradientSettings): CubeKernel {
  return { ...KERNEL, export: "gradientTiles", shared: settings };
}

/** Stokes parameters of a source in a channel. */
type Stokes = [number, number, number, number];

/** One tile. */
class GradientTile {
  readonly #rows: number;
  readonly #channels: number;
  readonly #antennas: number;
  readonly #multiply: MultiplyTerm | undefined;

  constructor(
    private readonly kernels: Kernels,
    private readonly settings: GradientSettings,
    readonly arrays: Readonly<Record<string, CubeArray>>,
    start: StartTile | undefined,
  ) {
    [this.#rows, this.#channels] = this.#array("work_phases").shape as [number, number];
    const [times = 1, antennas = 1] = (arrays["work_jones"] ?? arrays["work_gains"])?.shape ?? [];
    this.#antennas = antennas;
    this.#multiply = start?.({ times, antennas, channels: this.#channels, arrays });
  }

  /** Computes the part of the gradient that the rows of this tile have. */
  compute(): void {
    const lm = this.#numbers("lm");
    checkDirections(lm, "chiSquaredGradient()");
    for (const name of Object.values(RESULTS)) this.#numbers(name).fill(0);
    this.#placeMisfit();
    for (let source = 0; source < lm.length / 2; source++) this.#addSource(source);
  }

  /** Weighted model less observed visibilities, as antennas see them before their gains. */
  #placeMisfit(): void {
    const misfit = this.#numbers("work_misfit"), residual = this.#numbers("residual_vis");
    const weight = this.settings.weights ? this.#numbers("weight") : undefined;
    for (let i = 0; i < misfit.length; i++) {
      const w = weight ? weight[i >> 1]! : 1;
      misfit[i] = w === 0 ? 0 : -w * residual[i]!; // NaN with a weight of 0 does not count
    }
    if (this.settings.gains) this.#turnBack();
  }

  /** Replaces the misfit X by G_p^H X G_q. */
  #turnBack(): void {
    const gains = this.#numbers("direction_independent_effects"), turned = this.#numbers("work_gains");
    for (let at = 0; at < gains.length; at += 8) {
      for (const [to, from] of [[0, 0], [2, 4], [4, 2], [6, 6]] as const) {
        turned[at + to] = gains[at + from]!;
        turned[at + to + 1] = -gains[at + from + 1]!;
      }
    }
    const apply = kernel(this.kernels, "apply_gains", "float64");
    const [first, second, times] = this.#index();
    const places = [this.#at("work_misfit"), this.#at("work_gains"), first, second, times] as const;
    apply(...places, this.#rows, this.#antennas, this.#channels, 4);
  }

  #addSource(source: number): void {
    const shape = this.#shapeOf(source);
    const stokes = this.#placeBrightness(source);
    this.#placePhases(source);
    if (shape) this.#placeTapers(shape.shape);
    this.#multiply?.({
      jones: this.#at("work_jones"),
      lm: this.#at("lm") + 16 * source,
      sources: 1,
      first: source,
    });
    this.#numbers("work_sums").fill(0);
    this.#sum(shape !== undefined);
    this.#deliver(source, stokes, shape);
  }

  #placePhases(source: number): void {
    const phases = kernel(this.kernels, "complex_phase", "float64");
    const speed = this.settings.convention === "fourier" ? -SPEED_OF_LIGHT : SPEED_OF_LIGHT;
    const [out, lm] = [this.#at("work_phases"), this.#at("lm") + 16 * source];
    phases(out, lm, this.#at("uvw"), this.#at("frequency"), 1, this.#rows, this.#channels, speed);
  }

  /** The brightness of a source in all channels; its Stokes parameters there. */
  #placeBrightness(source: number): Stokes[] {
    const all = this.#numbers("stokes"), out = this.#numbers("work_brightness");
    return Array.from({ length: this.#channels }, (_, c) => {
      const at = 4 * (this.settings.stokesByChannel ? source * this.#channels + c : source);
      const spectrum = this.#spectrumOf(source, c);
      const { factor, more } = spectrum ? spectrumAt(spectrum) : { factor: 1, more: 0 };
      const stokes = [0, 1, 2, 3].map((k) => factor * all[at + k]! + (k === 0 ? more : 0)) as Stokes;
      out.set(brightnessOf(this.settings.feed, stokes, this.settings.brightness), 4 * c);
      return stokes;
    });
  }

  #spectrumOf(source: number, channel: number): Spectrum | undefined {
    const { spectrum: kind } = this.settings;
    if (kind === "none") return undefined;
    const count = this.#array("spectral_terms").shape[1]!;
    const x = this.#numbers("frequency")[channel]! / this.#numbers("reference_frequency")[source]!;
    return { kind, x, terms: this.#numbers("spectral_terms").subarray(source * count, (source + 1) * count) };
  }

  /** The shape of a source, if it has one, and its number among those of its kind. */
  #shapeOf(source: number): { readonly shape: SourceShape; readonly own: number } | undefined {
    const sources = this.#array("lm").shape[0]!;
    const [gaussians, disks] = ["gaussian_shape", "sersic_shape"].map((name) => this.#array(name).shape[1]!);
    const disk = source - (sources - disks!), gaussian = disk + gaussians!;
    if (gaussian < 0) return undefined;
    const [kind, name, own] = disk >= 0
      ? ["sersic", "sersic_shape", disk] as const
      : ["gaussian", "gaussian_shape", gaussian] as const;
    const numbers = this.#numbers(name), count = this.#array(name).shape[1]!;
    const values = [0, 1, 2].map((i) => numbers[i * count + own]!) as [number, number, number];
    return { shape: { kind, values }, own };
  }

  #placeTapers(shape: SourceShape): void {
    const [uvw, frequency] = [this.#numbers("uvw"), this.#numbers("frequency")];
    const [tapers, slopes] = [this.#numbers("work_tapers"), this.#numbers("work_slopes")];
    const [uu, uv, vv] = formOf(shape);
    const scales = Array.from(frequency, (one) => squareOfScale(shape, one));
    for (let row = 0, i = 0; row < this.#rows; row++) {
      const [u, v] = [uvw[3 * row]!, uvw[3 * row + 1]!];
      const form = uu * u * u + uv * u * v + vv * v * v;
      for (const scale of scales) {
        [tapers[i], slopes[i]] = taperOf(shape.kind, scale * form);
        i++;
      }
    }
  }

  #sum(extended: boolean): void {
    const run = kernel(this.kernels, "misfit_gradient", "float64");
    const jones = this.#multiply ? this.#at("work_jones") : 0;
    const [antenna1, antenna2, times] = jones === 0 ? [0, 0, 0] as const : this.#index();
    run(
      this.#at("work_sums"),
      this.#at("work_phases"),
      this.#at("work_misfit"),
      this.#at("work_brightness"),
      extended ? this.#at("work_tapers") : 0,
      extended ? this.#at("work_slopes") : 0,
      this.#at("uvw"),
      jones,
      antenna1,
      antenna2,
      times,
      this.#at("work_matrices"),
      this.#rows,
      this.#antennas,
      this.#channels,
    );
  }

  /** Adds the derivatives by the parameters of a source, channel by channel. */
  #deliver(
    source: number,
    stokes: readonly Stokes[],
    shape: { readonly shape: SourceShape; readonly own: number } | undefined,
  ): void {
    const { feed, stokesByChannel, convention, brightness } = this.settings;
    const [lm, frequency, all] = [
      this.#numbers("lm"),
      this.#numbers("frequency"),
      this.#numbers("work_sums"),
    ];
    const direction = [lm[2 * source]!, lm[2 * source + 1]!] as const;
    for (let c = 0; c < this.#channels; c++) {
      const sums = all.subarray(10 * c, 10 * c + 10);
      const derivatives = byStokes(feed, sums, brightness);
      const spectrum = this.#spectrumOf(source, c);
      const factor = spectrum ? spectrumAt(spectrum).factor : 1;
      const at = 4 * (stokesByChannel ? source * this.#channels + c : source);
      this.#add(RESULTS.stokes, at, derivatives.map((value) => factor * value));
      if (spectrum) {
        const terms = byTerms(spectrum, stokes[c]!, derivatives);
        this.#add(RESULTS.spectralTerms, source * terms.length, terms);
      }
      const sign = convention === "fourier" ? -1 : 1;
      this.#add(RESULTS.lm, 2 * source, byDirection(direction, frequency[c]!, sign, sums));
      if (!shape) continue;
      const name = shape.shape.kind === "gaussian" ? RESULTS.gaussianShape : RESULTS.sersicShape;
      this.#add(name, shape.own, byShape(shape.shape, frequency[c]!, sums), this.#array(name).shape[1]!);
    }
  }

  #add(name: string, at: number, values: readonly number[], stride: number = 1): void {
    const numbers = this.#numbers(name);
    values.forEach((value, k) => numbers[at + k * stride]! += value);
  }

  #index(): [antenna1: number, antenna2: number, times: number] {
    return [this.#at("antenna1"), this.#at("antenna2"), this.#at("time_index")];
  }

  #array(name: string): CubeArray {
    return arrayOf(this, name);
  }

  #at(name: string): number {
    return this.#array(name).pointer;
  }

  /** Numbers of an array; complex ones as pairs. */
  #numbers(name: string): Float64Array {
    const array = this.#array(name);
    return numbersIn(this.kernels.memory, array);
  }
}
