/**
 * Merging in a fixed binary tree.
 *
 * Float sums depend on the order of additions. Partial results are merged as in a binary trie over the numbers of their
 * first leaves (groups of frames). The order then depends only on these numbers: not on how many leaves a partition
 * has, nor on which leaves exist.
 *
 * ```
 *   leaf      0   1   2   3       5   6        merges, in order:  0+1, 2+3, (01)+(23), 5 waits,
 *             └─┬─┘   └─┬─┘       │   │                           5+6 (highest differing bit 1),
 *               └───┬───┘         └─┬─┘                           (0123)+(56) (highest differing bit 2)
 *                   └───────┬───────┘
 * ```
 * Two neighbours meet at the level of the highest bit in which their numbers differ; a pair that meets at a lower level
 * is merged first.
 *
 * @module
 */

/** How partial results are merged and released. */
export interface MergeActions<T> {
  /** Adds `from`, the later one, to `into`. */
  merge(into: T, from: T): void;
  /** `node` is no longer needed. */
  free(node: T): void;
}

/**
 * A tree that grows from left to right.
 *
 * @example The bits of a sum do not depend on how its terms are grouped beforehand
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sum = (terms: [number, number][]) => {
 *   const tree = new MergeTree<{ v: number }>({ merge: (a, b) => (a.v += b.v), free: () => {} });
 *   for (const [leaf, v] of terms) tree.add(leaf, { v });
 *   return tree.finish()?.v;
 * };
 * assertEquals(sum([[0, 0.1], [1, 0.2], [2, 0.3], [3, 0.4]]), sum([[0, 0.1 + 0.2], [2, 0.3 + 0.4]]));
 * ```
 */
export class MergeTree<T> {
  readonly #nodes: T[] = [];
  /** `#joins[k]` is the level at which nodes `k` and `k + 1` meet. */
  readonly #joins: number[] = [];
  #last = -1;

  /** An empty tree. With `eager`, nodes are merged as soon as they are added: for results that are exact in any order. */
  constructor(private readonly actions: MergeActions<T>, private readonly eager = false) {}

  /** The nodes that wait for their right neighbours, from left to right. */
  get pending(): readonly T[] {
    return this.#nodes;
  }

  /** Adds the node whose first leaf has number `leaf`; leaves come in ascending order. */
  add(leaf: number, node: T): void {
    if (this.#nodes.length > 0) {
      const level = this.eager ? -1 : meetingLevel(this.#last, leaf);
      while (this.#joins.length > 0 && this.#joins.at(-1)! < level) this.#mergeLast();
      this.#joins.push(level);
    }
    this.#nodes.push(node);
    this.#last = leaf;
    if (this.eager && this.#nodes.length > 1) this.#mergeLast();
  }

  /** The merge of all nodes, or undefined if none was added. The tree is empty afterwards. */
  finish(): T | undefined {
    while (this.#nodes.length > 1) this.#mergeLast();
    this.#last = -1;
    return this.#nodes.pop();
  }

  #mergeLast(): void {
    const from = this.#nodes.pop()!;
    this.#joins.pop();
    this.actions.merge(this.#nodes.at(-1)!, from);
    this.actions.free(from);
  }
}

/** The largest number of nodes at one time, including the one being added, in a tree over these `leaves`. */
export function mostPending(leaves: Iterable<number>, eager: boolean): number {
  const tree = new MergeTree<null>({ merge: () => {}, free: () => {} }, eager);
  let most = 1;
  for (const leaf of leaves) {
    most = Math.max(most, tree.pending.length + 1);
    tree.add(leaf, null);
  }
  return most;
}

/**
 * The same for `count` consecutive leaves, the first at a multiple of a power of two that is at least `count`: when
 * leaf `i` is added, the number of waiting nodes is one more than the number of bits set in `i − 1`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([1, 2, 3, 4, 5].map(mostPendingInRow), [1, 2, 3, 3, 4]);
 * assertEquals(mostPendingInRow(5), mostPending([8, 9, 10, 11, 12], false));
 * ```
 */
export function mostPendingInRow(count: number): number {
  return count < 2 ? 1 : 2 + Math.floor(Math.log2(count - 1));
}

/** Number of the highest bit in which two numbers below 2^53 differ. */
function meetingLevel(a: number, b: number): number {
  let level = 0;
  while (Math.floor(a / 2) !== Math.floor(b / 2)) {
    a = Math.floor(a / 2);
    b = Math.floor(b / 2);
    level++;
  }
  return level;
}
