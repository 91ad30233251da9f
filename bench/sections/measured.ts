/**
 * One section: run, and shown as text.
 *
 * @module
 */

import { align, type BenchRow, gbps, table } from "../timing.ts";
import type { Section, SectionOptions, SectionResult, SectionRow } from "./section.ts";

/** Runs one section in a folder of its own. */
export async function measured(
  section: Section,
  options: Omit<SectionOptions, "folder">,
): Promise<SectionResult> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-bench-" });
  try {
    return await section({ ...options, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Rows as a table, each with its speed relative to that of the fastest peer, and what was left out. */
export function sectionText({ rows, skipped }: SectionResult): string {
  const base = (row: BenchRow) => fastestPeer(rows, row);
  return [table(rows, base), ...memoryText(rows), ...skipped.map((text) => `skipped: ${text}`)].join("\n");
}

/** The fastest peer for the work of `row`, its time scaled to the bytes of `row`. */
export function fastestPeer(rows: readonly SectionRow[], row: BenchRow): BenchRow | undefined {
  const peers = rows.filter(({ name, by }) => name === row.name && by !== "limit" && !/^tilewise\b/.test(by));
  const best = peers.reduce<SectionRow | undefined>(
    (best, one) => best && gbps(best) >= gbps(one) ? best : one,
    undefined,
  );
  return best && { ...best, min: best.min * (row.bytes ?? best.bytes) / best.bytes };
}

function memoryText(rows: readonly SectionRow[]): string[] {
  const lines = rows.flatMap(({ name, by, peakMiB, results }) =>
    peakMiB === undefined && results === undefined
      ? []
      : [[name, by, peakMiB === undefined ? "" : `${Math.round(peakMiB)} MiB`, results ?? ""]]
  );
  return lines.length === 0 ? [] : ["", align([["what", "by", "peak", "results"], ...lines])];
}
