/** What the tables of rules consist of. */

/** One rule. */
export interface Rule {
  /** Which line of its section: table rows, list items and paragraphs, from 1 on. */
  readonly line: number;
  /** The rule in a few words. */
  readonly rule: string;
  /** The tests that look at it: file below `tests/` without `_test.ts`, `#`, name of the test. */
  readonly tests: readonly string[];
  /** Where it is another rule here, on purpose: which one, and why. */
  readonly differs?: string;
}

/** The rules of one section. */
export interface Section {
  /** Its number; or a word for rules of our own. */
  readonly section: string;
  /** What it is about. */
  readonly about: string;
  /** How many lines it has. */
  readonly lines: number;
  /** Its rules; a line may have several. */
  readonly rules: readonly Rule[];
}

/** A rule as it is written in the tables: line, rule, tests, and what is different here. */
export type RuleRow = readonly [
  line: number,
  rule: string,
  tests: string | readonly string[],
  differs?: string,
];

/** The rules of one section from rows. */
export function section(number: string, about: string, lines: number, rows: readonly RuleRow[]): Section {
  const rules = rows.map(([line, rule, tests, differs]) => ({
    line,
    rule,
    tests: typeof tests === "string" ? [tests] : tests,
    ...(differs ? { differs } : {}),
  }));
  return { section: number, about, lines, rules };
}
