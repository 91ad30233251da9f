/**
 * Ward's hierarchical clustering of the positions of a grid, in which only neighbours can be joined.
 *
 * ```
 * every position is a cluster
 * while there are more than n: join the two neighbouring clusters for which
 *     |A| |B| / (|A| + |B|) · ‖mean A − mean B‖²,        the growth of the sum of squared distances from the means,
 *   is least
 * ```
 *
 * (Ward 1963.) The pairs wait in a queue, ordered by that cost; pairs with clusters that have been joined since are
 * skipped. A cluster of a grid has few neighbours as long as clusters are of similar size, which the cost favours: the
 * work is about n log n. For equal costs, the pair whose later cluster is older goes first, then the pair whose earlier
 * cluster is older, so that the result depends only on the values.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { denseData } from "../../sinks/arrays/numbers.ts";
import { isComplex } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { asNumbers } from "../../space/numbers.ts";
import { type Shape, showShape, sizeOf, stridesOf } from "../../space/shape.ts";
import { Turns } from "../../turns.ts";

// A priority queue of pairs of numbers: the cheapest first; equal costs in the order of the pairs.

/** A binary heap in typed arrays: holds millions of pairs without one object per pair. */
class PairQueue {
  #costs: Float64Array;
  #rows: Int32Array;
  #columns: Int32Array;
  #size = 0;
  /** The first number of the pair that {@link pop} took. */
  row = 0;
  /** The second number of that pair. */
  column = 0;

  /** A queue with room for `room` pairs; it grows if needed. */
  constructor(room: number = 1024) {
    this.#costs = new Float64Array(room);
    this.#rows = new Int32Array(room);
    this.#columns = new Int32Array(room);
  }

  /** Adds the pair (row, column). */
  push(cost: number, row: number, column: number): void {
    if (this.#size === this.#costs.length) this.#grow();
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isAfter(parent, cost, row, column)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, cost, row, column);
  }

  /** Takes the cheapest pair into {@link row} and {@link column}; false if there is none. */
  pop(): boolean {
    if (this.#size === 0) return false;
    this.row = this.#rows[0]!;
    this.column = this.#columns[0]!;
    const last = --this.#size;
    const [cost, row, column] = [this.#costs[last]!, this.#rows[last]!, this.#columns[last]!];
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      const right = child + 1;
      const isRight = right < last &&
        this.#isAfter(child, this.#costs[right]!, this.#rows[right]!, this.#columns[right]!);
      const least = isRight ? right : child;
      if (this.#isAfter(least, cost, row, column)) break;
      this.#move(least, at);
      at = least;
    }
    this.#put(at, cost, row, column);
    return true;
  }

  /** Whether the pair at `at` comes after this one. */
  #isAfter(at: number, cost: number, row: number, column: number): boolean {
    const own = this.#costs[at]!;
    if (own !== cost) return own > cost;
    return this.#rows[at] !== row ? this.#rows[at]! > row : this.#columns[at]! > column;
  }

  #move(from: number, to: number): void {
    this.#costs[to] = this.#costs[from]!;
    this.#rows[to] = this.#rows[from]!;
    this.#columns[to] = this.#columns[from]!;
  }

  #put(at: number, cost: number, row: number, column: number): void {
    this.#costs[at] = cost;
    this.#rows[at] = row;
    this.#columns[at] = column;
  }

  #grow(): void {
    const room = 2 * this.#costs.length + 1;
    const larger = <A extends Float64Array | Int32Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.#costs = larger(new Float64Array(room), this.#costs);
    this.#rows = larger(new Int32Array(room), this.#rows);
    this.#columns = larger(new Int32Array(room), this.#columns);
  }
}

/** Joins between two readings of the clock. */
const BATCH = 256;

/**
 * Clusters the positions of a grid of `navShape` by their features, an array of shape (…navShape, features), into `n`
 * connected regions; others have turns on this thread meanwhile. Result: int32, `navShape`, labels numbered from 1 in the order
 * in which they first appear. Finds the same regions as `sklearn.cluster.AgglomerativeClustering` with `linkage="ward"` and a
 * grid as connectivity.
 */
export async function wardInTurns(
  features: NDArray,
  navShape: Shape,
  n: number,
  signal?: AbortSignal,
): Promise<NDArray<"int32">> {
  const turns = new Turns();
  const forest = planted(features, navShape, n);
  while (forest.left > n) {
    for (let i = 0; i < BATCH && forest.left > n; i++) forest.join();
    if (turns.due) await turns.give();
    throwIfAborted(signal);
  }
  return ndarray(forest.labels(), navShape, "int32");
}

function planted(features: NDArray, navShape: Shape, n: number): Forest {
  const nodes = sizeOf(navShape);
  const width = checkedWidth(features, navShape, nodes);
  checkCount(n, nodes);
  const forest = new Forest(Float64Array.from(asNumbers(denseData(features))), nodes, width);
  forest.connect(navShape);
  return forest;
}

/** Refuses numbers of clusters that `nodes` positions cannot have. */
export function checkCount(n: number, nodes: number): void {
  if (Number.isInteger(n) && n >= 1 && n <= nodes) return;
  const text = `Cannot make ${n} clusters of ${nodes} positions; ask for 1 to ${nodes}`;
  throw new TilewiseError("invalid", text, { expected: nodes, found: n });
}

function checkedWidth({ data, shape, dtype }: NDArray, navShape: Shape, nodes: number): number {
  const values = sizeOf(shape);
  const width = nodes === 0 ? 0 : values / nodes;
  if (!Number.isInteger(width) || width < 1 || isComplex(dtype)) {
    const text =
      `Cannot cluster ${showShape(navShape)} positions by ${showShape(shape)} ${dtype} features; ` +
      `they need the shape (${[...navShape, "features"].join(", ")}) and real numbers`;
    throw new TilewiseError("invalid", text, { found: showShape(shape) });
  }
  const odd = asNumbers(data).findIndex((value) => !isFinite(value));
  if (odd < 0) return width;
  const text = `Cannot cluster by features of which one is ${data[odd]}, at position ${
    Math.floor(odd / width)
  }`;
  throw new TilewiseError("invalid", text, { found: String(data[odd]) });
}

/** Clusters, joined two by two; node `k` is the cluster of position `k`, later ones are those joined from others. */
class Forest {
  readonly #parent: Int32Array;
  readonly #count: Float64Array;
  /** Row of sums and means where those of a node are; a joined one takes that of a child. */
  readonly #slot: Int32Array;
  readonly #means: Float64Array;
  readonly #neighbours: number[][] = [];
  readonly #seen: Int32Array;
  readonly #queue: PairQueue;
  #next: number;

  constructor(
    private readonly sums: Float64Array,
    private readonly nodes: number,
    private readonly width: number,
  ) {
    this.#parent = Int32Array.from({ length: 2 * nodes }, (_, i) => i);
    this.#count = new Float64Array(2 * nodes).fill(1);
    this.#slot = Int32Array.from({ length: 2 * nodes }, (_, i) => i);
    this.#means = sums.slice();
    this.#seen = new Int32Array(2 * nodes).fill(-1);
    this.#queue = new PairQueue(8 * nodes);
    this.#next = nodes;
  }

  /** Makes neighbours along every axis of a grid. */
  connect(shape: Shape): void {
    const strides = stridesOf(shape);
    for (let node = 0; node < this.nodes; node++) {
      const around: number[] = [];
      strides.forEach((stride, d) => {
        const at = Math.floor(node / stride) % shape[d]!;
        if (at > 0) around.push(node - stride);
        if (at < shape[d]! - 1) around.push(node + stride);
      });
      this.#neighbours.push(around);
      for (const other of around) if (other < node) this.#queue.push(this.#cost(node, other), node, other);
    }
  }

  /** How many clusters there are. */
  get left(): number {
    return 2 * this.nodes - this.#next;
  }

  /** Joins the two neighbouring clusters whose union costs least. */
  join(): void {
    do this.#queue.pop(); // a grid is connected: there is a pair as long as there are two clusters
     while (!this.#isRoot(this.#queue.row) || !this.#isRoot(this.#queue.column));
    const { row: a, column: b } = this.#queue;
    const node = this.#next++;
    this.#parent[a] = this.#parent[b] = node;
    this.#merge(node, a, b);
    const around: number[] = [];
    this.#seen[node] = node;
    for (const old of [a, b]) {
      for (const neighbour of this.#neighbours[old]!) {
        const root = this.#rootOf(neighbour);
        if (this.#seen[root] === node) continue;
        this.#seen[root] = node;
        around.push(root);
        this.#neighbours[root]!.push(node);
        this.#queue.push(this.#cost(node, root), node, root);
      }
      this.#neighbours[old] = [];
    }
    this.#neighbours.push(around);
  }

  /** The number of the cluster of every position, from 1, as they first appear. */
  labels(): Int32Array {
    const numbers = new Map<number, number>();
    return Int32Array.from({ length: this.nodes }, (_, position) => {
      const root = this.#rootOf(position);
      const label = numbers.get(root) ?? numbers.size + 1;
      numbers.set(root, label);
      return label;
    });
  }

  #merge(node: number, a: number, b: number): void {
    const { sums, width } = this;
    const means = this.#means;
    const [to, from] = [this.#slot[a]! * width, this.#slot[b]! * width];
    const count = this.#count[a]! + this.#count[b]!;
    for (let i = 0; i < width; i++) {
      sums[to + i] = sums[to + i]! + sums[from + i]!;
      means[to + i] = sums[to + i]! / count;
    }
    this.#slot[node] = this.#slot[a]!;
    this.#count[node] = count;
  }

  #cost(a: number, b: number): number {
    const { width } = this;
    const means = this.#means;
    const [na, nb] = [this.#count[a]!, this.#count[b]!];
    const [ma, mb] = [this.#slot[a]! * width, this.#slot[b]! * width];
    let square = 0;
    for (let i = 0; i < width; i++) {
      const difference = means[ma + i]! - means[mb + i]!;
      square += difference * difference;
    }
    return square * (na * nb / (na + nb));
  }

  #isRoot(node: number): boolean {
    return this.#parent[node] === node;
  }

  #rootOf(node: number): number {
    const parent = this.#parent;
    while (parent[node] !== node) {
      parent[node] = parent[parent[node]!]!; // halves the way for the next time
      node = parent[node]!;
    }
    return node;
  }
}
