/**
 * What a comparison has found: a table with one row per word, and what differs.
 *
 * @module
 */

import { align } from "../../../bench/timing.ts";
import { DIFFERENCES } from "./differences.ts";
import type { Difference } from "./excuses.ts";
import type { Outcome } from "../runner.ts";

/** One row of the table. */
export interface Row {
  /** What was computed. */
  readonly word: string;
  /** Comparisons. */
  cases: number;
  /** Those in which all is equal, or within the bounds of rounding. */
  equal: number;
  /** Those that both sides refuse. */
  refused: number;
  /** Those that differ on purpose. */
  deliberate: number;
  /** Those that differ otherwise. */
  unexplained: number;
  /** The largest distance that was within its bound, as a share of it. */
  share: number;
  /** The result that it belongs to. */
  nearest: string;
  /** Numbers without a bound, of all. */
  unbounded: number;
  /** All numbers. */
  numbers: number;
}

/** Counts outcomes. */
export class Report {
  /** Rows by word. */
  readonly rows = new Map<string, Row>();
  /** How many comparisons each deliberate difference has excused. */
  readonly used = new Map<Difference, number>();

  /** Counts one. */
  add({ at: { word }, end, differences, verdict }: Outcome): void {
    const row = this.rows.get(word) ?? emptyRow(word);
    this.rows.set(word, row);
    row.cases++;
    row[end]++;
    if (verdict.share > row.share) [row.share, row.nearest] = [verdict.share, verdict.nearest];
    row.unbounded += verdict.unbounded;
    row.numbers += verdict.numbers;
    for (const used of new Set(differences.flatMap(({ rows }) => rows))) {
      this.used.set(used, (this.used.get(used) ?? 0) + 1);
    }
  }

  /** Comparisons that differ without a reason. */
  get unexplained(): number {
    return [...this.rows.values()].reduce((sum, row) => sum + row.unexplained, 0);
  }

  /** All comparisons. */
  get cases(): number {
    return [...this.rows.values()].reduce((sum, row) => sum + row.cases, 0);
  }

  /** Deliberate differences that have excused nothing. */
  get idle(): readonly Difference[] {
    return DIFFERENCES.filter((row) => !this.used.has(row));
  }

  /** The table, and below it the deliberate differences with their reasons. */
  toString(): string {
    const head = [
      "work",
      "cases",
      "equal",
      "both refuse",
      "deliberate",
      "unexplained",
      "nearest to bound",
      "no bound",
    ];
    const body = [...this.rows.values()].map((row) => [
      row.word,
      ...[row.cases, row.equal, row.refused, row.deliberate, row.unexplained].map(String),
      `${row.share.toPrecision(2)} ${row.nearest}`,
      `${(100 * row.unbounded / Math.max(1, row.numbers)).toFixed(2)} %`,
    ]);
    const reasons = [...this.used].map(([{ name, reason }, count]) => `${count} × ${name}: ${reason}`);
    return [align([head, ...body]), "", ...reasons].join("\n");
  }
}

function emptyRow(word: string): Row {
  const counts = { cases: 0, equal: 0, refused: 0, deliberate: 0, unexplained: 0 };
  return { word, ...counts, share: 0, nearest: "", unbounded: 0, numbers: 0 };
}

/** What to say of a comparison that differs, and how to see it again. */
export function complaint(outcome: Outcome, command: string): string {
  const open = outcome.differences.filter(({ rows }) => rows.length === 0).map(({ text }) => `  ${text}`);
  const { data, word, params } = outcome.at;
  const about = `${data.dtype} ${data.nav.join("×")} | ${data.sig.join("×")}, ${data.pattern}, ${data.file}`;
  return [`${word} differs (${about}) ${shortened(params)}`, ...open, `  ${command}`].join("\n");
}

/** Parameters without the samples of arrays. */
function shortened(params: unknown): string {
  return JSON.stringify(params, (key, value) => key === "base64" ? "…" : value).slice(0, 400);
}
