/**
 * How fast kernels are in Chromium, beside Deno: printed, never asserted, as others use this machine too. Both compute the same
 * runs, in turns.
 */

import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { call, fullTest, withPage } from "./setup/mod.ts";

/** `UDF by UDF: MB/s in Chromium, in Deno, and their ratio`. */
function table(
  there: Readonly<Record<string, number>>,
  here: Readonly<Record<string, number>>,
): string {
  const rows = Object.keys(here).map((name) => {
    const [theirs, own] = [there[name]!, here[name]!];
    const percent = Math.round(100 * theirs / own);
    return `${name.padEnd(14)} ${(theirs / 1e6).toFixed(0).padStart(6)} ${
      (own / 1e6).toFixed(0).padStart(6)
    } ${percent} %`;
  });
  return ["MB/s           Chromium   Deno", ...rows].join("\n");
}

/** In a process of its own: other tests of this one have kernels rewritten. */
async function ratesHere(): Promise<Record<string, number>> {
  const program = fromFileUrl(new URL("./programs/rates.ts", import.meta.url));
  const args = ["run", "-A", "--no-check", "--quiet", program];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

fullTest("kernels in Chromium are as fast as in Deno (printed)", () =>
  withPage({}, async ({ page }) => {
    const there: Record<string, number> = {}, here: Record<string, number> = {};
    for (let turn = 0; turn < 2; turn++) {
      for (
        const [into, found] of [[there, await call(page, "rates", 3)], [here, await ratesHere()]] as const
      ) {
        for (const [name, rate] of Object.entries(found)) into[name] = Math.max(rate, into[name] ?? 0);
      }
    }
    console.log(table(there, here));
    assert(Object.values(there).every((rate) => rate > 0));
  }));
