/**
 * The bars of the bench of channels, and whether they are met.
 *
 * @module
 */

import type { SectionRow } from "../sections/section.ts";
import { type Bar, BARS } from "./works.ts";

/** A bar, what was measured, and whether it is met. */
export interface Verdict {
  /** Whether it is met. */
  readonly met: boolean;
  /** Work, figure and bar. */
  readonly text: string;
}

/** A verdict for each bar whose work was timed. */
export function verdicts(rows: readonly SectionRow[]): Verdict[] {
  return BARS.flatMap((bar) => {
    const row = rows.find(({ name, by }) => name === bar.name && by === bar.by);
    const limit = rows.find(({ name, by }) => name === bar.name && by === "limit");
    if (!row) return [];
    const { met, found, asked } = judged(bar, row, limit);
    return [{ met, text: `${bar.name}, ${bar.by}: ${found}, bar ${asked}` }];
  });
}

function judged({ seconds, total, share }: Bar, row: SectionRow, limit: SectionRow | undefined) {
  if (seconds !== undefined) {
    const each = row.min / Number(row.calls);
    return { met: each <= seconds, found: `${micro(each)} per call`, asked: `at most ${micro(seconds)}` };
  }
  if (total !== undefined) {
    return { met: row.min <= total, found: `${row.min.toFixed(2)} s`, asked: `at most ${total} s` };
  }
  const part = limit ? limit.min / row.min : 0, least = share ?? 1;
  return { met: part >= least, found: percent(part), asked: `at least ${percent(least)} of the limit` };
}

const micro = (seconds: number) => `${(seconds * 1e6).toFixed(2)} µs`;
const percent = (part: number) => `${Math.round(part * 100)} %`;
