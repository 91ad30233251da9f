/**
 * A term of a user: a function in TypeScript.
 *
 * @module
 */

import { during } from "../../activity.ts";
import { isTilewiseError } from "../../errors.ts";
import { withoutExits } from "../../executor/exits.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import { viewOf } from "../../hypercube/providers/provider.ts";
import { checkOptionNames, mustBeOver, type OptionNames } from "../../options.ts";
import { each, text } from "../../options/rules.ts";
import { reasonOf } from "../../reason.ts";
import { functionAt } from "../../runner/import_export.ts";
import { mustTravel } from "../../runner/travel.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { arrayOf, FREQUENCY, type JonesTerm, numbersIn, type TermEntry, type TermTile } from "./term.ts";
import { eachSource, inputSchemas, matricesOf, singlesOf, termFailure, termName } from "./user_arrays.ts";

/**
 * The source for which a term of a user writes its matrices, and the tile. Do not write to its arrays.
 * @category Measurement equation
 */
export interface JonesSource {
  /** Direction cosine to the east. */
  readonly l: number;
  /** Direction cosine to the north. */
  readonly m: number;
  /** The number of the source in the whole problem. */
  readonly source: number;
  /** Number of times of this call. */
  readonly times: number;
  /** Number of antennas. */
  readonly antennas: number;
  /** Number of channels of the tile. */
  readonly channels: number;
  /** Frequencies of the channels of the tile in Hz. */
  readonly frequency: Float64Array;
  /** The part of {@link JonesFunctionOptions.arrays} that belongs to the tile, by name. */
  readonly arrays: Readonly<Record<string, NDArray>>;
  /** {@link JonesFunctionOptions.params}. */
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Writes the Jones matrices of one source: `out` has the shape (times, antennas, channels, 4) of complex numbers as pairs, and
 * starts as identities.
 * @category Measurement equation
 */
export type JonesFunction = (source: JonesSource, out: Float64Array) => void;

/**
 * Options of {@link jonesFunction}.
 * @category Measurement equation
 */
export interface JonesFunctionOptions {
  /** Its name. Default: the export. */
  readonly name?: string;
  /** The export of the module. Default `default`. */
  readonly export?: string;
  /** Further inputs that it reads, over the dimensions of the cube. */
  readonly arrays?: readonly ArraySchema[];
  /** Passed to the function as `source.params`. */
  readonly params?: Readonly<Record<string, unknown>>;
}

// deno-fmt-ignore: written by `deno task build`
const FUNCTION_OPTIONS: OptionNames<JonesFunctionOptions> = {
  name: termName, export: text, arrays: inputSchemas,
  params: each("an object of parameters by name", () => {}),
};

/** What the term is made with. */
interface FunctionUse {
  readonly module?: string;
  readonly export: string;
  readonly function?: JonesFunction;
  readonly inputs: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * A term from your own function: an export of a module, which runs on workers, or the function itself, which runs on the
 * calling thread. It is called for each source, with some of the times: usually one.
 *
 * Errors: `udf`, with the number of the source, if it throws or returns a promise.
 *
 * @example A dish whose sensitivity falls with the distance from the phase centre
 * ```ts
 * import { jonesFunction } from "@tilewise/tilewise/unstable/rime";
 * import { assertEquals } from "@std/assert";
 * const dish = jonesFunction(({ l, m }, out) => {
 *   const gain = Math.exp(-100 * (l * l + m * m));
 *   for (let i = 0; i < out.length; i += 8) {
 *     out[i] = gain;
 *     out[i + 6] = gain;
 *   }
 * }, { name: "dish" });
 * assertEquals([dish.name, dish.here], ["dish", true]);
 * ```
 * @category Measurement equation
 */
export function jonesFunction(
  source: string | URL | JonesFunction,
  options: JonesFunctionOptions = {},
): JonesTerm {
  checkOptionNames("jonesFunction()", options, FUNCTION_OPTIONS);
  const { export: exported = "default", arrays = [], params = {} } = options;
  const inputs = arrays.map(({ name }) => name);
  const named = (name: string) => ({
    name,
    term: "jonesFunction",
    arrays: [...arrays, FREQUENCY, matricesOf(name), singlesOf(name)],
  });
  if (typeof source === "function") {
    const name = options.name ?? (source.name || "function");
    termName("jonesFunction()", "name", name);
    return { ...named(name), here: true, params: { export: name, function: source, inputs, params } };
  }
  const module = wholeUrl(source, "use the term");
  const name = options.name ?? exported;
  mustTravel(`Term "${name}"`, params);
  return { ...named(name), modules: [module], params: { module, export: exported, inputs, params } };
}

/** See {@link jonesFunction}. */
export const JONES_FUNCTION: TermEntry<FunctionUse> = {
  async start(setting) {
    const { name, params: use, kernels: { memory } } = setting;
    const call = await functionAt(use, "term", "as a term");
    const doing = { text: `term "${name}"`, details: { term: name } };
    return (tile) => {
      const out = numbersIn(memory, arrayOf(tile, `${name}_jones`));
      const facts = factsOf(memory, tile, use);
      return eachSource(setting, tile, (l, m, source) => {
        try {
          mustBeOver(during(doing, () => withoutExits(() => call({ ...facts, l, m, source }, out))));
        } catch (error) {
          throw isTilewiseError(error) ? error : termFailure(name, source, reasonOf(error), error);
        }
      });
    };
  },
};

/** What all sources of a tile share. */
function factsOf(
  memory: WebAssembly.Memory,
  tile: TermTile,
  { inputs, params }: FunctionUse,
): Omit<JonesSource, "l" | "m" | "source"> {
  const { times, antennas, channels } = tile;
  const arrays = Object.fromEntries(inputs.map((name) => [name, viewOf(memory, arrayOf(tile, name))]));
  return {
    times,
    antennas,
    channels,
    frequency: numbersIn(memory, arrayOf(tile, FREQUENCY.name)),
    arrays,
    params,
  };
}
