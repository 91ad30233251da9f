/**
 * The calls that write files, of which the n-th fails as on a full disk.
 *
 * @module
 */

import type { WriteCalls } from "../../src/io/write/calls.ts";
import { replaceWriteCalls, writeCalls } from "../../src/io/write/calls.ts";

/** What has happened so far. */
export interface Failing extends Disposable {
  /** Calls so far. */
  readonly calls: number;
  /** Files that have got their names. */
  readonly renamed: number;
}

/** On this thread call number `n`, counted from 1, fails with `code`, and with `persistent` all after it but removals. */
export async function failWrite(n: number, code: string, persistent = false): Promise<Failing> {
  const system = await writeCalls();
  let calls = 0;
  let renamed = 0;
  const count = () => {
    calls++;
    if (calls === n || (persistent && calls > n)) {
      throw Object.assign(new Error(`${code}: no`), { code });
    }
  };
  const attempt = async <T>(call: () => Promise<T>) => {
    await Promise.resolve();
    count();
    return await call();
  };
  const failing: WriteCalls = {
    async create(path, mode) {
      const file = await attempt(() => system.create(path, mode));
      return {
        write: (bytes) => attempt(() => file.write(bytes)),
        truncate: (size) => attempt(() => file.truncate(size)),
        sync: () => attempt(() => file.sync()),
        close: async () => {
          await file.close(); // also a close that reports an error closes the file
          await attempt(() => Promise.resolve());
        },
      };
    },
    sync: (path) => attempt(() => system.sync(path)),
    rename: async (from, to) => {
      await attempt(() => system.rename(from, to));
      renamed++;
    },
    link: (from, to) => attempt(() => system.link(from, to)),
    syncFolder: (path) => attempt(() => system.syncFolder(path)),
    remove: (path) => system.remove(path),
    writeAt(path, bytes, position) {
      count();
      return system.writeAt(path, bytes, position);
    },
    hold(path) {
      count();
      return system.hold(path);
    },
  };
  const replaced = replaceWriteCalls(failing);
  return {
    get calls() {
      return calls;
    },
    get renamed() {
      return renamed;
    },
    [Symbol.dispose]: () => replaced[Symbol.dispose](),
  };
}

/** Names of all files in `folder`, hidden ones included, and what is in them. */
export function contents(folder: string): Record<string, string> {
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name).sort();
  return Object.fromEntries(names.map((name) => [name, digest(Deno.readFileSync(`${folder}/${name}`))]));
}

function digest(bytes: Uint8Array): string {
  let hash = 2166136261;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return `${bytes.length}:${hash}`;
}
