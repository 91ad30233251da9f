/**
 * The table of analyses, and that of filters: what they compute, their parameters, and how they are made from text. The command
 * line and the page make their help and their forms from it.
 *
 * @module
 */

export * from "./analysis.ts";
export { ANALYSES, findAnalysis } from "./words.ts";
export {
  type ArrayReader,
  isFile,
  parseValue,
  readValues,
  type TypedValues,
  WRITTEN,
  written,
} from "./analysis.ts";
export type { Pairs } from "./word_error.ts";
export { expressionPairs, parseWritten, wordOf, type WrittenAnalysis } from "./words.ts";
export { WordError } from "./word_error.ts";
export { type Filter, FILTER_GROUPS, type FilterParameter, type FilterValue } from "./filters/filter.ts";
export { FILTERS } from "./filters/table.ts";
export { filterOf } from "./filters/expression.ts";
export { findFilter, partsOf, valuesOf, written as filterWritten } from "./filters/words.ts";
export { type ResultKind, resultKinds } from "./titles.ts";
export { firstResult, type ResultTitle, resultTitle, TITLES } from "./titles.ts";
export { type KeepOptions, keepSamples } from "../udf/run/keep.ts";
export { inMemory, keepBytes } from "../udf/run/keep_bytes.ts";
