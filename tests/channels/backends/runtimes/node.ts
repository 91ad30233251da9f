/** A program of Node: checks the rules on files of the operating system and on files in memory, and prints what came of them. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MemoryFiles } from "../../../../src/channels/backends/memory.ts";
import { MemoryTables } from "../../../../src/channels/backends/memory_tables.ts";
import { systemFiles } from "../../../../src/channels/backends/node.ts";
import { alone, type Subject } from "../subject.ts";
import { checked } from "./found.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewise-"));

function system(number: number): Promise<Subject> {
  const root = join(folder, String(number));
  mkdirSync(root);
  return Promise.resolve({
    files: systemFiles([root]),
    writes: true,
    rooted: true,
    put: (name, bytes) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      return Promise.resolve(writeFileSync(join(root, name), bytes));
    },
    get: (name) => Promise.resolve(new Uint8Array(readFileSync(join(root, name)))),
  });
}

function memory(): Promise<Subject> {
  const memory = new WebAssembly.Memory({ initial: 65, maximum: 65, shared: true });
  const region = { offset: 64, bytes: 64 * 65536, names: 80 };
  new MemoryTables(memory, region).format();
  return Promise.resolve(alone(new MemoryFiles(memory, region), true));
}

try {
  const found = { system: await checked(system), memory: await checked(memory) };
  console.log(JSON.stringify(found));
} finally {
  rmSync(folder, { recursive: true });
}
