/**
 * Runs under faults: `deno task soak [--seed S] [--only PART] [--quick] [--json]`.
 *
 * @module
 */

import { print } from "../../bench/timing.ts";
import { helpOf, readOptions, type SoakCommand } from "./options.ts";
import type { Part } from "./part.ts";
import { PARTS } from "./parts.ts";
import { complaints, type Row, tableOf } from "./report.ts";

/** Runs the command; the exit code. */
export async function main(words: readonly string[], parts: readonly Part[] = PARTS): Promise<number> {
  let command: SoakCommand;
  try {
    command = readOptions(words, parts);
  } catch (error) {
    print((error as Error).message);
    return 2;
  }
  if (command.help) {
    print(helpOf(parts));
    return 0;
  }
  const rows: Row[] = [];
  for (const part of parts.filter(({ name }) => command.only === undefined || name === command.only)) {
    if (part.needs?.isThere() === false) {
      skip(part, command);
      continue;
    }
    const row = await runPart(part, command);
    rows.push(row);
    tell(row, command);
  }
  return conclude(rows, command);
}

function skip({ name, needs }: Part, { json }: SoakCommand): void {
  if (json) print(JSON.stringify({ part: name, skipped: needs?.what }));
  else print(`${name}: skipped, it needs ${needs?.what}`);
}

/** A part with the time that it takes. */
async function runPart(part: Part, { seed, quick }: SoakCommand): Promise<Row> {
  const started = performance.now();
  const outcome = await part.run({ seed, quick });
  return { part: part.name, ...pick(outcome), seconds: (performance.now() - started) / 1000 };
}

function pick({ cases, findings, figures }: Awaited<ReturnType<Part["run"]>>) {
  return { cases, findings, ...(figures ? { figures } : {}) };
}

function tell(row: Row, { seed, json }: SoakCommand): void {
  if (json) { for (const finding of row.findings) print(JSON.stringify({ part: row.part, ...finding })); }
  else for (const complaint of complaints(row, seed)) print(complaint);
}

function conclude(rows: readonly Row[], { json }: SoakCommand): number {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [cases, findings, seconds] = [
    sum((row) => row.cases),
    sum((row) => row.findings.length),
    sum((row) => row.seconds),
  ];
  if (json) {
    for (const row of rows) print(JSON.stringify({ ...row, findings: row.findings.length }));
    print(JSON.stringify({ cases, findings, seconds }));
  } else {
    print(tableOf(rows));
    print(`${cases} cases in ${seconds.toFixed(0)} s, ${findings} findings`);
  }
  return findings > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
