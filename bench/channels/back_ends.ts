/**
 * What reads of 8 bytes and of 1 MiB cost by back end, without channels: `deno run -A bench/channels/back_ends.ts`.
 *
 * @module
 */

import { readSync } from "node:fs";
import type { SynchronousBackEnd } from "../../src/channels/backends/back_end.ts";
import { MemoryFiles } from "../../src/channels/backends/memory.ts";
import { MemoryTables } from "../../src/channels/backends/memory_tables.ts";
import { systemFiles } from "../../src/channels/backends/node.ts";

/** All files that the runtime permits. */
const nodeFiles = systemFiles();

const MIB = 2 ** 20, FILE = 8 * MIB;

const memory = new WebAssembly.Memory({ initial: 200, maximum: 200, shared: true });
const bytes = new Uint8Array(memory.buffer);

/** Microseconds of the fastest of several rounds of `count` calls. */
function best(count: number, call: (i: number) => unknown): string {
  let least = Infinity;
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    for (let i = 0; i < count; i++) call(i);
    least = Math.min(least, performance.now() - start);
  }
  return (least / count * 1000).toFixed(2);
}

function print(name: string, read: (length: number, position: number) => unknown): void {
  const small = best(100_000, (i) => read(8, i * 7919 % (MIB - 8) * 8));
  const large = best(300, (i) => read(MIB, i % 7 * MIB));
  console.log(`${name.padEnd(34)} 8 bytes ${small} µs, 1 MiB ${large} µs`);
}

function printFiles(name: string, files: SynchronousBackEnd, path: string): void {
  const file = files.open(path, "r");
  print(name, (length, position) => files.read(file, bytes, 64, length, position));
  files.close(file);
}

/** Files in memory with one file of 8 MiB. */
function inMemory(): MemoryFiles {
  const region = { offset: 2 * MIB, bytes: 9 * MIB, names: 8 };
  new MemoryTables(memory, region).format();
  const files = new MemoryFiles(memory, region);
  const file = files.open("file", "w");
  files.write(file, new Uint8Array(FILE).fill(1), 0, FILE, 0);
  files.close(file);
  return files;
}

const folder = await Deno.makeTempDir();
try {
  await Deno.writeFile(`${folder}/file`, new Uint8Array(FILE).fill(1));
  const plain = nodeFiles.open(`${folder}/file`, "r");
  print("limit: readSync of node:fs", (length, position) => readSync(plain, bytes, 64, length, position));
  printFiles("system", nodeFiles, `${folder}/file`);
  printFiles("system below a root", systemFiles([folder]), "file");
  print(
    "limit: copy",
    (length, position) => bytes.copyWithin(64, 2 * MIB + position, 2 * MIB + position + length),
  );
  printFiles("memory", inMemory(), "file");
} finally {
  await Deno.remove(folder, { recursive: true });
}
