/**
 * Speed tables for docs, from the record: what sections have measured, beside each peer.
 *
 * ```sh
 * deno run --allow-read bench/sections/markdown.ts [bench/record/FILE.json] >> docs/…
 * ```
 *
 * Milliseconds of the fastest run, and how many times as fast as a peer Tilewise is (its fastest row of that work). Without a
 * file it takes the last of the record. Benches that are not in it have no table.
 *
 * @module
 */

import { type BenchRow, gbps, print } from "../timing.ts";
import type { BenchRecord } from "../record.ts";
import { SECTIONS } from "./table.ts";

/** The tables of all sections that a record has, as Markdown. */
export function markdownOf({ date, machine, benches }: BenchRecord): string {
  const parts = SECTIONS.flatMap(({ set, name }) => {
    const rows = benches[`${set} ${name}`];
    return rows
      ? [`**${set} ${name}** (${date}, ${machine.cpu}, ${machine.cores} cores)\n\n${tableOf(rows)}`]
      : [];
  });
  return parts.join("\n\n");
}

/** A line per work, a column for us and for each peer. */
function tableOf(rows: readonly BenchRow[]): string {
  const works = [...new Set(rows.map(({ name }) => name))];
  const peers = [...new Set(rows.map(({ by = "" }) => by).filter((by) => !isOwn(by)))];
  const head = ["work", "Tilewise", ...peers];
  const body = works.map((work) => {
    const of = (by: string) => fastest(rows.filter((row) => row.name === work && row.by === by));
    const own = of("tilewise");
    return [work, own ? `${shown(own)}${workersOf(own)}` : "", ...peers.map((peer) => beside(of(peer), own))];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

function isOwn(by: string): boolean {
  return by === "limit" || /^tilewise\b/.test(by);
}

function fastest(rows: readonly BenchRow[]): BenchRow | undefined {
  return rows.reduce<BenchRow | undefined>(
    (best, row) => best && best.min <= row.min ? best : row,
    undefined,
  );
}

function shown({ min }: BenchRow): string {
  const ms = min * 1e3;
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
}

function workersOf({ workers }: BenchRow): string {
  return workers === undefined ? "" : workers === 0 ? ", one thread" : `, ${workers} workers`;
}

/** A peer's time, and how many times as fast we are per byte. */
function beside(peer: BenchRow | undefined, own: BenchRow | undefined): string {
  if (!peer) return "–";
  return own ? `${shown(peer)} (${(gbps(own) / gbps(peer)).toPrecision(2)} ×)` : shown(peer);
}

/** The last file of the record by its name, which begins with its date. */
function lastRecord(): URL {
  const folder = new URL("../record/", import.meta.url);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".json")
  );
  return new URL(names.sort().at(-1) ?? "none.json", folder);
}

if (import.meta.main) {
  print(markdownOf(JSON.parse(await Deno.readTextFile(Deno.args[0] ?? lastRecord()))));
}
