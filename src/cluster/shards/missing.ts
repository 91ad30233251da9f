/**
 * What is not in a store yet.
 *
 * @module
 */

import type { StoredRun } from "../manifest/read.ts";
import { workOf } from "../manifest/work.ts";
import { partName } from "../store/key.ts";
import type { TreeNode } from "../store/node.ts";
import { PARTS, type PartStore } from "../store/store.ts";

/**
 * The units without a part, in order; one look at the store.
 * @category Cluster
 */
export async function missingUnits(store: PartStore, run: StoredRun): Promise<TreeNode[]> {
  return await missingOf(store, run, workOf(run.manifest).units);
}

/** Those of `nodes` without a part, in order. */
export async function missingOf(
  store: PartStore,
  { digest }: Pick<StoredRun, "digest">,
  nodes: readonly TreeNode[],
): Promise<TreeNode[]> {
  const there = new Set(await store.list(PARTS));
  const missing: TreeNode[] = [];
  for (const node of nodes) if (!there.has(await partName(digest, node))) missing.push(node);
  return missing;
}
