/**
 * B-trees: of the second version (links, attributes and chunks of new files) and of the first.
 *
 * @module
 */

import { cannot } from "../../../errors.ts";
import { CHECKSUM_BYTES, type Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";

interface Tree {
  readonly file: Hdf5File;
  readonly nodeBytes: number;
  readonly recordBytes: number;
  /** Bytes of the number of records in a child. */
  readonly countBytes: number;
  /** Bytes of the number of records below a child, per depth of the child. */
  readonly totalBytes: readonly number[];
  readonly seen: Set<number>;
}

/** Nodes of a tree: more is not a tree but a ring. */
const MOST_NODES = 1 << 20;

/** All records of the tree at `address`, in order, those of a leaf together. */
export async function* treeRecords(file: Hdf5File, address: number): AsyncGenerator<readonly Cursor[]> {
  const head = await file.checked(address, 16 + file.offsetSize + 2 + file.lengthSize, "a B-tree");
  head.signature("BTHD");
  head.version("a B-tree", 0);
  head.skip(1); // its kind, which the caller knows
  const nodeBytes = head.u32();
  const recordBytes = head.u16();
  const depth = head.u16();
  head.skip(2);
  const root = file.address(head);
  const count = head.u16();
  if (root === undefined) return;
  if (recordBytes === 0 || nodeBytes < 10 + recordBytes || depth > 16) {
    throw head.error("malformed", `a B-tree has nodes of ${nodeBytes} bytes, depth ${depth}`, 0);
  }
  const tree = {
    file,
    nodeBytes,
    recordBytes,
    ...numberSizes(file, nodeBytes, recordBytes, depth),
    seen: new Set<number>(),
  };
  yield* node(tree, root, count, depth);
}

/** How many bytes counts take follows from how many records fit a node of each depth. */
function numberSizes(file: Hdf5File, nodeBytes: number, recordBytes: number, depth: number) {
  const inLeaf = Math.floor((nodeBytes - 10) / recordBytes);
  const countBytes = bytesFor(inLeaf);
  const totalBytes = [0];
  for (let level = 1, below = inLeaf; level < depth; level++) {
    const pointer = file.offsetSize + countBytes + totalBytes[level - 1]!;
    const records = Math.floor((nodeBytes - 10 - pointer) / (recordBytes + pointer));
    below = (records + 1) * below + records;
    totalBytes.push(bytesFor(below));
  }
  return { countBytes, totalBytes };
}

/** Bytes that a number up to `most` takes. */
export function bytesFor(most: number): number {
  return Math.floor(Math.log2(Math.max(1, most)) / 8) + 1;
}

async function* node(
  tree: Tree,
  address: number,
  count: number,
  depth: number,
): AsyncGenerator<readonly Cursor[]> {
  const { file, recordBytes, seen } = tree;
  const body = await file.checked(address, usedBytes(tree, count, depth), "a node of a B-tree");
  if (seen.has(address) || seen.size >= MOST_NODES) {
    throw body.error("malformed", "a B-tree leads back to itself", 0);
  }
  seen.add(address);
  body.signature(depth > 0 ? "BTIN" : "BTLF");
  body.skip(2);
  const records = Array.from({ length: count }, () => body.part(recordBytes));
  if (depth === 0) return yield records;
  const children = Array.from({ length: count + 1 }, () => {
    const child = file.knownAddress(body, "a child of a B-tree");
    const childCount = body.uint(tree.countBytes);
    body.skip(depth > 1 ? tree.totalBytes[depth - 1]! : 0);
    return { child, childCount };
  });
  for (const [i, { child, childCount }] of children.entries()) {
    file.prefetch(children.slice(i + 1, i + 9).map((other) => other.child));
    yield* node(tree, child, childCount, depth - 1);
    if (i < count) yield [records[i]!];
  }
}

/** Bytes of a node up to its checksum; behind that the node has room for more records. */
function usedBytes(
  { file, nodeBytes, recordBytes, countBytes, totalBytes }: Tree,
  count: number,
  depth: number,
) {
  const child = file.offsetSize + countBytes + (depth > 1 ? totalBytes[depth - 1]! : 0);
  const used = 6 + count * recordBytes + (depth > 0 ? (count + 1) * child : 0);
  if (used + CHECKSUM_BYTES <= nodeBytes) return used;
  const text = `a B-tree has ${count} records of ${recordBytes} bytes in a node of ${nodeBytes} bytes`;
  throw cannot("read", file.name, "malformed", text);
}

// B-trees of the first version: the members of old groups, and the chunks of old data sets.

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
