/**
 * A part store in memory: for tests, and the plain twin of all others.
 *
 * @module
 */

import { sha256, sha256Of } from "../../../src/io/hash.ts";
import { checkName, notEqual } from "../../../src/cluster/store/node.ts";
import type { PartStore } from "../../../src/cluster/store/store.ts";

/** An empty store that lives as long as the process. */
export function memoryStore(url = "memory:"): PartStore {
  const held = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    url,
    has: (name) => Promise.resolve(held.has(name)),
    get: (name) => Promise.resolve(held.get(name)?.slice()),
    async commit(name, pieces) {
      checkName(name);
      const given = await sha256Of(pieces);
      const bytes = new Uint8Array(await new Blob(pieces.map((piece) => piece.slice())).arrayBuffer());
      const there = held.get(name);
      if (!there) {
        held.set(name, bytes);
        return "new";
      }
      const found = await sha256(there);
      if (found !== given) throw notEqual(url, name, given, found);
      return "same";
    },
    list: (prefix) => Promise.resolve([...held.keys()].filter((name) => name.startsWith(prefix))),
  };
}
