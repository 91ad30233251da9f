/**
 * Times of the page with a large scan: `deno task bench:browser [--mib 1024] [--beside]`. A MIB file is written, dropped on the page, and
 * deleted. Printed are seconds from the drop to the first picture and to the last one, with shared memory and without; with
 * `--beside`, the same sum and ring on the page of LiberTEM, where it is installed. Kernel speed beside Deno, drags and first
 * paint are printed by `deno task test:browser --full`.
 *
 * @module
 */

import { join } from "@std/path";
import type { Page } from "playwright-core";
import { task } from "../../assembly/task.ts";
import { type MibFrame, writeMib } from "../formats/mib/mib_files.ts";
import { besideLibertem } from "./beside/main.ts";
import { closeBrowser } from "./setup/chromium.ts";
import { dropFiles } from "./setup/drop.ts";
import { withTilewise } from "./setup/page.ts";
import { closeServers } from "./setup/server.ts";
import { until } from "./setup/until.ts";

/** Frames of 64 KiB. */
const SIG = [256, 128] as const, FRAMES_PER_MIB = 16;

/** A scan in which every pattern has its own brightness. */
async function writeScan(path: string, mib: number): Promise<readonly string[]> {
  const columns = 128, rows = Math.max(1, Math.round(mib * FRAMES_PER_MIB / columns));
  const base = Uint16Array.from({ length: SIG[0] * SIG[1] }, (_, i) => Math.imul(i, 2654435761) >>> 24);
  function* frames(): Generator<MibFrame> {
    for (let f = 0; f < rows * columns; f++) yield base.map((value) => value + f % 97);
  }
  const { files, hdr } = await writeMib(path, frames(), { sig: SIG, nav: [rows, columns] });
  return [hdr, ...files];
}

/** Resolves when the image of the scan has a value that is known. */
async function firstPicture(page: Page): Promise<void> {
  await until(page, () => {
    const shown = document.querySelector("tw-image") as unknown as {
      readonly image?: { readonly array: { readonly valid?: Uint8Array } };
    };
    const array = shown?.image?.array;
    return array !== undefined && (array.valid === undefined || array.valid.includes(1));
  });
}

async function measure(files: readonly string[], isolated: boolean): Promise<string> {
  return await withTilewise({ isolated, timeout: 600_000, limit: 900_000 }, async (opened) => {
    const { page } = opened;
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    const started = performance.now();
    const seconds = () => ((performance.now() - started) / 1000).toFixed(2);
    await dropFiles(opened, files);
    await firstPicture(page);
    const first = seconds();
    await page.locator(".page-foot .dot.done").waitFor();
    const foot = await page.locator(".page-foot .state").textContent();
    return `first picture ${first} s, final picture ${seconds()} s (the page says: ${foot})`;
  });
}

const flags = { mib: { type: "string", default: "1024" }, beside: { type: "boolean" } } as const;
await task("bench:browser", flags, async ({ mib, beside }) => {
  if (!(Number(mib) >= 1)) throw new Error(`--mib ${mib}: write a number of mebibytes`);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-bench-" });
  try {
    const files = await writeScan(join(folder, "scan.mib"), Number(mib));
    for (const isolated of [true, false]) {
      const memory = isolated ? "with shared memory" : "without shared memory";
      console.log(`${mib} MiB, ${memory}: ${await measure(files, isolated)}`);
    }
    if (beside) await besideLibertem(Number(mib));
  } finally {
    await closeBrowser();
    await closeServers();
    await Deno.remove(folder, { recursive: true });
  }
});
