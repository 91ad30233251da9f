/**
 * Sets that are joined: each is known by its smallest member.
 *
 * @module
 */

/** The smallest member of the set that contains `member`; shortens the way to it. */
export function rootOf(parent: Uint32Array, member: number): number {
  while (parent[member] !== member) {
    const next = parent[parent[member]!]!;
    parent[member] = next;
    member = next;
  }
  return member;
}

/** Joins the sets of two members. */
export function join(parent: Uint32Array, a: number, b: number): void {
  const [left, right] = [rootOf(parent, a), rootOf(parent, b)];
  if (left < right) parent[right] = left;
  else parent[left] = right;
}
