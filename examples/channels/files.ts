/**
 * Writes 120 files of 2 MiB from inside a kernel, reads them back, and compares: 24 work groups, one channel for each.
 *
 * Every file is opened empty, written, read back from its beginning, compared by the kernel, and closed. Afterwards the files
 * are compared once more, with numbers that this program computes. Run it with
 *
 * ```sh
 * deno run -A examples/channels/files.ts [--files N] [--numbers N] [--groups N] [--passes N] [--workers N] [--runners N]
 * ```
 *
 * `--numbers` are 64-bit integers per file. The kernel is `files.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

const DEFAULTS = { files: 120, numbers: 262_144, groups: 24, passes: 1, workers: 2, runners: 1 };

/** Runs the kernel and compares all files; what it says. Throws where one differs. */
export async function main(args: readonly string[]): Promise<string> {
  const { files, numbers, groups, passes, workers, runners } = sizes(args, DEFAULTS);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-files-" });
  try {
    await using context = createContext({ memory: groups * (8 * numbers + 4096) + 2 ** 20, workers });
    await using host = await startHost(context, {
      channels: groups,
      bufferLength: numbers,
      type: "int64",
      runners,
    });
    const kernel = { file: new URL("files.as.ts", import.meta.url) };
    const start = performance.now();
    const args = [`${folder}/`, files, numbers, passes];
    const { status } = await launchKernel(host, kernel, { groups, args });
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0) throw failure(status);
    for (let file = 0; file < files; file++) await compare(folder, file, numbers);
    const gib = 2 * 8 * numbers * files * passes / 2 ** 30;
    const speed = (gib / seconds).toFixed(2);
    return `${files} files of ${
      8 * numbers
    } bytes, ${groups} groups, ${workers} workers: all as they must be\n` +
      `${gib.toFixed(2)} GiB written and read back in ${seconds.toFixed(2)} s: ${speed} GiB/s`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Number `i` of file `file` is (file · 2³² + i) times an odd number, modulo 2⁶⁴. */
async function compare(folder: string, file: number, numbers: number): Promise<void> {
  const name = `${folder}/${String(file).padStart(3, "0")}`;
  const found = new BigUint64Array((await Deno.readFile(name)).buffer);
  if (found.length !== numbers) throw new Error(`${name} has ${found.length} numbers, not ${numbers}`);
  let expected = BigInt.asUintN(64, BigInt(file) * 2n ** 32n * STEP);
  for (let i = 0; i < numbers; i++, expected = BigInt.asUintN(64, expected + STEP)) {
    if (found[i] !== expected) throw new Error(`${name}: number ${i} is ${found[i]}, not ${expected}`);
  }
}

const STEP = 0x9e3779b97f4a7c15n;

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own =
    ({ [-1001]: "The kernel read other numbers than it had written" } as Readonly<Record<number, string>>)[
      status
    ];
  return own === undefined ? statusError(status, "write and read files") : new Error(own);
}

/** Numbers of the command line: `--name value` for each default. */
function sizes<T extends Record<string, number>>(args: readonly string[], defaults: T): T {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: "string" as const }]),
  );
  const { values } = parseArgs({ args: [...args], options });
  const given = Object.entries(values).map(([name, value]) => [name, Number(value)] as const);
  return { ...defaults, ...Object.fromEntries(given) };
}

if (import.meta.main) console.log(await main(Deno.args));
