/**
 * UDFs over views as operations: every tile gives a list of bytes with an entry of each buffer.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { inWords, isPromise, type OptionNames } from "../../../options.ts";
import { each, must, needed, text } from "../../../options/rules.ts";
import { importExport } from "../../../runner/import_export.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { withHalo } from "../../../space/halo.ts";
import { sizeOf } from "../../../space/shape.ts";
import { calledFor } from "../called.ts";
import { functionArrays } from "../function_arrays.ts";
import { OF_USERS, type OperationEntry, orderOfArrays, type Radius } from "../operation.ts";
import { inputsRule, radiusRule } from "../rules.ts";
import { type FunctionParams, mustBeHeld } from "../view_function.ts";
import {
  type AnyViewUdf,
  checkViewUdf,
  entriesAt,
  placesOf,
  startEntries,
  type ViewBuffers,
} from "./entries.ts";

/** The part that travels to workers. */
export interface ViewUdfUse {
  /** URL of the module with the UDF. */
  readonly module?: string;
  /** Its export. */
  readonly export: string;
  /** Its argument. */
  readonly params: FunctionParams;
  /** The UDF itself, which stays on the calling thread. */
  readonly udf?: AnyViewUdf;
  /** What it declares, known when a run is planned. */
  readonly buffers?: ViewBuffers;
  /** The halo that it reads. */
  readonly radius?: Radius;
  /** Names of the arrays that it takes. */
  readonly inputs?: readonly string[];
  /** Type of the samples that it gets. */
  readonly input?: AnyViewUdf["input"] & string;
}

// deno-fmt-ignore: written by `deno task build`
const USE_NAMES: OptionNames<ViewUdfUse> = {
  module: text, export: needed(text), params: needed(each("an object of parameters by name", () => {})),
  udf: must("a UDF over views", (value) => typeof value === "object"), buffers: true, radius: radiusRule,
  inputs: inputsRule, input: text,
};

/** See `viewUdf`. */
export const VIEW_UDF: OperationEntry<ViewUdfUse, "input"> = {
  name: "viewUdf",
  params: USE_NAMES,
  ...OF_USERS,
  result: () => "uint8",
  values: () => "unknown",
  partial: ({ params: { buffers = {} } }) => placesOf(buffers).bytes,
  check: ({ params: { export: name, input = "float32" }, dtype }) => mustBeHeld(name, input, dtype),
  scratch({ params: { input = "float32", inputs }, dtype, tile, halo }) {
    const bytes = sizeOf([...withHalo(tile, halo), dtypeInfo(input).itemSize]);
    return { input: input === dtype ? 0 : bytes * (inputs?.length ?? 1) };
  },
  async start({ params, dtype, radius, halo: { back }, name, kernels: { memory }, scratch, ...facts }) {
    const udf = await udfOf(params);
    const { input = "float32", inputs = [] } = udf;
    const { places } = placesOf(udf.buffers);
    const order = orderOfArrays(inputs, facts);
    const arrays = functionArrays({ memory, stored: dtype, input, dtype: "uint8", scratch, order });
    const callee = {
      who: `UDF "${name}"`,
      doing: { text: `UDF "${name}" over views`, details: { operation: name } },
    };
    return (view, out, tile) => {
      const given = arrays.of(view);
      const entries = entriesAt(places, memory.buffer, out.pointer);
      startEntries(places, entries);
      const named = Object.fromEntries(inputs.map((one, n) => [one, given[n]!]));
      const more = { radius, back, origin: tile.origin, params: params.params, arrays: named };
      calledFor(callee, tile, () => udf.processView({ ...given[0]!, ...more }, entries));
    };
  },
};

/** The UDF that was given, or the one of its module: its export, or what its export makes from the parameters. */
export async function udfOf({ module, export: name, udf, params }: ViewUdfUse): Promise<AnyViewUdf> {
  if (udf) return udf;
  if (module === undefined) throw new TilewiseError("corrupt", `UDF "${name}" over views is nowhere`);
  const found = await importExport(module, name, "UDF over views");
  const made: unknown = typeof found === "function" ? found(params) : found;
  if (isPromise(made)) {
    const words = `Cannot use "${name}" of ${module}: it returned a promise; make it an ordinary function`;
    throw new TilewiseError("udf", words, { file: module, found: inWords(made) });
  }
  checkViewUdf(`"${name}" of ${module}`, made);
  return made;
}
