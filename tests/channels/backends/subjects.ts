/** Every back end, over files of its own. */

import { dirname, join } from "@std/path";
import { MemoryFiles } from "../../../src/channels/backends/memory.ts";
import { MemoryTables } from "../../../src/channels/backends/memory_tables.ts";
import { systemFiles } from "../../../src/channels/backends/node.ts";
import { OpfsFiles } from "../../../src/channels/backends/opfs.ts";
import { loadUserFiles } from "../../../src/channels/backends/user.ts";
import { HttpFiles } from "../../../src/channels/backends/http.ts";
import { fakeOpfs } from "./fake_opfs.ts";
import { servedFiles } from "./served_files.ts";
import { alone, type Subject } from "./subject.ts";

type WithSubject = (work: (subject: Subject) => Promise<void>) => Promise<void>;

/** Files of the operating system in a temporary folder, made and read by Deno. */
function system(rooted: boolean): WithSubject {
  return async (work) => {
    const folder = await Deno.makeTempDir();
    const files = systemFiles([folder]);
    const anywhere = systemFiles();
    const names = new Proxy(files, {
      get: (_, name: keyof typeof files) => {
        if (typeof anywhere[name] !== "function") return anywhere[name];
        return (...[first, ...words]: unknown[]) => {
          const own = typeof first === "string" ? join(folder, first) : first;
          return (anywhere[name] as unknown as (...words: unknown[]) => unknown)(own, ...words);
        };
      },
    });
    try {
      await work({
        files: rooted ? files : names,
        writes: true,
        rooted,
        async put(name, bytes) {
          await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
          await Deno.writeFile(join(folder, name), bytes);
        },
        get: (name) => Deno.readFile(join(folder, name)),
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  };
}

export function memoryFilesOf(bytes: number, names = 32): MemoryFiles {
  const memory = new WebAssembly.Memory({
    initial: 1 + bytes / 65536,
    maximum: 1 + bytes / 65536,
    shared: true,
  });
  new MemoryTables(memory, { offset: 64, bytes, names }).format();
  return new MemoryFiles(memory, { offset: 64, bytes, names });
}

/** All back ends; each call of one gives fresh files. */
export const SUBJECTS: Readonly<Record<string, WithSubject>> = {
  "system": system(false),
  "system below a root": system(true),
  "memory": (work) => work(alone(memoryFilesOf(4 << 20, 80), true)),
  "opfs, imitated": (work) => work(alone(new OpfsFiles(fakeOpfs()), true)),
  "module of a user": async (work) => {
    const module = import.meta.resolve("./user_files.ts");
    await work(alone(await loadUserFiles({ module, export: "mapFiles", shared: { late: true } }), true));
  },
  "http": async (work) => {
    await using server = servedFiles();
    const place = { url: server.url, blockBytes: 4096, request: {} };
    const files = new HttpFiles(place, new Uint8Array(4 * 4096));
    await work({ ...alone(files, true), writes: false, put: server.put });
  },
};
