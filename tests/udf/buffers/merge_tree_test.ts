/** The order of merges depends on leaf numbers alone. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MergeTree, mostPending, mostPendingInRow } from "../../../src/udf/buffers/merge_tree.ts";

interface Node {
  text: string;
}

function grow(leaves: readonly number[], group: number): { text: string | undefined; waiting: number } {
  const actions = {
    merge: (into: Node, from: Node) => void (into.text = `(${into.text}${from.text})`),
    free: () => {},
  };
  const whole = new MergeTree<Node>(actions);
  let waiting = 0;
  for (const part of Map.groupBy(leaves, (leaf) => Math.floor(leaf / group)).values()) {
    const tree = new MergeTree<Node>(actions);
    for (const leaf of part) tree.add(leaf, { text: `${leaf} ` });
    whole.add(part[0]!, tree.finish()!);
    waiting = Math.max(waiting, whole.pending.length);
  }
  return { text: whole.finish()?.text, waiting };
}

Deno.test("a full tree is balanced", () => {
  assertEquals(grow([0, 1, 2, 3], 1).text, "((0 1 )(2 3 ))");
  assertEquals(grow([0, 1, 2, 3, 5, 6], 1).text, "(((0 1 )(2 3 ))(5 6 ))");
  assertEquals(grow([], 1).text, undefined);
});

Deno.test("grouping leaves into aligned powers of two changes nothing, whichever leaves are there", () => {
  const leaves = fc.uniqueArray(fc.nat(300), { maxLength: 60 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(leaves, fc.integer({ min: 0, max: 9 }), (all, k) => {
      const { text, waiting } = grow(all, 2 ** k);
      assertEquals(text, grow(all, 1).text);
      const firsts = [...Map.groupBy(all, (leaf) => Math.floor(leaf / 2 ** k)).values()].map(([leaf]) =>
        leaf!
      );
      const most = mostPending(firsts, false);
      assert(waiting <= most && most <= waiting + 1);
    }),
    { seed: 3 },
  );
});

Deno.test("an eager tree holds one node", () => {
  const sums: number[] = [];
  const tree = new MergeTree<number[]>({
    merge: (a, b) => void a.push(...b),
    free: (b) => void sums.push(b.length),
  }, true);
  for (let leaf = 0; leaf < 5; leaf++) tree.add(leaf, [leaf]);
  assertEquals(tree.pending, [[0, 1, 2, 3, 4]]);
  assertEquals(sums, [1, 1, 1, 1]);
});

Deno.test("nodes that wait in a row of leaves are counted without growing a tree", () => {
  for (let level = 0; level <= 7; level++) {
    for (let count = 1; count <= 2 ** level; count++) {
      const first = 5 * 2 ** level;
      const leaves = Array.from({ length: count }, (_, i) => first + i);
      assertEquals(mostPendingInRow(count), mostPending(leaves, false), `${count} leaves from ${first} on`);
    }
  }
});
