/**
 * How long one waits for a kernel of one's own, and for an expression: in a fresh process, and later.
 *
 * ```sh
 * deno run -A bench/start_up/first_use.ts [--repeats N] [--record]
 * ```
 *
 * The kernel (AssemblyScript) is measured without a cache folder and with one that has it; the expression needs none.
 * Processes are whole ones; what they print is measured inside, after Tilewise was imported, and `process` is all of it.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { readArguments } from "../arguments.ts";
import { expressionRows } from "../kernels/expression_bench.ts";
import { record } from "../record.ts";
import { type BenchRow, print, summarize, table } from "../timing.ts";

const CHILD = fromFileUrl(new URL("./first_use_child.ts", import.meta.url));

/** Rows for all of it: processes, then speed of expressions beside kernels written by hand. */
export async function firstUseRows(repeats = 5): Promise<BenchRow[]> {
  const cache = await Deno.makeTempDir({ prefix: "tilewise-cache-" });
  try {
    await child("kernel", cache); // loads what Deno caches by itself, and fills the folder
    const rows = [
      ...await processRows("kernel, no cache", "kernel", "", repeats),
      ...await processRows("kernel, cached", "kernel", cache, repeats),
      ...await processRows("expression", "compile", "", repeats),
      ...await processRows("expression", "expression", "", repeats),
    ];
    return [...rows, ...await expressionRows()];
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

/** The rows as text; expressions beside what was written by hand. */
export function firstUseTable(rows: readonly BenchRow[]): string {
  const byHand = (row: BenchRow) => rows.find(({ name, by }) => name === row.name && by === "by hand");
  return table(rows, (row) => row.by === "simd" ? byHand(row) : undefined);
}

/** The rows of one kind of process, run a few times. */
async function processRows(name: string, what: string, cache: string, repeats: number): Promise<BenchRow[]> {
  const found = new Map<string, number[]>();
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    const parts = await child(what, cache);
    const all = what === "compile" ? parts : { process: [(performance.now() - start) / 1e3], ...parts };
    for (const [part, seconds] of Object.entries(all)) {
      found.set(part, [...found.get(part) ?? [], ...seconds]);
    }
  }
  return [...found].map(([part, samples]) => ({
    name: `${name}: ${part}`,
    by: "simd",
    ...summarize(samples),
  }));
}

async function child(what: string, cache: string): Promise<Record<string, number[]>> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", CHILD, what],
    env: { TILEWISE_CACHE: cache },
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["repeats"], ["record"]);
  const rows = await firstUseRows(Number(options.repeats ?? 5));
  print(firstUseTable(rows));
  if (options.record) await record("first use", rows);
}
