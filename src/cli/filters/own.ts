/**
 * Filters that users write: modules with a function or a kernel over views.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { DTYPES } from "../../space/dtype.ts";
import type { DType } from "../../space/dtype.ts";
import { viewKernel } from "../../views/operations/kernels/view_kernel.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { viewFunction } from "../../views/operations/view_function.ts";
import { UsageError } from "../shell/args.ts";
import { moduleUrl } from "../shell/module_url.ts";
import { type FilterValue, numbersIn, type WordDefaults } from "../../analyses/filters/filter.ts";
import type { Pairs } from "../../analyses/word_error.ts";
import type { ModuleWord } from "./module_word.ts";

/** A function or a kernel in a module. */
export function ofCode(module: ModuleWord, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  return (isKernel(module) ? ofKernel : ofModule)(module, pairs, defaults);
}

/** Whether a module is a source of AssemblyScript. */
function isKernel({ path }: ModuleWord): boolean {
  return path.endsWith(".as.ts");
}

/** A function of views: `radius`, `input` and `dtype` are its options, all else are its parameters. */
function ofModule({ path, name }: ModuleWord, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  const { radius, input, dtype, params } = codeOptions(pairs, defaults);
  return viewFunction(moduleUrl(path), {
    export: name,
    ...radius,
    ...(input === undefined ? {} : { input: typeIn("input", input) }),
    ...(dtype === undefined ? {} : { dtype: typeIn("dtype", dtype) }),
    ...defined({ inputs: defaults.inputs }),
    params,
  });
}

/** A kernel in AssemblyScript: as a function, but its parameters are numbers, in their order. */
function ofKernel({ path, name }: ModuleWord, pairs: Pairs, defaults: WordDefaults): ViewOperation {
  const { radius, input, dtype, params } = codeOptions(pairs, defaults);
  return viewKernel({
    file: moduleUrl(path),
    ...(name === "plane" || name === "tile" ? { export: name } : {}),
    ...radius,
    ...(input === undefined ? {} : { input: input === "native" ? input : typeIn("input", input) }),
    ...(dtype === undefined ? {} : { dtype: dtype === "native" ? dtype : typeIn("dtype", dtype) }),
    ...defined({ inputs: defaults.inputs }),
    params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, numberOf(key, value)])),
  });
}

/** The options of code of users, and its parameters. */
function codeOptions(pairs: Pairs, defaults: WordDefaults) {
  const { radius = defaults.radius, input, dtype, ...params } = Object.fromEntries(
    pairs.map(([key, text]) => [key, numbersIn(text) ?? text] as const),
  );
  return {
    radius: radius === undefined || typeof radius === "string" ? {} : { radius },
    input,
    dtype,
    params,
  };
}

function numberOf(key: string, value: FilterValue): number {
  if (typeof value === "number") return value;
  throw new UsageError(`a kernel cannot use ${key}=${value}; write a number`);
}

function typeIn(key: string, value: FilterValue): DType {
  const found = DTYPES.find((dtype) => dtype === value);
  if (found) return found;
  throw new UsageError(`code over views cannot use ${key}=${value}; write one of ${DTYPES.join(", ")}`);
}
