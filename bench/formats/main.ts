/**
 * The bench of formats as `deno task bench --set formats` runs it: one row per format, compared before it is timed.
 *
 * @module
 */

import { record } from "../record.ts";
import { type BenchRow, print } from "../timing.ts";
import { formatData } from "./data.ts";
import { formatTable, measureFormat } from "./measure.ts";
import { FORMATS } from "./table.ts";

/** What `bench/main.ts` was told. */
export interface BenchFormatsOptions {
  /** Formats by name; all unless told. */
  readonly names?: readonly string[];
  /** Timed runs. */
  readonly repeats: number;
  /** The virtual environment of the peers. */
  readonly venv?: string;
  /** Executors of the peer. */
  readonly executors?: readonly string[];
  /** Without peers. */
  readonly alone: boolean;
  /** Whether the rows are kept. */
  readonly keep: boolean;
  /** A folder for results of the peers. */
  readonly results: string;
}

/** Runs it; the texts say where results differ. */
export async function benchFormats(options: BenchFormatsOptions): Promise<string[]> {
  const rows: BenchRow[] = [], lines: string[][] = [], failures: string[] = [];
  for (const row of FORMATS.filter(({ name }) => options.names?.includes(name) ?? true)) {
    const data = await formatData(row, options);
    if (typeof data === "string") {
      print(`skipped: ${data}`);
      continue;
    }
    try {
      const found = await measureFormat(row, data, options);
      for (const text of found.skipped) print(`skipped: ${text}`);
      failures.push(...found.failures);
      rows.push(...found.rows);
      lines.push(...found.lines);
      for (const cells of found.lines) print(cells.join("  "));
    } catch (error) {
      failures.push(`${row.name}: ${error}`);
    }
  }
  print(`\n${formatTable(lines)}`);
  if (options.keep) await record("formats", rows, { partial: options.names !== undefined });
  return failures;
}
