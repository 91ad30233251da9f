/**
 * A kernel writes a text to a file, reads it back, compares, and appends a word if the text is the same. Run it with
 *
 * ```sh
 * deno run -A examples/channels/append.ts [--text TEXT]
 * ```
 *
 * The kernel is `append.as.ts`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { statusError } from "@tilewise/tilewise/unstable/channels";

/** Runs the kernel; what the file holds afterwards. Throws unless that is the text and the word. */
export async function main(args: readonly string[]): Promise<string> {
  const options = {
    text: { type: "string", default: "The quick brown fox jumps over the lazy dog. " },
  } as const;
  const { text } = parseArgs({ args: [...args], options }).values;
  const folder = await Deno.makeTempDir({ prefix: "tilewise-append-" });
  try {
    await using context = createContext({ memory: "1MiB", workers: 1 });
    await using host = await startHost(context, { channels: 1, bufferLength: 4096, type: "uint8" });
    const kernel = { file: new URL("append.as.ts", import.meta.url) };
    const args = [`${folder}/demo.txt`, text, "Success"];
    const { status } = await launchKernel(host, kernel, { args });
    if (status !== 0) throw failure(status);
    const found = await Deno.readTextFile(`${folder}/demo.txt`);
    if (found !== `${text}Success`) throw new Error(`The file holds ${JSON.stringify(found)}`);
    return found;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What the kernel itself can return, and the statuses of its calls. */
function failure(status: number): Error {
  const own =
    ({ [-1001]: "The kernel read another text than it had written" } as Readonly<Record<number, string>>)[
      status
    ];
  return own === undefined ? statusError(status, "write, compare and append") : new Error(own);
}

if (import.meta.main) console.log(await main(Deno.args));
