/** Keys: how they are written, and when they are for text. */

import { assertEquals } from "@std/assert";
import { type Key, keyFor, nameOf } from "../../../web/parts/keys.ts";

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

Deno.test("keys are written as on the sheet", () => {
  assertEquals(nameOf({ ...none, key: "z", ctrlKey: true }), "Ctrl+Z");
  assertEquals(nameOf({ ...none, key: "Z", metaKey: true, shiftKey: true }), "Ctrl+Shift+Z");
  assertEquals(nameOf({ ...none, key: "?", shiftKey: true }), "?");
  assertEquals(nameOf({ ...none, key: "o" }), "o");
  assertEquals(nameOf({ ...none, key: "Tab", shiftKey: true }), "Shift+Tab");
});

Deno.test("keys without Ctrl are for text while one types, and can be switched off", () => {
  const keys = ["o", "Ctrl+Z", "Escape"].map((key): Key => ({ key, does: "", group: "", press: () => {} }));
  const found = (key: string, typing: boolean, single: boolean) =>
    keyFor(keys, { ...none, key, ctrlKey: key === "z" }, typing, single)?.key;
  assertEquals([found("o", false, true), found("o", true, true), found("o", false, false)], [
    "o",
    undefined,
    undefined,
  ]);
  assertEquals([found("z", true, false), found("Escape", true, false)], ["Ctrl+Z", "Escape"]);
});
