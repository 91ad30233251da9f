/**
 * Looks keys up in a B-tree of a million keys that stays in its file: kernels read the pages of each look-up.
 *
 * Half of the keys that are asked for are in the tree. The answers are compared with those of a `Map`. Run it with
 *
 * ```sh
 * deno run -A examples/channels/tree.ts [--keys N] [--asked N] [--workers N] [--route rpc|direct]
 * ```
 *
 * The kernel is `tree.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

const PAGE = 512, ENTRIES = 255;

/** A key and its value; of a page, its smallest key and its number. */
type Entry = readonly [key: bigint, value: bigint];

/** Builds the tree and asks; what it says. Throws where an answer is wrong. */
export async function main(args: readonly string[]): Promise<string> {
  const { keys, asked, workers, route } = options(args);
  const values = new Map(randomKeys(keys, 1n).map((key, i) => [key, BigInt(i)]));
  const { pages, root, levels } = build([...values].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));
  const questions = questionsOf([...values.keys()], asked);
  const folder = await Deno.makeTempDir({ prefix: "tilewise-tree-" });
  try {
    await Deno.writeFile(`${folder}/tree.bin`, new Uint8Array(pages.buffer));
    await Deno.writeFile(`${folder}/asked.bin`, new Uint8Array(questions.buffer));
    await Deno.writeFile(`${folder}/answers.bin`, new Uint8Array());
    const groups = Math.max(1, workers);
    await using context = createContext({ memory: "1MiB", workers });
    await using host = await startHost(context, { channels: groups, bufferLength: 2 * PAGE, type: "int64" });
    const files = ["tree", "asked", "answers"].map((name) => `${folder}/${name}.bin`);
    const kernel = { file: new URL("tree.as.ts", import.meta.url) };
    const start = performance.now();
    const args = [...files, asked, root, levels];
    const { status } = await launchKernel(host, kernel, { groups, route, args });
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0) throw failure(status);
    const answers = new BigInt64Array((await Deno.readFile(`${folder}/answers.bin`)).buffer);
    if (answers.length !== asked) throw new Error(`${answers.length} answers to ${asked} questions`);
    const wrong = questions.findIndex((key, i) => answers[i] !== (values.get(key) ?? -1n));
    if (wrong >= 0) throw new Error(`The answer for ${questions[wrong]} is ${answers[wrong]}`);
    const where = `${keys} keys in ${pages.length / PAGE} pages and ${levels} levels`;
    return `${where}; ${asked} keys looked up, all right\n${route}: ${seconds.toFixed(2)} s`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A tree over ascending entries: full leaves, then full pages over them, up to the root. */
function build(
  entries: readonly Entry[],
): { pages: BigInt64Array<ArrayBuffer>; root: number; levels: number } {
  const pages: BigInt64Array[] = [];
  let level = addPages(pages, entries), levels = 1;
  for (; level.length > 1; levels++) level = addPages(pages, level);
  const all = new BigInt64Array(pages.length * PAGE);
  pages.forEach((page, i) => all.set(page, i * PAGE));
  return { pages: all, root: pages.length - 1, levels };
}

/** Adds the pages of one level; the entries of the next one. */
function addPages(pages: BigInt64Array[], entries: readonly Entry[]): Entry[] {
  const above: Entry[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES) {
    const part = entries.slice(at, at + ENTRIES);
    const page = new BigInt64Array(PAGE);
    page[0] = BigInt(part.length);
    page.set(part.map(([key]) => key), 1);
    page.set(part.map(([, value]) => value), 1 + ENTRIES);
    above.push([part[0]![0], BigInt(pages.push(page) - 1)]);
  }
  return above;
}

/** Keys that are there, in random order, and as many random ones. */
function questionsOf(keys: readonly bigint[], asked: number): BigInt64Array<ArrayBuffer> {
  const random = randomKeys(asked, 2n);
  return BigInt64Array.from(
    random,
    (key, i) => i % 2 === 0 ? key : keys[Number(key & 0xffffffn) % keys.length]!,
  );
}

/** The same keys in every run, of both signs. */
function randomKeys(length: number, seed: bigint): bigint[] {
  let state = seed;
  return Array.from({ length }, () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return BigInt.asIntN(64, state) >> 8n;
  });
}

function options(args: readonly string[]) {
  const text = (value: string) => ({ type: "string" as const, default: value });
  const { values } = parseArgs({
    args: [...args],
    options: { keys: text("1000000"), asked: text("100000"), workers: text("2"), route: text("rpc") },
  });
  const { route } = values;
  if (route !== "rpc" && route !== "direct") throw new Error(`--route is rpc or direct, not ${route}`);
  return {
    keys: Number(values.keys),
    asked: Number(values.asked),
    workers: Number(values.workers),
    route,
  } as const;
}

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own =
    ({ [-1001]: "A page is damaged", [-1002]: "A file ended too early" } as Readonly<Record<number, string>>)[
      status
    ];
  return own === undefined ? statusError(status, "look keys up") : new Error(own);
}

if (import.meta.main) console.log(await main(Deno.args));
