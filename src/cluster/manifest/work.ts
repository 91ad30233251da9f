/**
 * The work of a run: units that are computed, and joins that merge up to sixteen parts each.
 *
 * ```
 * roots    [                    8.0                     ]      at most 16: merged last, into the results
 * joins    [        4.0        ] [        4.1        ] …
 * units    [0.0] [0.1] … [0.15]  [0.16] …                      computed, in any order, by anybody
 * ```
 * All of this follows from the manifest alone.
 *
 * @module
 */

import { above, nodeName, type TreeNode } from "../store/node.ts";
import type { ClusterManifest } from "./manifest.ts";
import type { Unit } from "../../runner/parts.ts";

/**
 * A merge of parts into one.
 * @category Cluster
 */
export interface Join {
  /** The node of the result. */
  readonly node: TreeNode;
  /** Its parts, in order: units or earlier joins. */
  readonly children: readonly TreeNode[];
}

/**
 * All work of a run.
 * @category Cluster
 */
export interface Work {
  /** What is computed, in order. */
  readonly units: readonly TreeNode[];
  /** What is merged before the end, each after its children. */
  readonly joins: readonly Join[];
  /** What the last merge takes, in order: units or joins. */
  readonly roots: readonly TreeNode[];
  /** Frames (rows, samples) of a unit; 0 for any other node. */
  framesOf(node: TreeNode): number;
}

/**
 * The work of a run.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { workOf } from "@tilewise/tilewise/unstable/cluster";
 * const units = Array.from({ length: 40 }, (_, i) => [0, i, 1] as const);
 * const { joins, roots } = workOf({ work: { leaf: 32, bytes: 1, units, fanIn: 16 } });
 * assertEquals(joins.map(({ children }) => children.length), [16, 16, 8]);
 * assertEquals(roots.map(({ level, index }) => `${level}.${index}`), ["4.0", "4.1", "4.2"]);
 * ```
 * @category Cluster
 */
export function workOf({ work }: Pick<ClusterManifest, "work">): Work {
  const units = work.units.map(([level, index]) => ({ level, index }));
  const frames = new Map(
    work.units.map((unit: Unit) => [nodeName({ level: unit[0], index: unit[1] }), unit[2]]),
  );
  const joins: Join[] = [];
  const roots = reduced(units, Math.max(2, work.fanIn), joins);
  return { units, joins, roots, framesOf: (node) => frames.get(nodeName(node)) ?? 0 };
}

/** Adds joins until at most `fanIn` nodes are left; returns these. */
function reduced(units: readonly TreeNode[], fanIn: number, joins: Join[]): readonly TreeNode[] {
  const step = Math.floor(Math.log2(fanIn));
  let nodes = units;
  let level = units.reduce((least, unit) => Math.min(least, unit.level), Infinity);
  while (nodes.length > fanIn) {
    level += step;
    nodes = grouped(nodes, level).map((group) => joined(group, level, joins));
  }
  return nodes;
}

/** The nodes, those with a common ancestor at `level` together. */
function grouped(nodes: readonly TreeNode[], level: number): TreeNode[][] {
  const groups: TreeNode[][] = [];
  let last = "";
  for (const node of nodes) {
    const name = node.level > level ? `${nodeName(node)} alone` : nodeName(above(node, level - node.level));
    if (name === last) groups.at(-1)?.push(node);
    else groups.push([node]);
    last = name;
  }
  return groups;
}

function joined(children: readonly TreeNode[], level: number, joins: Join[]): TreeNode {
  const [first] = children;
  if (!first || children.length === 1) return first ?? { level, index: 0 };
  const node = above(first, level - first.level);
  joins.push({ node, children });
  return node;
}
