/** Undo and redo: groups are one step, and every step comes back as it was. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { START } from "../../../web/state/state.ts";
import { Store } from "../../../web/state/store.ts";

/** One thing that a user does. */
const action = fc.oneof(
  fc.record({
    kind: fc.constant("update" as const),
    y: fc.nat(50),
    group: fc.constantFrom("drag", "form", undefined),
  }),
  fc.record({ kind: fc.constantFrom("undo" as const, "redo" as const, "end" as const) }),
);

Deno.test("undo and redo are those of a plain list of states", () => {
  fc.assert(fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
    const store = new Store(START);
    const past: number[] = [];
    let future: number[] = [];
    let [now, group] = [-1, undefined as string | undefined];
    for (const one of actions) {
      if (one.kind === "update") {
        if (one.group !== undefined && one.group !== group) {
          past.push(now);
          future = [];
        }
        group = one.group ?? group;
        now = one.y;
        store.update({ position: [one.y, 0] }, one.group);
      } else if (one.kind === "end") {
        group = undefined;
        store.endGroup();
      } else {
        const [from, to] = one.kind === "undo" ? [past, future] : [future, past];
        const found = from.pop();
        if (found !== undefined) {
          to.push(now);
          [now, group] = [found, undefined];
        }
        store[one.kind]();
      }
      assertEquals(store.state.position?.[0] ?? -1, now);
      assertEquals(store.steps, { back: past.length > 0, forward: future.length > 0 });
    }
  }));
});

Deno.test("undefined removes a field, and listeners hear the state before", () => {
  const store = new Store({ ...START, position: [1, 2] });
  const heard: unknown[] = [];
  const end = store.listen((state, before) => heard.push([state.position, before.position]));
  store.update({ position: undefined }, "a");
  assertEquals("position" in store.state, false);
  store.undo();
  end();
  store.redo();
  assertEquals(heard, [[undefined, [1, 2]], [[1, 2], undefined]]);
});

Deno.test("a whole state is replaced in one step", () => {
  const store = new Store(START);
  store.update({ panel: "pyramid" }, "panel");
  store.replace({ ...START, panel: "compare" }, "panel");
  store.undo();
  assertEquals(store.state.panel, "pyramid");
});
