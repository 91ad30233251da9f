/**
 * Filters that users write: expressions, and modules with a function or a kernel over views.
 *
 * @module
 */

import { DTYPES } from "../../space/dtype.ts";
import type { DType } from "../../space/dtype.ts";
import { viewExpression } from "../../views/operations/expression.ts";
import { viewKernel } from "../../views/operations/kernels/view_kernel.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { viewFunction } from "../../views/operations/view_function.ts";
import { UsageError } from "../shell/args.ts";
import { moduleUrl } from "../shell/module_url.ts";
import { type FilterValue, type ModuleWord, numbersIn, type Pairs, type WordDefaults } from "./filter.ts";

/** `expr:EXPRESSION;NAME=NUMBER;dtype=float64`. */
export function ofExpression(word: string, { inputs }: WordDefaults): ViewOperation {
  const parts = word.slice(5).split(";").map((part) => part.trim()).filter((part) => part !== "");
  const named = (part: string) => /^([A-Za-z_]\w*)\s*=(?!=)\s*(.*)$/s.exec(part);
  const [text, ...others] = parts.filter((part) => !named(part));
  if (text === undefined || others.length > 0) {
    throw new UsageError(
      `"${word}" must be one expression, with numbers by name: write expr:'max(x - k, 0);k=3'`,
    );
  }
  const params: Record<string, number> = {};
  let dtype: "float32" | "float64" = "float32";
  for (const [, name = "", value = ""] of parts.flatMap((part) => [named(part) ?? []])) {
    if (name === "dtype" && (value === "float32" || value === "float64")) dtype = value;
    else if (name !== "") params[name] = paramIn(name, value);
  }
  return viewExpression(text, { params, dtype, ...(inputs ? { inputs } : {}) });
}

function paramIn(name: string, text: string): number {
  const value = numbersIn(text);
  if (typeof value === "number") return value;
  throw new UsageError(`an expression cannot use ${name}=${text}; write a number`);
}

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
    ...(defaults.inputs ? { inputs: defaults.inputs } : {}),
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
    ...(defaults.inputs ? { inputs: defaults.inputs } : {}),
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
