/**
 * A term of a user: a kernel in AssemblyScript, compiled when a run is prepared.
 *
 * @module
 */

import { during } from "../../activity.ts";
import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { each, number, text } from "../../options/rules.ts";
import { reasonOf } from "../../reason.ts";
import { type CompiledKernel, compileKernel } from "../../user_kernels/compile.ts";
import { instantiate, placeOf, shiftOf } from "../../user_kernels/instance.ts";
import { callOf, type Convention } from "../../user_kernels/signature.ts";
import { checkSource, generic, type GivenSource, nameOf, sourceOf } from "../../user_kernels/source.ts";
import { arrayOf, FREQUENCY, type JonesTerm, type TermEntry, type TermTile } from "./term.ts";
import { eachSource, inputSchemas, matricesOf, singlesOf, termFailure, termName } from "./user_arrays.ts";

/**
 * Options of {@link jonesKernel}. The source exports this function, with an address (`usize`) for each of `arrays` and an
 * `f64` for each of `params`, in the order in which they are declared:
 *
 * ```
 * source(l: f64, m: f64, frequency: usize, out: usize, times: i32, antennas: i32, channels: i32, …arrays, …params): void
 * ```
 * @category Measurement equation
 */
export interface JonesKernelOptions {
  /** Its name, of letters, digits and _. Default: the name of the file. */
  readonly name?: string;
  /** The source. */
  readonly source?: string;
  /** A path or URL of the source. Give either `source` or `file`. */
  readonly file?: string | URL;
  /** Further inputs that it reads, over the dimensions of the cube. */
  readonly arrays?: readonly ArraySchema[];
  /** Numbers that are the last arguments of the kernel. */
  readonly params?: Readonly<Record<string, number>>;
}

// deno-fmt-ignore: written by `deno task build`
const KERNEL_OPTIONS: OptionNames<JonesKernelOptions> = {
  name: termName, source: text, file: true, arrays: inputSchemas,
  params: each("an object of numbers by name", number),
};

/** What the term is made with. */
interface KernelUse {
  readonly inputs: readonly string[];
  readonly numbers: readonly number[];
  /** The compiled kernel; absent before a run is prepared. */
  readonly ready?: CompiledKernel;
}

/**
 * A term from your own kernel in AssemblyScript. It is called for each source, with some of the times (usually one), and
 * writes the Jones matrices of the source to `out`: (times, antennas, channels, 4) complex numbers as pairs of f64, which
 * start as identities. `frequency` is the address of the frequencies of the channels, as f64.
 *
 * Errors, when a run is prepared: `udf` with file, line and column (the source does not compile), or with the expected and
 * the found signature; during the run: `udf` with the source and the line where it traps.
 *
 * @example A dish whose sensitivity falls with the distance from the phase centre and with frequency
 * ```ts
 * import { jonesKernel } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const dish = jonesKernel({
 *   name: "dish",
 *   source: `
 *     export function source(
 *       l: f64, m: f64, frequency: usize, out: usize, times: i32, antennas: i32, channels: i32, width: f64,
 *     ): void {
 *       for (let i = 0; i < times * antennas; i++) {
 *         for (let c = 0; c < channels; c++, out += 64) {
 *           const ghz = load<f64>(frequency + 8 * c) / 1e9;
 *           const gain = Math.exp(-(l * l + m * m) * ghz * ghz / (width * width));
 *           store<f64>(out, gain);
 *           store<f64>(out, gain, 48);
 *         }
 *       }
 *     }`,
 *   params: { width: 0.1 },
 * });
 * assertEquals((await dish.prepare?.())?.name, "dish");
 * ```
 * @category Measurement equation
 */
export function jonesKernel(options: JonesKernelOptions): JonesTerm {
  checkOptionNames("jonesKernel()", options, KERNEL_OPTIONS);
  const { arrays = [], params = {} } = options;
  const name = options.name ?? nameOf(options).replace(/\W/g, "_");
  checkSource(`Cannot make a term of kernel "${name}"`, name, options, params);
  const use: KernelUse = { inputs: arrays.map((one) => one.name), numbers: Object.values(params) };
  const all = [...arrays, FREQUENCY, matricesOf(name), singlesOf(name)];
  const term = { name, term: "jonesKernel", arrays: all, params: { ...use } };
  const prepare = async () => {
    const ready = await readyFor({ ...options, name }, use, Object.keys(params));
    const statics: readonly ArraySchema[] = ready.statics === 0
      ? []
      : [{ name: `${name}_statics`, shape: [ready.statics], dtype: "uint8", role: "temporary" }];
    return { ...term, arrays: [...all, ...statics], params: { ...use, ready } };
  };
  return { ...term, prepare };
}

/** Compiles the kernel, and checks its signature. */
async function readyFor(
  given: GivenSource,
  { inputs }: KernelUse,
  params: readonly string[],
): Promise<CompiledKernel> {
  const source = await sourceOf(given);
  const kernel = await compileKernel({ ...source, ...generic(source, "float64") });
  const sizes = ["times: i32", "antennas: i32", "channels: i32"];
  const convention: Convention<"source"> = {
    calls: { source: ["l: f64", "m: f64", "frequency: usize", "out: usize", ...sizes] },
    addresses: inputs,
    numbers: params,
  };
  callOf(kernel, source.name, convention, "source");
  return kernel;
}

/** See {@link jonesKernel}. */
export const JONES_KERNEL: TermEntry<KernelUse> = {
  start(setting) {
    const { name, params: { inputs, numbers, ready }, kernels: { memory } } = setting;
    if (!ready) {
      throw new TilewiseError("corrupt", `Term "${name}" was not compiled when its run was prepared`);
    }
    const doing = { text: `term "${name}"`, details: { term: name } };
    return (tile: TermTile) => {
      const statics = ready.statics === 0 ? undefined : arrayOf(tile, `${name}_statics`).pointer;
      const run = instantiate(ready, "source", memory, { name, statics });
      const { times, antennas, channels } = tile;
      const at = [FREQUENCY.name, `${name}_jones`].map((one) => arrayOf(tile, one).pointer);
      const rest = [
        times,
        antennas,
        channels,
        ...inputs.map((one) => arrayOf(tile, one).pointer),
        ...numbers,
      ];
      return eachSource(setting, tile, (l, m, source) => {
        try {
          during(doing, () => run(l, m, ...at, ...rest));
        } catch (error) {
          const place = placeOf(error, ready, shiftOf(ready, memory));
          const where = place ? ` (${place.file}:${place.line}:${place.column})` : "";
          throw termFailure(name, source, `${reasonOf(error)}${where}`, error, place);
        }
      });
    };
  },
};
