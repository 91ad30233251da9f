/** The barrier of a group in orders of steps that threads seldom take. */

import { assertEquals, assertThrows } from "@std/assert";
import { Board, useBoard } from "../../../src/activity.ts";
import { GROUP_BYTES, resetGroup } from "../../../src/channels/files/group.ts";
import { GroupEnded, MemberGroup } from "../../../src/channels/launch/member_group.ts";

/** Two members on this thread; `between` runs in the first look of member 0, while it waits at its barrier. */
function pair(between: (other: MemberGroup) => void): [MemberGroup, MemberGroup] {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const at = { offset: GROUP_BYTES, members: 2 };
  resetGroup(memory, at);
  const [one, other] = [0, 1].map((local) => new MemberGroup(memory, at, local, () => false)) as [
    MemberGroup,
    MemberGroup,
  ];
  let looked = false;
  useBoard(
    new class extends Board {
      override alive(): void {
        if (!looked) {
          looked = true;
          between(other);
        }
      }
    }(),
  );
  return [one, other];
}

Deno.test("a member that passes the last barrier and returns does not part from those that are about to pass it", () => {
  try {
    const [one] = pair((other) => {
      assertEquals(other.barrier(), 0);
      other.leave();
    });
    assertEquals(one.barrier(), 0);
    one.leave();
  } finally {
    useBoard(undefined);
  }
});

Deno.test("a member that returns without the barrier at which others wait reports it, and the others stop", () => {
  try {
    const [one] = pair((other) => {
      assertEquals(
        assertThrows(() => other.leave(), GroupEnded, "one member has returned") instanceof GroupEnded,
        true,
      );
    });
    const ended = assertThrows(() => one.barrier(), GroupEnded) as GroupEnded;
    assertEquals(ended.first, false);
  } finally {
    useBoard(undefined);
  }
});

Deno.test("a member that comes to a barrier after others have returned reports it", () => {
  const [one, other] = pair(() => {});
  useBoard(undefined);
  other.leave();
  const ended = assertThrows(() => one.barrier(), GroupEnded, "one member has returned") as GroupEnded;
  assertEquals(ended.first, true);
});
