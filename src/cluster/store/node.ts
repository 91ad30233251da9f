/**
 * Nodes of the merge tree: which leaves they cover, how they are written.
 *
 * Leaves are numbered groups of frames (decision 0002), bands of an image, tiles of a cube, or shards of an array.
 *
 * ```
 * level 2   [             0               ]
 * level 1   [      0      ] [      1      ]
 * level 0   [  0  ] [  1  ] [  2  ] [  3  ]
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { PARTS } from "./store.ts";

/**
 * A node of a binary tree over numbered leaves: it covers the leaves from `index · 2^level` to `(index + 1) · 2^level`.
 * @category Cluster
 */
export interface TreeNode {
  /** 0: a single leaf. */
  readonly level: number;
  /** Its number among the nodes of this level. */
  readonly index: number;
}

/**
 * The name of a node: level and index.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(nodeName({ level: 3, index: 17 }), "3.17");
 * ```
 */
export function nodeName({ level, index }: TreeNode): string {
  return `${level}.${index}`;
}

/** Its first leaf. */
export function firstLeaf({ level, index }: TreeNode): number {
  return index * 2 ** level;
}

/** One past its last leaf. */
export function endLeaf({ level, index }: TreeNode): number {
  return (index + 1) * 2 ** level;
}

/** The node `levels` above. */
export function above({ level, index }: TreeNode, levels: number): TreeNode {
  return { level: level + levels, index: Math.floor(index / 2 ** levels) };
}

/** The name of the part of a node: `parts/` and the SHA-256 of the digest of the manifest and of the node. */
export async function partName(run: string, node: TreeNode): Promise<string> {
  return PARTS + await sha256(new TextEncoder().encode(`${run} ${nodeName(node)}`));
}

const NAME = /^[a-z0-9]+(\/[a-z0-9]+)*$/;

/** Refuses names that could leave the store. */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new TilewiseError("invalid", `"${name}" is not a name in a store`, { found: name });
}

/** The error for a name under which other bytes are stored. */
export function notEqual(url: string, name: string, expected: string, found: string): TilewiseError {
  const text =
    `${url}: ${name} was written before, with other bytes: the computation is not deterministic, or ` +
    `differs between machines. Nothing was replaced; find out which is right before you delete it`;
  return new TilewiseError("conflict", text, { file: `${url}/${name}`, expected, found });
}
