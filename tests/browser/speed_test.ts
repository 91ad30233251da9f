/**
 * How fast kernels are in Chromium, beside Deno: printed, never asserted, as others use this machine too. Both compute the same
 * runs, in turns; what is compared is the processor time of their processes.
 */

import { assert } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { BYTES, costs, RUN_NAMES, type RunName } from "./programs/rates.ts";
import { call, fullTest, type OpenPage, withPage } from "./setup/mod.ts";

/** Times that each is measured. */
const TURNS = 4;

type Costs = Readonly<Record<RunName, number>>;

/** In a process of its own, which does nothing else. */
async function here(): Promise<Costs> {
  const program = fromFileUrl(new URL("./programs/rates.ts", import.meta.url));
  const args = ["run", "-A", "--no-check", "--quiet", program];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** In the process of a page. */
async function there({ page, context }: OpenPage): Promise<Costs> {
  const debug = await context.newCDPSession(page);
  await debug.send("Performance.enable");
  const clock = async () => {
    const { metrics } = await debug.send("Performance.getMetrics");
    return 1e6 * metrics.find(({ name }) => name === "ProcessTime")!.value;
  };
  const found = await costs((name, count) => call(page, "repeat", name, count), clock);
  await debug.detach();
  return found;
}

/** The smallest of several. */
function least(all: readonly Costs[], name: RunName): number {
  return Math.min(...all.map((one) => one[name]));
}

/** `run by run: MB per second of processor time in Chromium, in Deno, and their ratio`. */
function table(chromium: readonly Costs[], deno: readonly Costs[]): string {
  const rows = RUN_NAMES.map((name) => {
    const [a, b] = [least(chromium, name), least(deno, name)];
    const rate = (microseconds: number) => (BYTES / microseconds).toFixed(0).padStart(8);
    return `${name.padEnd(14)} ${rate(a)} ${rate(b)} ${Math.round(100 * b / a)} %`;
  });
  return ["MB/s           Chromium     Deno", ...rows].join("\n");
}

fullTest("kernels in Chromium are as fast as in Deno (printed)", () =>
  withPage({}, async (open) => {
    const chromium: Costs[] = [], deno: Costs[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      chromium.push(await there(open));
      deno.push(await here());
    }
    console.log(table(chromium, deno));
    assert(RUN_NAMES.every((name) => least(chromium, name) > 0 && least(deno, name) > 0));
  }));
