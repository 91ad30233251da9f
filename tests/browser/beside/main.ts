/**
 * The page of Tilewise beside that of LiberTEM, in the same browser, on the same raw file: the sum of all frames and the sum in a
 * ring, their values, and how long both take: `deno task bench:browser --beside [--mib 256]`.
 *
 * @module
 */

import { join } from "@std/path";
import type { Page } from "playwright-core";
import { open, read } from "@tilewise/tilewise";
import { withPage, withTilewise } from "../setup/page.ts";
import { programPath } from "../setup/paths.ts";
import { type Answered, askLibertem } from "./client.ts";
import { LIBERTEM, withLibertem } from "./server.ts";

/** Frames of 128 KiB. */
const SIG = [256, 256] as const, COLUMNS = 64;

const RING = { cy: 128, cx: 128, ri: 20, ro: 60 };

/** Values of the two results. */
type Values = readonly [sum: ArrayLike<number>, ring: ArrayLike<number>];

/** A raw scan with counts that differ from frame to frame. */
async function writeScan(path: string, rows: number): Promise<void> {
  using file = await Deno.create(path);
  const base = Uint16Array.from({ length: SIG[0] * SIG[1] }, (_, i) => Math.imul(i, 2654435761) >>> 24);
  for (let f = 0; f < rows * COLUMNS; f++) {
    const bytes = new Uint8Array(base.map((value) => value + f % 97).buffer);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  }
}

/** Seconds to open and to run, and the results, of LiberTEM. */
async function libertem(
  path: string,
  rows: number,
  folder: string,
): Promise<{ times: Answered; values: Values }> {
  return await withLibertem(async (address) => {
    const asked = {
      path,
      nav: [rows, COLUMNS],
      sig: SIG,
      analyses: [
        { type: "SUM_FRAMES", parameters: {} },
        { type: "APPLY_RING_MASK", parameters: { shape: "ring", ...RING } },
      ],
    };
    const options = {
      path: address,
      limit: 900_000,
      allowed: {
        requests: [address, address.replace("http", "ws"), "https://fonts."],
        complaints: [/./],
      },
    };
    const times = await withPage(options, ({ page }) => page.evaluate(askLibertem, asked));
    const values: ArrayLike<number>[] = [];
    for (const [i, where] of times.results.entries()) {
      const file = join(folder, `libertem-${i}.h5`);
      await Deno.writeFile(file, await (await fetch(address + where)).bytes());
      values.push(numbers((await read(await open(file, { array: "intensity" }))).data));
    }
    return { times, values: values as unknown as Values };
  });
}

function numbers(data: unknown): ArrayLike<number> {
  return Float64Array.from(data as ArrayLike<number>, Number);
}

/** Seconds until an analysis of the dropped file is whole, and its results, of Tilewise. */
async function tilewise(
  path: string,
  rows: number,
  folder: string,
  run: string,
): Promise<{ seconds: number; values: ArrayLike<number> }> {
  const form = `open.format=raw&open.dtype=uint16&open.sig=${SIG.join("x")}&open.nav=${rows}x${COLUMNS}`;
  const address = `#v=1&file=scan.raw&${form}&${run}`;
  return await withTilewise({ address, timeout: 600_000, limit: 900_000 }, async ({ page }) => {
    await page.getByText("Please choose scan.raw again").waitFor();
    const start = performance.now();
    await page.locator("input[type=file]").first().setInputFiles(path);
    await page.locator(".page-foot .dot.done").waitFor();
    const seconds = (performance.now() - start) / 1000;
    return { seconds, values: await saved(page, folder) };
  });
}

/** What the button for numbers saves. */
async function saved(page: Page, folder: string): Promise<ArrayLike<number>> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("button", { hasText: /^NPY$/ }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return numbers((await read(await open(path))).data);
}

/** The largest difference, relative to the largest value. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`${a.length} values and ${b.length}`);
  let [far, most] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    far = Math.max(far, Math.abs(a[i]! - b[i]!));
    most = Math.max(most, Math.abs(a[i]!));
  }
  return far / most;
}

/** Prints times and differences for a scan of `mib` MiB, or why there are none. */
export async function besideLibertem(mib: number): Promise<void> {
  if (!programPath(LIBERTEM)) {
    console.log(
      "LiberTEM: there is no libertem-server in PATH (PyPI: libertem; or set LIBERTEM_SERVER): skipped",
    );
    return;
  }
  const folder = await Deno.makeTempDir({ prefix: "tilewise-beside-" });
  try {
    const rows = Math.max(1, Math.round(mib * 8 / COLUMNS)), path = join(folder, "scan.raw");
    await writeScan(path, rows);
    const { times, values } = await libertem(path, rows, folder);
    const runs = [
      "run=sum",
      `run=annular&${Object.entries(RING).map(([key, value]) => `run.${key}=${value}`).join("&")}`,
    ];
    for (const [i, name] of ["sum of all frames", "sum in a ring"].entries()) {
      const own = await tilewise(path, rows, folder, runs[i]!);
      const [first, second] = times.runs[i]!;
      console.log(
        `${rows * COLUMNS / 8} MiB, ${name}: Tilewise ${
          own.seconds.toFixed(2)
        } s from the file to the last picture; LiberTEM ` +
          `${times.open.toFixed(2)} s to open, ${first.toFixed(2)} s to the last picture, again ${
            second.toFixed(2)
          } s; ` +
          `largest difference ${difference(own.values, values[i]!).toExponential(1)}`,
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
