/**
 * Sorts a million 64-bit keys inside a kernel, with memory for a few thousand of them: runs that fit into memory, then merges
 * of runs, through files.
 *
 * The result is compared with a sort in memory. Run it with
 *
 * ```sh
 * deno run -A examples/channels/sort.ts [--keys N] [--hold N] [--members N]
 * ```
 *
 * `--hold` is how many keys each member of the work group holds in memory. The kernel is `sort.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

const DEFAULTS = { keys: 1_000_000, hold: 8192, members: 2 };

/** Sorts; what it says. Throws unless the output is what a sort in memory gives. */
export async function main(args: readonly string[]): Promise<string> {
  const { keys, hold, members } = sizes(args, DEFAULTS);
  const input = randomKeys(keys);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-sort-" });
  try {
    await Deno.writeFile(`${folder}/input.bin`, new Uint8Array(input.buffer));
    for (const name of ["output", "spare"]) await Deno.writeFile(`${folder}/${name}.bin`, new Uint8Array());
    await using context = createContext({ memory: members * (8 * hold + 4096) + 2 ** 18, workers: members });
    await using host = await startHost(context, { channels: members, bufferLength: hold, type: "int64" });
    const files = ["input", "output", "spare"].map((name) => `${folder}/${name}.bin`);
    const kernel = { file: new URL("sort.as.ts", import.meta.url) };
    const start = performance.now();
    const args = [...files, keys, hold];
    const { status } = await launchKernel(host, kernel, { groupSize: members, args });
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0) throw failure(status);
    compare(new BigInt64Array((await Deno.readFile(`${folder}/output.bin`)).buffer), input.sort());
    return `${keys} keys sorted in ${
      seconds.toFixed(2)
    } s by ${members} members with ${hold} keys in memory each`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function compare(found: BigInt64Array, expected: BigInt64Array): void {
  if (found.length !== expected.length) {
    throw new Error(`The output has ${found.length} keys, not ${expected.length}`);
  }
  const wrong = expected.findIndex((key, i) => found[i] !== key);
  if (wrong >= 0) throw new Error(`Key ${wrong} is ${found[wrong]}, not ${expected[wrong]}`);
}

/** The same keys in every run: some occur several times, and both signs. */
function randomKeys(length: number): BigInt64Array<ArrayBuffer> {
  let state = 1n;
  return BigInt64Array.from({ length }, (_, i) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return i % 10 === 0 ? BigInt.asIntN(64, state) >> 56n : BigInt.asIntN(64, state);
  });
}

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own =
    ({ [-1001]: "--hold is too small for a merge", [-1002]: "The file ended too early" } as Readonly<
      Record<number, string>
    >)[status];
  return own === undefined ? statusError(status, "sort") : new Error(own);
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
