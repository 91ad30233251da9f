/**
 * Plans claims in a process of its own, so that one that ends or hangs the engine does not end the tests. For each claim
 * two lines are printed: its name, before, and what was measured, as JSON.
 *
 * @module
 */

import { createContext, isTilewiseError, plan } from "../../../mod.ts";
import { dryRun } from "@tilewise/tilewise/unstable/run";
import { type Claim, claimOf } from "./plan_claims.ts";
import type { Measured } from "./plans.ts";

const MiB = 2 ** 20;

/** The budget of claim number `n`. */
const BUDGETS = [16 * MiB, 64 * MiB, 256 * MiB];

const [first = 0, stop = 0] = Deno.args.map(Number);
const folder = await Deno.makeTempDir();
try {
  await measure(claimOf(0, folder), 16 * MiB); // what is loaded once
  for (let seed = first; seed < stop; seed++) {
    const claim = claimOf(seed, folder);
    const budget = BUDGETS[seed % BUDGETS.length]!;
    console.log(JSON.stringify({ seed, name: claim.name, budget }));
    console.log(JSON.stringify(await measure(claim, budget)));
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(claim: Claim, memory: number): Promise<Measured> {
  (globalThis as { gc?: () => void }).gc?.();
  const before = startPeak();
  const start = performance.now();
  const end = await outcome(claim, memory);
  const milliseconds = Math.round(performance.now() - start);
  const { external, heapUsed } = Deno.memoryUsage();
  const held = external + heapUsed - before.held;
  return { ...end, milliseconds, bytes: Math.max(held, peak() - before.resident) };
}

/** How the plan and the dry run end. */
async function outcome(claim: Claim, memory: number): Promise<Pick<Measured, "end" | "message">> {
  await using context = createContext({ memory, workers: 2 });
  try {
    const planned = await plan(await claim.dataset(), claim.udfs(), { ...claim.options(), context });
    planned.explain();
    dryRun(planned);
    return { end: "planned", message: "" };
  } catch (error) {
    const { message } = error as Error;
    return { end: isTilewiseError(error) ? error.code : "untyped", message };
  }
}

/** What is held now; the peak of the resident memory is counted from here, where the system allows it. */
function startPeak(): { readonly held: number; readonly resident: number } {
  try {
    Deno.writeTextFileSync("/proc/self/clear_refs", "5");
  } catch { /* the peak is that of the whole process then, or what is held at the end */ }
  const { external, heapUsed, rss } = Deno.memoryUsage();
  return { held: external + heapUsed, resident: rss };
}

/** Most resident bytes since {@link startPeak}. */
function peak(): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))!;
    return 1024 * Number(kib);
  } catch {
    return Deno.memoryUsage().rss;
  }
}
