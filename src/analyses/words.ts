/**
 * Analyses as words and back: `com:cy=64,cx=64,r=20`, `expr:bright=sum(x);t=3`.
 *
 * @module
 */

import { type Analysis, freeValue, parseValue, type TypedValue, type TypedValues } from "./analysis.ts";
import { DETECTORS } from "./detectors.ts";
import { DIFFRACTION } from "./diffraction.ts";
import { EXPRESSION, EXPRESSION_WORDS } from "./expression.ts";
import { FOURIER } from "./fourier.ts";
import { LATTICES } from "./lattice.ts";
import { REDUCTIONS } from "./reductions.ts";
import { mustHaveAll, type Pairs, valuesIn, WordError } from "./word_error.ts";

// All analyses that have a name: the one table behind words, forms, checks and help.

/** The analyses, in the order of the help. */
export const ANALYSES: readonly Analysis[] = [
  ...REDUCTIONS,
  ...DETECTORS,
  ...DIFFRACTION,
  ...FOURIER,
  ...LATTICES,
  EXPRESSION,
];

/** All words that mean an analysis. */
export const ANALYSIS_WORDS: readonly string[] = ANALYSES.flatMap((
  { name, aliases = [] },
) => [name, ...aliases]);

/** The analysis that a word means. */
export function findAnalysis(name: string): Analysis | undefined {
  return ANALYSES.find((analysis) => analysis.name === name || analysis.aliases?.includes(name));
}

/** The values of an analysis, which was called `name`: each one checked, and all that it needs. */
export function checkedValues({ parameters, check }: Analysis, name: string, pairs: Pairs): TypedValues {
  const called = { kind: "the UDF", name, parameters };
  const values: Record<string, TypedValue> = valuesIn(called, pairs, (key, text, parameter) => {
    return parseValue(name, key, text, parameter);
  });
  check?.(Object.keys(values));
  mustHaveAll(called, values);
  return values;
}

/** The parts of an expression `NAME=EXPRESSION;NAME=@FILE;NAME=NUMBER`; a part without a name is the result `value`. */
export function expressionPairs(text: string): Pairs {
  return text.split(";").filter((part) => part.trim() !== "").map((part) => {
    const trimmed = part.trim();
    const [head = "", name = "value"] = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(trimmed) ?? [];
    return [name, trimmed.slice(head.length).trimStart()] as const;
  });
}

/** The values of an expression; `word` is what was typed. */
export function expressionValues(word: string, pairs: Pairs): TypedValues {
  const values: Record<string, TypedValue> = {};
  for (const [name, text] of pairs) {
    if (name in values) {
      throw new WordError(`two parts of "${word}" are called ${name}; write name=…;name=…`, {
        parameter: name,
      });
    }
    values[name] = freeValue(text);
  }
  const isResult = ([name, value]: [string, TypedValue]) =>
    typeof value === "string" && !EXPRESSION_WORDS.includes(name);
  if (Object.entries(values).some(isResult)) return values;
  throw new WordError(
    `"${word}" computes nothing; write expr:'sum(x)' or expr:'bright=sum(x);peak=max(x)'`,
  );
}

/** Whether a word means the analysis that has expressions in place of parameters. */
export function isExpression(name: string): boolean {
  return findAnalysis(name) === EXPRESSION;
}

/** An analysis and texts of its parameters by name; those that are absent have their default. */
interface WrittenAnalysis {
  /** Its word, or another word for it. */
  readonly name: string;
  /** The texts. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * The word that {@link WrittenAnalysis} is on the command line, without quotes for a shell.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wordOf({ name: "disk", values: { r: "20", cy: "8" } }), "disk:r=20,cy=8");
 * assertEquals(wordOf({ name: "expr", values: { value: "sum(x > t)", t: "3" } }), "expr:value=sum(x > t);t=3");
 * ```
 */
export function wordOf({ name, values }: WrittenAnalysis): string {
  const pairs = Object.entries(values).map(([key, text]) => `${key}=${text}`);
  if (pairs.length === 0) return name;
  return `${name}:${pairs.join(isExpression(name) ? ";" : ",")}`;
}

/** The analysis that is meant and its values, checked as those of a word. */
export function parseWritten(
  written: WrittenAnalysis,
): { readonly analysis: Analysis; readonly values: TypedValues } {
  const { name } = written;
  const analysis = findAnalysis(name);
  if (!analysis) throw new WordError(`the analysis "${name}" is unknown`);
  const pairs = Object.entries(written.values);
  return {
    analysis,
    values: isExpression(name)
      ? expressionValues(wordOf(written), pairs)
      : checkedValues(analysis, name, pairs),
  };
}
