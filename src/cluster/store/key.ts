/**
 * Under which name a part is stored.
 *
 * @module
 */

import { sha256 } from "../../io/hash.ts";
import { nodeName, type TreeNode } from "./node.ts";
import { PARTS } from "./store.ts";

/** The name of the part of a node: `parts/` and the SHA-256 of the digest of the manifest and of the node. */
export async function partName(run: string, node: TreeNode): Promise<string> {
  return PARTS + await sha256(new TextEncoder().encode(`${run} ${nodeName(node)}`));
}
