/**
 * Runs sections as `deno task bench --set views` and `--set decode` do: prints what they find, and keeps it.
 *
 * @module
 */

import { record } from "../record.ts";
import { align, type BenchRow, gbps, print, table } from "../timing.ts";
import type { Section, SectionOptions, SectionResult, SectionRow } from "./section.ts";
import { type SectionEntry, SECTIONS } from "./table.ts";

/** What `bench/main.ts` was told. */
export interface SectionsOptions extends Omit<SectionOptions, "folder"> {
  /** The set. */
  readonly set: SectionEntry["set"];
  /** Sections by name; all of the set unless told. */
  readonly names?: readonly string[];
  /** Whether the rows are kept. */
  readonly keep: boolean;
}

/** Runs the sections of a set; the texts say where results differ. */
export async function benchSections({ set, names, keep, ...options }: SectionsOptions): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, load } of chosen(set, names)) {
    const title = `${set} ${name}`;
    try {
      const found = await measured(await load(), options);
      print(`\n${title}\n${sectionText(found)}`);
      failures.push(...found.failures);
      if (keep && found.rows.length > 0) await record(title, found.rows);
    } catch (error) {
      failures.push(`${title}: ${error}`);
    }
  }
  return failures;
}

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

function chosen(set: SectionEntry["set"], names: readonly string[] | undefined): readonly SectionEntry[] {
  const all = SECTIONS.filter((entry) => entry.set === set);
  const unknown = names?.filter((name) => !all.some((entry) => entry.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(", ");
    throw new Error(`Cannot run ${unknown.join(", ")}: the sections of ${set} are ${known}`);
  }
  return all.filter(({ name }) => names?.includes(name) ?? true);
}
