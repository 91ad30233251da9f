/**
 * B-trees of the first version: the members of old groups, and the chunks of old data sets.
 *
 * @module
 */

import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";

/** Nodes of a tree: more is not a tree but a ring. */
const MOST_NODES = 1 << 20;
/** Levels of a tree. */
const MOST_LEVELS = 32;

/** One child of a leaf. */
export interface Leaf {
  /** The key in front of it. */
  readonly key: Cursor;
  /** Its address. */
  readonly address: number;
}

/**
 * The children of all leaves, in order, those of a leaf together.
 *
 * @param kind 0: a group, whose keys are offsets of names; 1: chunks
 * @param keyBytes bytes of a key
 */
export async function* leaves(
  file: Hdf5File,
  root: number,
  kind: 0 | 1,
  keyBytes: number,
): AsyncGenerator<readonly Leaf[]> {
  const seen = new Set<number>();
  yield* walk(file, root, kind, keyBytes, MOST_LEVELS, seen);
}

async function* walk(
  file: Hdf5File,
  address: number,
  kind: number,
  keyBytes: number,
  most: number,
  seen: Set<number>,
): AsyncGenerator<readonly Leaf[]> {
  const head = await file.read(address, 8 + 2 * file.offsetSize);
  head.signature("TREE");
  const found = head.u8();
  const level = head.u8();
  const entries = head.u16();
  if (found !== kind) throw head.error("malformed", `a tree of kind ${kind} is expected, found ${found}`, 4);
  if (level >= most) throw head.error("malformed", `a tree node has level ${level} below level ${most}`, 5);
  if (seen.has(address) || seen.size >= MOST_NODES) {
    throw head.error("malformed", "a tree leads back to itself", 0);
  }
  seen.add(address);
  const body = await file.read(
    address + 8 + 2 * file.offsetSize,
    entries * (keyBytes + file.offsetSize) + keyBytes,
  );
  const children = Array.from({ length: entries }, () => {
    const key = body.part(keyBytes);
    return { key, address: file.knownAddress(body, "a child of a tree") };
  });
  if (level === 0) return yield children;
  for (const [i, { address: child }] of children.entries()) {
    file.prefetch(children.slice(i + 1, i + 9).map(({ address }) => address));
    yield* walk(file, child, kind, keyBytes, level, seen);
  }
}
