/** A program of Deno, Node and Bun: what kernels do with files of the operating system, as JSON. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { channels } from "./channels.ts";

const folder = await mkdtemp(join(tmpdir(), "tilewise-"));
try {
  const kernels = JSON.parse(await readFile(process.argv[2]!, "utf8"));
  const found = await channels(kernels, {
    options: { roots: [folder] },
    put: (name, bytes) => writeFile(join(folder, name), bytes),
    get: async (name) => new Uint8Array(await readFile(join(folder, name))),
  }, import.meta.resolve("./own_functions.ts"));
  console.log(JSON.stringify(found));
} finally {
  await rm(folder, { recursive: true });
}
