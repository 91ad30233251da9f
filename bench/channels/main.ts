/**
 * What calls of kernels cost, beside what the platform does without channels, in one run.
 *
 * ```sh
 * deno run -A bench/channels/main.ts [--repeats N]
 * ```
 *
 * Results are compared before anything is timed. It wants both cores for itself and takes half a minute. The same rows come from
 * `deno task bench --set channels`. What each step of a call costs is printed by `latency.ts`, batches are in `files.ts`, and
 * peers in `peers.ts`.
 *
 * @module
 */

import { readArguments } from "../arguments.ts";
import { measured } from "../sections/measured.ts";
import type { SectionRow } from "../sections/section.ts";
import { align, gbps, print } from "../timing.ts";
import { channelSection } from "./section.ts";
import { verdicts } from "./verdicts.ts";

const { options: { repeats } } = readArguments(Deno.args, ["repeats"]);
const { rows, failures } = await measured(channelSection, { repeats: Number(repeats ?? 5) });
print(align([["what", "by", "calls", "µs per call", "GB/s"], ...rows.map(cellsOf)]));
print("");
for (const { met, text } of verdicts(rows)) print(`${met ? "met   " : "missed"}  ${text}`);
for (const text of failures) print(`differs: ${text}`);
if (failures.length > 0) Deno.exit(1);

function cellsOf(row: SectionRow): string[] {
  const calls = Number(row.calls);
  const speed = row.bytes > 0 ? gbps(row).toFixed(2) : "";
  return [row.name, row.by, String(calls), (row.min * 1e6 / calls).toFixed(2), speed];
}
