/**
 * The table of analyses, and that of filters: what they compute, their parameters, and how they are made from text. The command
 * line and the page make their help and their forms from it.
 *
 * @module
 */

export * from "./analysis.ts";
export { ANALYSES, findAnalysis } from "./words.ts";
export { expressionPairs, parseWritten, wordOf } from "./words.ts";
export { splitWord, WordError } from "./word_error.ts";
export { type Filter, FILTER_GROUPS, type FilterParameter } from "./filters/filter.ts";
export { FILTERS } from "./filters/table.ts";
export { filterOf } from "./filters/expression.ts";
export { type Columns, csvLines, objectColumns, objectsInUnits } from "./objects.ts";
export { findFilter, partsOf, written as filterWritten } from "./filters/words.ts";
export {
  firstResult,
  type ResultKind,
  resultKinds,
  type ResultTitle,
  resultTitle,
  seenTogether,
  TITLES,
} from "./titles.ts";
export { keepSamples } from "../udf/run/keep.ts";
export { inMemory, keepBytes } from "../udf/run/keep_bytes.ts";
