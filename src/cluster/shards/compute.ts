/**
 * Computes parts into a store: looks first, computes, commits.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkControl, type PartControl, type ReadyRun } from "../manifest/ready_run.ts";
import { type Join, workOf } from "../manifest/work.ts";
import { nodeName, partName, type TreeNode } from "../store/node.ts";
import { decodePart, encodePart, type Part } from "../store/part.ts";
import { type Committed, PARTS, type PartStore } from "../store/store.ts";
import type { StoredRun } from "../manifest/read.ts";

/**
 * How a part came about: it was there before; it is new; somebody else was faster and had the same bytes.
 * @category Cluster
 */
export type Outcome = "there" | Committed;

/**
 * Computes a unit, unless its part is there. Errors: those of the computation; `conflict` if another worker has committed
 * other bytes: the computation is not deterministic.
 * @category Cluster
 */
export async function computeInto(
  store: PartStore,
  run: ReadyRun,
  node: TreeNode,
  control: PartControl = {},
): Promise<Outcome> {
  checkControl("computeInto()", control);
  const name = await partName(run.digest, node);
  if (await store.has(name)) return "there";
  return await store.commit(name, [await encodePart(await run.compute(node, control))]);
}

/**
 * Merges the children of an inner node, unless that was done. Errors: `not-found` with `missing`, the names of the children
 * that are not there.
 * @category Cluster
 */
export async function joinInto(
  store: PartStore,
  run: ReadyRun,
  join: Join,
  control: PartControl = {},
): Promise<Outcome> {
  checkControl("joinInto()", control);
  const name = await partName(run.digest, join.node);
  if (await store.has(name)) return "there";
  const read = (child: TreeNode) => readPart(store, run.digest, child);
  return await store.commit(name, [await encodePart(await run.join(join, read, control))]);
}

/** The part of a node. Errors: `not-found`, and those of damaged and foreign parts. */
export async function readPart(store: PartStore, run: string, node: TreeNode): Promise<Part> {
  const name = await partName(run, node);
  const bytes = await store.get(name);
  if (bytes) return await decodePart(bytes, { file: `${store.url}/${name}`, run, node });
  const text = `Part ${nodeName(node)} is not in ${store.url}; compute it first`;
  throw new TilewiseError("not-found", text, { file: store.url, missing: [nodeName(node)] });
}

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
