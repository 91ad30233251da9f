/**
 * What the soak test says in the end: a row per part, the figures that were measured, and every finding.
 *
 * @module
 */

import { align } from "../../bench/timing.ts";
import type { Outcome } from "./part.ts";

/** One row of the table. */
export interface Row extends Outcome {
  /** The part. */
  readonly part: string;
  /** How long it took. */
  readonly seconds: number;
}

/** The rows and the figures of parts as text. */
export function tableOf(rows: readonly Row[]): string {
  const body = rows.map(({ part, cases, findings, seconds }) => [
    part,
    "",
    ...[cases, findings.length].map(String),
    seconds.toFixed(1),
  ]);
  const figures = rows.flatMap(({ part, figures }) => figures ? [`\n${part}:`, align(figures)] : []);
  return [align([["part", "", "cases", "findings", "seconds"], ...body]), ...figures].join("\n");
}

/** What was wrong, and how to see it again. */
export function complaints({ part, findings }: Row, seed: number): string[] {
  const command = `deno task soak --only ${part} --seed ${seed}`;
  return findings.map(({ at, text }) => `${part}, ${at}: ${text}\n  ${command}`);
}
