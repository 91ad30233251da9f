/** The barrier of a launch, step by step: what a waiting member sees of one that leaves. */

import { assertEquals, assertThrows } from "@std/assert";
import { GROUP_BYTES, resetGroup } from "../../../src/channels/files/group.ts";
import { GroupEnded, MemberGroup } from "../../../src/channels/launch/module_kernel.ts";

/** A group of two, whose second member calls `meanwhile` each time it looks around while it waits. */
function pair(meanwhile: (first: MemberGroup) => void): MemberGroup {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const at = { offset: GROUP_BYTES, members: 2 };
  resetGroup(memory, at);
  const first = new MemberGroup(memory, at, 0, () => false);
  return new MemberGroup(memory, at, 1, () => {
    meanwhile(first);
    return false;
  });
}

Deno.test("a member that comes last and returns at once does not end the group of one that still sleeps", () => {
  let turns = 0;
  const second = pair((first) => {
    if (turns++ > 0) return;
    first.barrier();
    first.leave();
  });
  assertEquals([second.barrier(), turns], [0, 1]);
  second.leave();
});

Deno.test("a member that returns without coming ends the group of one that waits", () => {
  const second = pair((first) => assertThrows(() => first.leave(), GroupEnded));
  assertThrows(() => second.barrier(), GroupEnded);
});

Deno.test("a member that comes to a barrier after another one has returned reports it", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const at = { offset: GROUP_BYTES, members: 2 };
  resetGroup(memory, at);
  const [one, other] = [0, 1].map((local) => new MemberGroup(memory, at, local, () => false));
  one!.leave();
  const ended = assertThrows(() => other!.barrier(), GroupEnded, "one member has returned") as GroupEnded;
  assertEquals(ended.first, true);
});
